//! One hook, judged with what is known of its agent.

use std::time::Duration;

use unstuck::{Decision, Engine, Mode, Verdict};
use unstuck_config::Fail;
use unstuck_hosts::{Answer, Happened, Hook, Watch};
use unstuck_store::{About, Key, SessionStore, Standing, Stored, Told, Warning};
use unstuck_text::floor_char_boundary;

use super::{Halted, settings::HookSettings};
use crate::{
    activity, clock,
    error::{Error, Result},
    log::Log,
};

/// Less than what hosts wait for a hook.
const WAIT: Duration = Duration::from_secs(3);

/// Bytes of a directory's path that are kept for people.
const LONGEST_PATH: usize = 256;

/// Judges one hook with the state of its agent, and writes the new state. `caller` describes the process that sent the
/// hook, for the log. `halted` is called after the state of an agent that is newly halted was written.
pub fn judge(
    hook: &Hook,
    by: HookSettings,
    store: &dyn SessionStore,
    log: &Log,
    caller: &dyn Fn() -> String,
    halted: &dyn Fn(&Halted<'_>),
) -> Result<Answer> {
    let HookSettings { settings, fail, .. } = by;
    if settings.mode == Mode::Off {
        return Ok(Answer::allow());
    }
    let who = format!("{} {}", hook.host, hook.session);
    let key = Key {
        host: hook.host.name(),
        session: &hook.session,
        agent: &hook.agent,
    };
    if store.has_new_key() {
        log.line(
            &who,
            "the key of the state could not be used and was replaced: all sessions start afresh",
        );
    }
    let slot = store.open(&key, WAIT)?;
    if !slot.is_exclusive() {
        log.line(
            &who,
            "the file system of the state has no locks, and counts may get lost; set UNSTUCK_HOME to a local directory",
        );
    }
    if slot.has_new_lock() {
        log.line(
            &who,
            "the lock of the state could not be used and was replaced",
        );
    }
    let mut stored = match slot.read() {
        Ok(stored) => stored,
        Err(error) => {
            log.line(&who, &format!("starts afresh: {error}"));
            if fail == Fail::Closed {
                // The calls after this one are judged again.
                slot.remove()?;
                return Err(error.into());
            }
            None
        }
    };
    let now = clock::now();
    let mut state = stored.take().unwrap_or_else(|| new(hook, now));
    let mut watch = postcard::from_bytes::<Watch>(&state.watch).unwrap_or_default();
    let mut engine = Engine::new(settings).without_first_arguments();
    if !state.engine.is_empty()
        && let Err(error) = engine.restore(&hook.session, &hook.agent, &state.engine)
    {
        log.line(&who, &format!("starts afresh: {error}"));
        if fail == Fail::Closed {
            slot.remove()?;
            return Err(Error::system(error));
        }
    }
    let at = state.time.advance(now, clock::since_boot());
    let judged = watch.take(hook, &mut engine, at);
    let shed = shed(&state, hook);
    let was_halted = state.about.halted.is_some();
    let news = record(&mut state.about, hook, judged.decision.as_ref(), now);
    let made = watch.calls().saturating_sub(state.about.calls);
    state.about.calls = watch.calls();
    activity::of_hook(
        &mut state.about.activity,
        hook,
        judged.decision.as_ref(),
        (made, now),
    );
    if let Some(decision) = &judged.decision {
        state.standing = standing(decision, &state.about);
    }
    state.watch = postcard::to_allocvec(&watch).map_err(Error::system)?;
    state.engine = engine
        .snapshot(&hook.session, &hook.agent)
        .unwrap_or_default();
    slot.write(&state)?;
    drop(slot);
    if let (false, Some(_), Some(warning)) =
        (was_halted, &state.about.halted, state.about.warnings.last())
    {
        halted(&Halted {
            host: hook.host,
            rule: &warning.rule,
            repeats: warning.repeats,
        });
    }
    for what in [news, shed].into_iter().flatten() {
        log.line(&who, &format!("{what}; {} {}", hook.name, caller()));
    }
    Ok(judged.answer)
}

/// What this hook takes back, or would if it could. Any program of the user can send such a hook.
fn shed(state: &Stored, hook: &Hook) -> Option<String> {
    let repeats = state.about.activity.streak.is_some();
    let what = match (&hook.happened, state.standing) {
        (
            Happened::UserSpoke
            | Happened::Cleared
            | Happened::Started
            | Happened::Resumed
            | Happened::Compacted,
            Standing::Halted,
        ) => "the halt stays: only `unstuck reset` lifts it",
        (Happened::UserSpoke | Happened::Cleared, Standing::Denied) => {
            "streaks restart, and what was denied may be tried again"
        }
        (Happened::UserSpoke | Happened::Cleared, _) if repeats => "streaks restart",
        _ => return None,
    };
    Some(what.to_owned())
}

/// Whether the agent is held back after this decision.
fn standing(decision: &Decision, about: &About) -> Standing {
    let denied = |streak: &unstuck_store::Streak| streak.told >= Told::Denied;
    match decision.would.unwrap_or(decision.verdict) {
        Verdict::Halt => Standing::Halted,
        Verdict::Allow | Verdict::Nudge | Verdict::Deny => {
            if about.activity.streak.as_ref().is_some_and(denied) {
                Standing::Denied
            } else {
                Standing::Free
            }
        }
    }
}

fn new(hook: &Hook, now: i64) -> Stored {
    let mut stored = Stored::default();
    let about = &mut stored.about;
    about.host = hook.host.name().into();
    about.session = hook.session.clone();
    about.agent = hook.agent.clone();
    about.first_seen = now;
    stored
}

/// Keeps what people want to know. Returns what is worth a line in the log.
fn record(about: &mut About, hook: &Hook, decision: Option<&Decision>, now: i64) -> Option<String> {
    about.last_seen = now;
    about.hooks += 1;
    if let Some(directory) = &hook.directory {
        let kept = floor_char_boundary(directory, LONGEST_PATH);
        about.directory = Some(directory[..kept].into());
    }
    let was_halted = match decision {
        Some(_) => about.halted.take().is_some(),
        None => false,
    };
    let (verdict, decision) = told(decision)?;
    let observed = decision.would.is_some();
    match verdict {
        Verdict::Nudge => about.nudges += 1,
        Verdict::Deny => about.denials += 1,
        Verdict::Allow | Verdict::Halt => {}
    }
    if verdict == Verdict::Halt && !observed {
        about.halted = decision.message().map(Into::into);
    }
    let reason = decision.reason.as_ref()?;
    if was_halted && about.halted.is_some() {
        // It stays halted, whatever comes.
        return None;
    }
    about.warn(Warning {
        at: now,
        verdict: verdict.as_str().into(),
        rule: reason.rule.as_str().into(),
        repeats: reason.repeats,
        pattern: reason.pattern.clone(),
        observed,
    });
    let would = if observed { "would " } else { "" };
    Some(format!(
        "{would}{verdict}: {}, {} times",
        reason.rule, reason.repeats
    ))
}

/// What was said, or would have been.
fn told(decision: Option<&Decision>) -> Option<(Verdict, &Decision)> {
    let decision = decision?;
    let verdict = decision.would.unwrap_or(decision.verdict);
    (verdict > Verdict::Allow).then_some((verdict, decision))
}
