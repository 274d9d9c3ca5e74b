//! What agents do, put down for people: from their hooks, and from what they record.

use std::collections::BTreeMap;

use unstuck::{Call, Decision, Event, EventKind, Finding, Json, RuleName, Status, Verdict};
use unstuck_hosts::{CallEnded, CallMade, Happened, Hook};
use unstuck_json::JsonKind;
use unstuck_store::{About, Activity, Detail, Ended, Seen, Told, Warning};
use unstuck_text::{floor_char_boundary, readable, redact_excerpt, redact_json, shorten};

/// Agents of one transcript that are remembered; the one silent longest gives way.
const MAX_AGENTS: usize = 256;

/// Bytes of an answer that are looked at, and characters that are kept.
const LOOK: usize = 1_000;
/// Longest list or object, in bytes, that is redacted as such.
const LOOK_WHOLE: usize = 16 << 10;
const SAID: usize = 80;

/// Where an answer says what it has to say, best first.
const TELLING: [&str; 6] = ["error", "stdout", "stderr", "output", "content", "text"];

/// Takes in one hook: `made` calls are new with it.
pub(crate) fn of_hook(
    activity: &mut Activity,
    hook: &Hook,
    decision: Option<&Decision>,
    (made, now): (u64, i64),
) {
    let mut came_back = false;
    match &hook.happened {
        Happened::Call(call) if made > 0 => {
            begin(activity, call, now);
            if decision.is_some_and(|decision| decision.verdict >= Verdict::Deny) {
                activity.refuse();
            }
        }
        Happened::Result(call, ended) => {
            // Some hosts tell of a call only when it is over.
            if made > 0 {
                begin(activity, call, now);
            }
            end(activity, call, ended);
            came_back = true;
        }
        Happened::Batch(calls) => {
            for (call, ended) in calls {
                end(activity, call, ended);
            }
            came_back = true;
        }
        Happened::UserSpoke | Happened::Cleared => activity.end_streak(),
        _ => {}
    }
    let Some(decision) = decision else {
        return;
    };
    let told = told(decision);
    if told > Told::Nothing {
        activity.message = decision.message().unwrap_or_default().into();
    }
    if came_back || told > Told::Nothing {
        let coming = u64::from(matches!(hook.happened, Happened::Call(_)));
        activity.see(seen(decision, coming), told);
    }
}

fn begin(activity: &mut Activity, call: &CallMade, now: i64) {
    let id = call.id.as_deref().unwrap_or_default();
    activity.call(id, &call.tool, &label(call), now, Detail::Repeats);
}

fn end(activity: &mut Activity, call: &CallMade, ended: &CallEnded) {
    let id = call.id.as_deref().unwrap_or_default();
    let said = said(ended.output.as_ref());
    activity.result(id, &label(call), way(ended.status), &said, Detail::Repeats);
}

fn label(call: &CallMade) -> Box<str> {
    Call::new("", call.tool.clone(), call.args.clone()).label()
}

/// The agents of one transcript.
#[derive(Debug, Default)]
pub struct Activities {
    agents: BTreeMap<(Box<str>, Box<str>), About>,
}

/// An event whose judgement is still to come.
#[derive(Clone, Copy, Debug)]
pub struct Noted {
    at: i64,
    what: What,
}

/// What happened, as far as it matters to what is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Call,
    Result,
    /// A call and its result in one.
    Step,
    Other,
}

impl Activities {
    /// Takes note of an event before it is judged.
    pub fn note(&mut self, event: &Event) -> Noted {
        let about = self.agent(&event.session, &event.agent);
        let at = event.at.map_or(about.last_seen, |at| at.0);
        if about.first_seen == 0 {
            about.first_seen = at;
        }
        about.last_seen = about.last_seen.max(at);
        let activity = &mut about.activity;
        let what = match &event.kind {
            EventKind::Call(call) => {
                about.calls += 1;
                activity.call(&call.id, &call.tool, &call.label(), at, Detail::All);
                What::Call
            }
            EventKind::Result(outcome) => {
                let said = said(outcome.output.as_ref());
                activity.result(&outcome.id, "", way(outcome.status), &said, Detail::All);
                What::Result
            }
            EventKind::Step(step) => {
                about.calls += 1;
                let label = shorten(&redact_excerpt(&step.code, SAID), SAID);
                activity.call("", "step", &label, at, Detail::All);
                activity.result(
                    "",
                    &label,
                    Ended::Well,
                    &said(step.output.as_ref()),
                    Detail::All,
                );
                What::Step
            }
            EventKind::User => {
                activity.end_streak();
                What::Other
            }
            EventKind::Reset => {
                activity.lift();
                What::Other
            }
            _ => What::Other,
        };
        Noted { at, what }
    }

    /// Takes in what was decided about the event that was noted last.
    pub fn judged(&mut self, decision: &Decision, noted: Noted) {
        let about = self.agent(&decision.session, &decision.agent);
        if goes_on_after_halt(&about.activity) {
            if matches!(noted.what, What::Call | What::Step) {
                about.activity.go_round();
            }
            return;
        }
        let told = told(decision);
        if told > Told::Nothing
            && let Some(reason) = &decision.reason
        {
            match told {
                Told::Nudged => about.nudges += 1,
                Told::Denied => about.denials += 1,
                Told::Nothing | Told::Halted => {}
            }
            about.activity.message = reason.message.clone();
            about.warn(Warning {
                at: noted.at,
                verdict: decision.verdict.as_str().into(),
                rule: reason.rule.as_str().into(),
                repeats: reason.repeats,
                pattern: reason.pattern.clone(),
                // The agent did not get the text.
                observed: true,
            });
        }
        if matches!(noted.what, What::Result | What::Step) || told > Told::Nothing {
            // Every call that is recorded has run.
            about.activity.see(seen(decision, 0), told);
        }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &About> {
        self.agents.values()
    }

    fn agent(&mut self, session: &str, agent: &str) -> &mut About {
        let key = (Box::from(session), Box::from(agent));
        if self.agents.len() >= MAX_AGENTS && !self.agents.contains_key(&key) {
            let silent = self.agents.iter().min_by_key(|(_, about)| about.last_seen);
            if let Some(oldest) = silent.map(|(key, _)| key.clone()) {
                self.agents.remove(&oldest);
            }
        }
        self.agents
            .entry(key)
            .or_insert_with_key(|(session, agent)| {
                let mut about = About::default();
                about.session.clone_from(session);
                about.agent.clone_from(agent);
                about
            })
    }
}

/// An agent that is only observed is not stopped. The engine starts afresh where it would have ended the run;
/// the display shows that the same loop continues.
fn goes_on_after_halt(activity: &Activity) -> bool {
    let Some(streak) = activity
        .streak
        .as_ref()
        .filter(|one| one.told == Told::Halted)
    else {
        return false;
    };
    let newest = activity.moves.back().map(|one| &one.label);
    let mut patterns = streak.seen.iter().flat_map(|seen| &seen.pattern);
    newest.is_some_and(|newest| patterns.any(|member| member == newest))
}

/// The text that the agent got, or would have got.
fn told(decision: &Decision) -> Told {
    match decision.would.unwrap_or(decision.verdict) {
        Verdict::Allow => Told::Nothing,
        Verdict::Nudge => Told::Nudged,
        Verdict::Deny => Told::Denied,
        Verdict::Halt => Told::Halted,
    }
}

/// What the rules see. `coming` is one where the last occurrence they count is a call that has not run: what is denied
/// is not wasted, and what runs is counted with its result.
fn seen(decision: &Decision, coming: u64) -> Vec<Seen> {
    let findings = decision.findings.iter();
    let mut seen: Vec<Seen> = findings
        .map(|finding| of_finding(finding, coming))
        .collect();
    if coming > 0 && told(decision) >= Told::Denied {
        // Calls that were denied before are among the repeats of a denied call.
        for one in &mut seen {
            one.wasted = 0;
        }
    }
    seen
}

fn of_finding(finding: &Finding, coming: u64) -> Seen {
    let laps = u64::from(finding.repeats.saturating_sub(1)).saturating_sub(coming);
    let repeated = laps * u64::from(finding.period.max(1));
    Seen {
        rule: finding.rule.as_str().into(),
        repeats: finding.repeats,
        wasted: match finding.rule {
            // These do not count repeated calls.
            RuleName::Chant | RuleName::Relay | RuleName::Budget | RuleName::Aimless => 0,
            _ => repeated,
        },
        pattern: finding.pattern.clone(),
    }
}

fn way(status: Status) -> Ended {
    match status {
        Status::Error => Ended::Badly,
        Status::Denied | Status::Cancelled => Ended::CalledOff,
        Status::Pending => Ended::Running,
        _ => Ended::Well,
    }
}

/// The beginning of an output on one line, without secrets.
fn said(output: Option<&Json>) -> String {
    let Some(output) = output else {
        return String::new();
    };
    let members = output.view().members().filter_map(|(name, value)| {
        let rank = TELLING.iter().position(|telling| *telling == name)?;
        let text = value.text().filter(|text| !text.trim().is_empty())?;
        Some((rank, shorten(&redact_excerpt(&text, SAID), SAID)))
    });
    if let Some((_, text)) = members.min() {
        return text;
    }
    let redacted;
    let mut text = output.as_str();
    // Lists and objects are redacted before they are shown as text. Of a long one only the beginning is looked at.
    if output.view().kind() != JsonKind::String && text.len() <= LOOK_WHOLE {
        redacted = redact_json(output);
        text = redacted.as_str();
    }
    let text = readable(&text[..floor_char_boundary(text, LOOK)]);
    shorten(&redact_excerpt(&text, SAID), SAID)
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
