use unstuck::{Json, Preset, Settings};

use super::*;
use crate::{Host, codec::tests::hooks, encode};

/// One agent of one host, watched with the settings of a preset.
struct Agent {
    host: Host,
    watch: Watch,
    engine: Engine,
    at: i64,
}

impl Agent {
    fn of(host: Host) -> Self {
        Self::with(host, Preset::Standard)
    }

    fn with(host: Host, preset: Preset) -> Self {
        Self {
            host,
            watch: Watch::default(),
            engine: Engine::new(Settings::of(preset)),
            at: 1_000,
        }
    }

    fn hook(&mut self, moment: Moment, happened: Happened) -> Answer {
        self.at += 1_000;
        let hook = self.make(moment, happened);
        self.take(&hook)
    }

    fn make(&self, moment: Moment, happened: Happened) -> Hook {
        Hook {
            host: self.host,
            session: "s1".into(),
            agent: "main".into(),
            directory: None,
            attendance: None,
            name: "Event".into(),
            moment,
            stamp: Some(self.at),
            happened,
        }
    }

    fn take(&mut self, hook: &Hook) -> Answer {
        // State goes through its stored form between two hooks.
        let stored = serde_json::to_string(&self.watch).unwrap();
        self.watch = serde_json::from_str(&stored).unwrap();
        self.watch.take(hook, &mut self.engine, self.at).answer
    }

    fn before(&mut self, id: Option<&str>, tool: &str) -> Answer {
        self.hook(Moment::BeforeCall, Happened::Call(call(id, tool)))
    }

    fn after(&mut self, id: Option<&str>, tool: &str, output: &str) -> Answer {
        let ended = CallEnded::ok(Some(Json::string(output)));
        self.hook(Moment::AfterCall, Happened::Result(call(id, tool), ended))
    }

    /// The same call with the same result, so many times: the verdicts before and after.
    fn loops(&mut self, times: usize) -> Vec<(Verdict, Verdict)> {
        let mut verdicts = Vec::new();
        for number in 0..times {
            let id = format!("c{number}");
            let named = self.host != Host::GeminiCli && self.host != Host::CopilotCli;
            let id = named.then_some(&*id);
            let before = self.before(id, "read").verdict;
            let after = if before < Verdict::Deny {
                self.after(id, "read", "the same").verdict
            } else {
                Verdict::Allow
            };
            verdicts.push((before, after));
        }
        verdicts
    }
}

fn call(id: Option<&str>, tool: &str) -> CallMade {
    CallMade::new(
        id.map(Into::into),
        tool,
        Json::parse(r#"{"path":"a.txt"}"#).unwrap(),
    )
}

fn unknown(id: &str) -> (CallMade, CallEnded) {
    let error = Json::string("Error: No such tool available: frobnicate");
    (
        call(Some(id), "frobnicate"),
        CallEnded::new(Status::Error, Some(error)),
    )
}

use Verdict::{Allow, Deny, Halt, Nudge};

#[test]
fn the_ladder_is_climbed_with_and_without_ids() {
    for host in [
        Host::ClaudeCode,
        Host::Codex,
        Host::GeminiCli,
        Host::CopilotCli,
    ] {
        let verdicts = Agent::of(host).loops(9);
        assert_eq!(
            verdicts,
            [
                (Allow, Allow),
                (Allow, Allow),
                (Allow, Nudge),
                (Allow, Nudge),
                (Allow, Nudge),
                (Deny, Allow),
                (Deny, Allow),
                (Deny, Allow),
                (Halt, Allow),
            ],
            "{host}"
        );
    }
}

#[test]
fn healthy_fixtures_are_left_alone_and_counted_once() {
    for (host, fixture, calls) in [
        (Host::ClaudeCode, "claude-code", 9),
        (Host::ClaudeCode, "claude-code-mcp", 2),
        (Host::Codex, "codex", 6),
        (Host::Codex, "codex-mcp", 2),
        (Host::GeminiCli, "gemini-cli", 7),
        (Host::QwenCode, "qwen-code", 9),
        // Both spellings of every event are in it.
        (Host::CopilotCli, "copilot-cli", 10),
        (Host::OpenCode, "opencode", 7),
        (Host::Cursor, "cursor", 3),
        (Host::Crush, "crush", 2),
        (Host::Goose, "goose", 2),
        (Host::OpenHands, "openhands", 2),
    ] {
        let mut agent = Agent::of(host);
        for hook in hooks(host, fixture) {
            agent.at += 1_000;
            assert_eq!(
                agent.take(&hook),
                Answer::allow(),
                "{fixture}: {}",
                hook.name
            );
        }
        assert_eq!(agent.watch.calls(), calls, "{fixture}");
    }
}

#[test]
fn a_hook_that_fires_twice_counts_once_and_is_answered_alike() {
    for id in [Some("c"), None] {
        let host = if id.is_some() {
            Host::ClaudeCode
        } else {
            Host::GeminiCli
        };
        let mut agent = Agent::of(host);
        let mut denied = 0;
        for number in 0..6 {
            let id = id.map(|id| format!("{id}{number}"));
            agent.at += 1_000;
            let before = agent.make(
                Moment::BeforeCall,
                Happened::Call(call(id.as_deref(), "read")),
            );
            let first = agent.take(&before);
            assert_eq!(agent.take(&before), first);
            if first.verdict == Deny {
                denied += 1;
                continue;
            }
            agent.at += 1_000;
            let ended = CallEnded::ok(Some(Json::string("the same")));
            let after = agent.make(
                Moment::AfterCall,
                Happened::Result(call(id.as_deref(), "read"), ended),
            );
            agent.take(&after);
            // The words are not said twice.
            assert_eq!(agent.take(&after), Answer::allow());
        }
        assert_eq!(denied, 1);
        assert_eq!(agent.watch.calls(), 6);
    }
}

#[test]
fn parallel_calls_may_come_in_any_order() {
    let mut agent = Agent::of(Host::ClaudeCode);
    for round in 0..6 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        assert_eq!(agent.before(Some(&b), "grep").verdict, Allow);
        assert_eq!(agent.before(Some(&a), "read").verdict, Allow);
        assert_eq!(
            agent.after(Some(&b), "grep", &format!("{round} b")).verdict,
            Allow
        );
        assert_eq!(
            agent.after(Some(&a), "read", &format!("{round} a")).verdict,
            Allow
        );
    }
}

#[test]
fn equal_calls_without_ids_are_paired_in_their_order() {
    let mut agent = Agent::of(Host::GeminiCli);
    agent.before(None, "read");
    agent.before(None, "read");
    agent.after(None, "read", "one");
    agent.after(None, "read", "two");
    assert!(agent.watch.open.is_empty());
    assert_eq!(agent.watch.calls(), 2);
}

#[test]
fn a_batch_adds_only_what_nobody_saw() {
    let mut agent = Agent::of(Host::ClaudeCode);
    agent.before(Some("seen"), "read");
    agent.after(Some("seen"), "read", "text");
    let batch = Happened::Batch(vec![
        (
            call(Some("seen"), "read"),
            CallEnded::ok(Some(Json::string("text, as the model sees it"))),
        ),
        unknown("unseen"),
    ]);
    agent.hook(Moment::AfterBatch, batch.clone());
    assert_eq!(agent.watch.calls(), 2);
    agent.hook(Moment::AfterBatch, batch);
    assert_eq!(agent.watch.calls(), 2);
}

#[test]
fn calls_that_only_a_batch_shows_climb_the_ladder() {
    let mut agent = Agent::of(Host::ClaudeCode);
    let verdicts: Vec<_> = (0..7)
        .map(|number| {
            let batch = Happened::Batch(vec![unknown(&format!("u{number}"))]);
            agent.hook(Moment::AfterBatch, batch).verdict
        })
        .collect();
    // There is nothing to deny after the fact; the words are said all the same.
    assert_eq!(verdicts[..2], [Allow, Allow]);
    assert_eq!(verdicts[2], Nudge);
    assert!(!verdicts.contains(&Deny));
    assert_eq!(verdicts[6], Halt);
}

#[test]
fn our_own_denial_in_a_batch_is_no_result() {
    let mut agent = Agent::of(Host::ClaudeCode);
    agent.loops(5);
    for number in 0..3 {
        let id = format!("d{number}");
        let answer = agent.before(Some(&id), "read");
        assert_eq!(answer.verdict, Deny);
        let shown = format!("PreToolUse:read hook error: {}", answer.text);
        let ended = CallEnded::new(Status::Denied, Some(Json::string(&shown)));
        let batch = Happened::Batch(vec![(call(Some(&id), "read"), ended)]);
        assert_eq!(agent.hook(Moment::AfterBatch, batch), Answer::allow());
    }
    assert_eq!(agent.before(Some("last"), "read").verdict, Halt);
}

#[test]
fn a_refusal_by_a_person_is_no_failure() {
    let mut agent = Agent::of(Host::ClaudeCode);
    for number in 0..12 {
        let id = format!("c{number}");
        assert_eq!(agent.before(Some(&id), "read").verdict, Allow);
        let refused = Json::string("The user doesn't want to proceed with this tool use.");
        let batch = Happened::Batch(vec![(
            call(Some(&id), "read"),
            CallEnded::new(Status::Denied, Some(refused)),
        )]);
        assert_eq!(agent.hook(Moment::AfterBatch, batch), Answer::allow());
    }
}

#[test]
fn a_result_without_its_call_counts_as_both() {
    let mut agent = Agent::of(Host::ClaudeCode);
    let verdicts: Vec<_> = (0..9)
        .map(|number| {
            agent
                .after(Some(&format!("c{number}")), "read", "the same")
                .verdict
        })
        .collect();
    assert_eq!(verdicts[2], Nudge);
    // It has run, so it is not denied; the run is stopped in the end.
    assert!(!verdicts.contains(&Deny));
    assert_eq!(verdicts[8], Halt);
}

#[test]
fn a_call_that_codex_is_silent_about_has_failed() {
    let mut agent = Agent::of(Host::Codex);
    let mut verdicts = Vec::new();
    for number in 0..9 {
        let id = format!("c{number}");
        let before = agent.before(Some(&id), "mcp__db__query").verdict;
        verdicts.push(before);
        agent.hook(Moment::ModelRequest, Happened::RoundOver);
    }
    assert_eq!(verdicts[5], Deny, "{verdicts:?}");
    assert_eq!(verdicts[8], Halt, "{verdicts:?}");
}

#[test]
fn what_a_person_was_asked_about_may_have_been_refused() {
    let mut agent = Agent::of(Host::Codex);
    for number in 0..12 {
        let id = format!("c{number}");
        assert_eq!(agent.before(Some(&id), "apply_patch").verdict, Allow);
        let asked = Happened::Asked(call(Some(&id), "apply_patch"));
        assert_eq!(agent.hook(Moment::Permission, asked), Answer::allow());
        agent.hook(Moment::ModelRequest, Happened::RoundOver);
    }
}

#[test]
fn qwen_is_stopped_before_it_goes_on() {
    let mut agent = Agent::of(Host::QwenCode);
    agent.loops(9);
    assert!(agent.engine.snapshot("s1", "main").is_some());
    let answer = agent.hook(Moment::Continuation, Happened::GoesOn);
    assert_eq!(answer.verdict, Halt);
    let hook = agent.make(Moment::Continuation, Happened::GoesOn);
    assert!(
        encode(&hook, &answer)
            .stdout
            .contains(r#""decision":"block""#)
    );
}

#[test]
fn a_continuation_is_nobodys_word() {
    let mut agent = Agent::of(Host::QwenCode);
    agent.loops(2);
    agent.hook(Moment::Continuation, Happened::GoesOn);
    agent.before(Some("x"), "read");
    assert_eq!(agent.after(Some("x"), "read", "the same").verdict, Nudge);
    let mut other = Agent::of(Host::QwenCode);
    other.loops(2);
    other.hook(Moment::Prompt, Happened::UserSpoke);
    other.before(Some("x"), "read");
    assert_eq!(other.after(Some("x"), "read", "the same").verdict, Allow);
}

#[test]
fn copilot_is_stopped_when_it_asks() {
    let mut agent = Agent::of(Host::CopilotCli);
    // It asks about this tool, as earlier calls have shown.
    agent.before(None, "read");
    agent.hook(Moment::Permission, Happened::Asked(call(None, "read")));
    agent.after(None, "read", "the same");
    let verdicts = agent.loops(8);
    // Denied, it would never ask: the last call is let through to the question, which ends the run.
    assert_eq!(verdicts[6].0, Deny);
    assert_eq!(verdicts[7].0, Allow);
    let answer = agent.hook(Moment::Permission, Happened::Asked(call(None, "read")));
    assert_eq!(answer.verdict, Halt);
}

#[test]
fn copilot_is_denied_where_it_does_not_ask() {
    let mut agent = Agent::of(Host::CopilotCli);
    agent.before(None, "read");
    agent.hook(Moment::Permission, Happened::Asked(call(None, "read")));
    agent.after(None, "read", "the same");
    agent.loops(7);
    assert_eq!(agent.before(None, "read").verdict, Allow);
    // It ran without a question; from now on it is denied.
    agent.after(None, "read", "the same");
    assert_eq!(agent.before(None, "read").verdict, Halt);
}

#[test]
fn words_wait_for_a_moment_at_which_they_are_heard() {
    // This preset speaks with the call, and Gemini CLI hands on words only with a result.
    let mut agent = Agent::with(Host::GeminiCli, Preset::Attocode);
    agent.before(None, "read");
    agent.after(None, "read", "1");
    agent.before(None, "read");
    agent.after(None, "read", "2");
    assert_eq!(agent.before(None, "read"), Answer::allow());
    let answer = agent.after(None, "read", "3");
    assert_eq!(answer.verdict, Nudge);
    assert!(answer.text.contains("3 times"), "{}", answer.text);
    assert_eq!(agent.after(None, "read", "4"), Answer::allow());
}

#[test]
fn cline_is_told_instead_of_denied_and_stopped_in_the_end() {
    let mut agent = Agent::of(Host::Cline);
    let verdicts = agent.loops(9);
    // What is said after a call is not listened to, so the words come with the next call.
    assert_eq!(verdicts[2], (Allow, Allow));
    assert_eq!(verdicts[3].0, Nudge);
    assert_eq!(verdicts[5].0, Nudge);
    assert_eq!(verdicts[8].0, Halt);
    let text = agent.before(Some("again"), "read").text;
    assert!(!text.contains("This call was not run"), "{text}");
}

#[test]
fn calls_alone_are_judged_where_no_results_are_told() {
    let mut agent = Agent::with(Host::Crush, Preset::Attocode);
    let verdicts: Vec<_> = (0..7).map(|_| agent.before(None, "read").verdict).collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge, Nudge, Nudge, Nudge, Deny]);
}

#[test]
fn a_denial_names_the_way_out_and_is_short() {
    let mut agent = Agent::of(Host::ClaudeCode);
    agent.loops(5);
    let denied = agent.before(Some("d"), "read");
    assert!(
        denied.text.contains("`unstuck reset s1`"),
        "{}",
        denied.text
    );
    assert!(denied.text.chars().count() < 2_000);
    let text = with_way_out(Halt, "Stopped.", "a b; rm -rf /");
    assert!(text.contains("`unstuck reset --all`"), "{text}");
}

#[test]
fn lifting_forgets_what_was_refused() {
    let mut agent = Agent::of(Host::ClaudeCode);
    agent.loops(5);
    agent.at += 1;
    let hook = agent.make(Moment::BeforeCall, Happened::Call(call(Some("d"), "read")));
    assert_eq!(agent.take(&hook).verdict, Deny);
    agent.watch.lift();
    assert_eq!(agent.take(&hook).verdict, Allow);
}

#[test]
fn what_is_kept_is_bounded() {
    let mut agent = Agent::of(Host::ClaudeCode);
    for number in 0..2_000 {
        let id = format!("c{number}");
        let made = CallMade::new(
            Some(id.clone().into()),
            "read",
            Json::parse(&format!(r#"{{"path":"{number}.txt"}}"#)).unwrap(),
        );
        agent.watch.take(
            &agent.make(Moment::BeforeCall, Happened::Call(made)),
            &mut agent.engine,
            number,
        );
    }
    assert_eq!(agent.watch.open.len(), OPEN);
    for number in 0..2_000 {
        agent.after(Some(&format!("r{number}")), "read", &number.to_string());
    }
    assert_eq!(agent.watch.ended.len(), again::ENDED);
}

#[test]
fn the_same_last_words_at_once_are_one_hook() {
    let text =
        "I will now look at the login test once more and then decide what has to be changed in it.";
    let untold = |apart: i64| {
        let mut agent = Agent::of(Host::ClaudeCode);
        agent.loops(1);
        for _ in 0..8 {
            agent.at += apart;
            let said = agent.make(Moment::Stop, Happened::Said(text.into()));
            agent.take(&said);
        }
        agent.watch.untold
    };
    assert_eq!(untold(10), None);
    // Said again and again it is a chant, which is reported to the model as soon as the host allows it.
    assert!(untold(10_000).is_some());
}

/// Runs a call and its result so often, with ids of the given names, and counts the calls that were denied or halted.
fn refused(agent: &mut Agent, ids: &[&str], times: usize) -> usize {
    (0..times)
        .filter(|number| {
            let id = Some(ids[number % ids.len()]);
            let before = agent.before(id, "read").verdict;
            if before < Deny {
                agent.after(id, "read", "the same");
            }
            before >= Deny
        })
        .count()
}

#[test]
fn ids_that_are_used_again_count() {
    for host in [
        Host::ClaudeCode,
        Host::Codex,
        Host::QwenCode,
        Host::OpenCode,
        Host::Cursor,
    ] {
        for ids in [&["call_0"][..], &["call_0", "call_1"]] {
            let mut agent = Agent::of(host);
            assert_eq!(refused(&mut agent, ids, 12), 7, "{host} {ids:?}");
        }
    }
}

#[test]
fn ids_that_are_used_again_count_in_batches() {
    let mut agent = Agent::of(Host::ClaudeCode);
    let mut denied = 0;
    for _ in 0..12 {
        let before = agent.before(Some("call_0"), "read");
        let ended = if before.verdict >= Deny {
            denied += 1;
            CallEnded::new(Status::Denied, Some(Json::string(&before.text)))
        } else {
            agent.after(Some("call_0"), "read", "the same");
            CallEnded::ok(Some(Json::string("the same")))
        };
        let batch = Happened::Batch(vec![(call(Some("call_0"), "read"), ended)]);
        agent.hook(Moment::AfterBatch, batch);
    }
    assert_eq!(denied, 7);
    assert_eq!(agent.watch.calls(), 12);
    // Calls that only the batch shows.
    let mut agent = Agent::of(Host::ClaudeCode);
    let mut last = Allow;
    for _ in 0..7 {
        agent.at += 1_000;
        let batch = Happened::Batch(vec![unknown("call_0")]);
        last = agent.hook(Moment::AfterBatch, batch).verdict;
    }
    assert_eq!(last, Halt);
}

#[test]
fn a_host_whose_clock_stands_still_is_counted() {
    let mut agent = Agent::of(Host::GeminiCli);
    let mut denied = 0;
    for _ in 0..12 {
        agent.at += 10;
        let mut before = agent.make(Moment::BeforeCall, Happened::Call(call(None, "read")));
        before.stamp = Some(1);
        if agent.take(&before).verdict >= Deny {
            denied += 1;
            continue;
        }
        let ended = CallEnded::ok(Some(Json::string("the same")));
        let mut after = agent.make(
            Moment::AfterCall,
            Happened::Result(call(None, "read"), ended),
        );
        after.stamp = Some(1);
        agent.take(&after);
    }
    assert_eq!(denied, 7);
}

#[test]
fn a_second_end_of_one_call_adds_nothing() {
    let mut agent = Agent::of(Host::OpenCode);
    agent.before(Some("c"), "read");
    agent.after(Some("c"), "read", "one");
    agent.at += 60_000;
    agent.after(Some("c"), "read", "aborted");
    assert_eq!(agent.watch.calls(), 1);
    // Where only results are reported, each is a call, unless the hook fired twice.
    let mut agent = Agent::of(Host::ClaudeCode);
    agent.after(Some("c"), "read", "one");
    agent.after(Some("c"), "read", "one");
    assert_eq!(agent.watch.calls(), 1);
    agent.after(Some("c"), "read", "two");
    agent.at += 60_000;
    agent.after(Some("c"), "read", "two");
    assert_eq!(agent.watch.calls(), 3);
}

#[test]
fn no_hook_lifts_a_halt() {
    for happened in [
        Happened::Cleared,
        Happened::Started,
        Happened::Resumed,
        Happened::Compacted,
        Happened::UserSpoke,
        Happened::GoesOn,
        Happened::RoundOver,
        Happened::Said("done".into()),
    ] {
        let mut agent = Agent::of(Host::ClaudeCode);
        agent.loops(9);
        agent.hook(Moment::SessionStart, happened.clone());
        let answer = agent.before(Some("new"), "read");
        assert_eq!(answer.verdict, Halt, "{happened:?}");
        assert_eq!(agent.before(Some("other"), "write").verdict, Halt);
    }
}

#[test]
fn only_a_word_of_a_person_restarts_a_streak_and_the_relapse_climbs_on() {
    for (happened, restarts) in [
        (Happened::UserSpoke, true),
        (Happened::Cleared, true),
        (Happened::Started, false),
        (Happened::Resumed, false),
        (Happened::Compacted, false),
    ] {
        let mut agent = Agent::of(Host::ClaudeCode);
        agent.loops(6);
        agent.hook(Moment::SessionStart, happened.clone());
        let next = agent.before(Some("next"), "read").verdict;
        assert_eq!(next == Allow, restarts, "{happened:?}");
        if restarts {
            agent.after(Some("next"), "read", "the same");
            let verdicts: Vec<_> = (0..8)
                .map(|number| {
                    let id = format!("r{number}");
                    let before = agent.before(Some(&id), "read").verdict;
                    if before < Deny {
                        agent.after(Some(&id), "read", "the same");
                    }
                    before
                })
                .collect();
            // Sooner than from the start, where the sixth call is denied.
            let first = verdicts.iter().position(|verdict| *verdict >= Deny);
            assert!(first.is_some_and(|first| first < 4), "{verdicts:?}");
            assert!(verdicts.contains(&Halt), "{verdicts:?}");
        }
    }
}

#[test]
fn forged_questions_let_few_halted_calls_through() {
    let mut agent = Agent::of(Host::CopilotCli);
    agent.loops(9);
    let mut ran = 0;
    for _ in 0..20 {
        agent.hook(Moment::Permission, Happened::Asked(call(None, "read")));
        if agent.before(None, "read").verdict < Deny {
            ran += 1;
            // Poses as our refusal.
            let ended = CallEnded::new(Status::Denied, None);
            agent.hook(
                Moment::AfterCall,
                Happened::Result(call(None, "read"), ended),
            );
        }
    }
    assert_eq!(ran, usize::from(LET_THROUGH));
}

#[test]
fn overlong_names_are_kept_apart_and_short() {
    let hook = |session: &str, id: &str, tool: &str| {
        let input = serde_json::json!({
            "session_id": session,
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_use_id": id,
        });
        let input = input.to_string();
        crate::decode(Host::ClaudeCode, None, input.as_bytes(), &[1; 32], &|_| {
            None
        })
        .unwrap()
    };
    let long = "é".repeat(1_000_000);
    let one = hook(&long, &long, &long);
    let other = hook(&format!("{long}x"), &long, &long);
    assert!(one.session.len() < 600);
    assert_ne!(one.session, other.session);
    assert_eq!(one.happened, other.happened);
    let Happened::Call(call) = one.happened else {
        panic!()
    };
    assert!(call.tool.len() < 600 && call.id.unwrap().len() < 600);
    assert_eq!(&*hook("s", "c", "Bash").session, "s");
}
