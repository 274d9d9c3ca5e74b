//! Agents that do new things and get nowhere: complaints, failures and known answers over many calls.

use unstuck::{Decision, Preset, RuleName, Settings, Verdict};

use super::{Allow, Deny, Nudge, Run};

/// Runs commands that differ from each other; the decisions on the call and on its result.
struct Shell {
    run: Run,
    commands: u32,
}

impl Shell {
    fn new() -> Self {
        Self {
            run: Run::of(Preset::Standard),
            commands: 0,
        }
    }

    /// A command that was not run before.
    fn fails(&mut self, complaint: &str) -> Decision {
        self.commands += 1;
        let command = format!("./tool --mode m{}", self.commands);
        self.again(&command, "error", complaint)
    }

    fn works(&mut self) -> Decision {
        self.commands += 1;
        let command = format!("ls src/d{}", self.commands);
        let output = format!("entry {} of the listing", word(self.commands));
        self.again(&command, "ok", &output)
    }

    fn again(&mut self, command: &str, status: &str, output: &str) -> Decision {
        let call = self
            .run
            .call("bash", &format!(r#"{{"command":"{command}"}}"#));
        let decision = if call.verdict >= Deny {
            call
        } else {
            self.run.result(status, &format!("{output:?}"))
        };
        self.run.send(r#"{"event":"turn"}"#);
        decision
    }
}

/// Numbers mean nothing in a complaint; words do.
fn word(number: u32) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'k'))
        .collect()
}

fn by(decision: &Decision) -> Option<RuleName> {
    decision.reason.as_ref().map(|reason| reason.rule)
}

#[test]
fn one_complaint_over_different_commands_is_nudged_then_denied() {
    let mut shell = Shell::new();
    let mut seen = Vec::new();
    for number in 0..9 {
        // The names differ, the complaint does not; something else works in between.
        let decision = shell.fails(&format!("cannot open '/data/{number}.bin': bad header"));
        seen.push((decision.verdict, by(&decision)));
        if number % 2 == 0 {
            assert_eq!(shell.works().verdict, Allow);
        }
    }
    let stuck = Some(RuleName::StuckOutcome);
    let nudged = seen.iter().position(|said| *said == (Nudge, stuck));
    let denied = seen.iter().position(|said| *said == (Deny, stuck));
    assert_eq!((nudged, denied), (Some(4), Some(6)), "{seen:?}");
}

#[test]
fn different_complaints_are_work() {
    let mut shell = Shell::new();
    for number in 0..9 {
        let decision = shell.fails(&format!("{} is not what was expected here", word(number)));
        assert_eq!(decision.verdict, Allow, "failure {number}");
        assert_eq!(shell.works().verdict, Allow);
    }
}

#[test]
fn complaints_wear_off() {
    let mut shell = Shell::new();
    for round in 0..6 {
        for _ in 0..2 {
            let decision = shell.fails("cannot open the archive: bad header");
            assert_eq!(decision.verdict, Allow, "round {round}");
            shell.works();
        }
        for _ in 0..6 {
            assert_eq!(shell.works().verdict, Allow);
        }
    }
}

#[test]
fn silent_failures_complain_of_nothing() {
    let mut shell = Shell::new();
    for number in 0..12 {
        let decision = shell.fails("");
        assert_ne!(decision.verdict, Deny, "failure {number}");
        shell.works();
    }
}

#[test]
fn one_call_that_fails_says_nothing_about_another() {
    // Two different commands fail alike again and again: a third of their kind may still be tried.
    let mut shell = Shell::new();
    for _ in 0..4 {
        for command in ["./tool --mode x", "./tool --mode y"] {
            shell.again(command, "error", "cannot open 'a': bad header");
        }
    }
    let third = shell.run.call("bash", r#"{"command":"./tool --mode z"}"#);
    assert_ne!(by(&third), Some(RuleName::StuckOutcome), "{third:?}");
}

/// Five different commands that fail alike, then one that fails in another way: the agent was told after the fifth.
fn after_five_alike() -> Shell {
    let mut shell = Shell::new();
    for (mode, works) in [
        ("a", true),
        ("b", false),
        ("c", true),
        ("d", false),
        ("e", false),
    ] {
        let command = format!("./tool --mode {mode}");
        shell.again(
            &command,
            "error",
            &format!("cannot open '{mode}': bad header"),
        );
        if works {
            shell.works();
        }
    }
    shell.again("./other", "error", "no space is left for any of this");
    shell
}

fn next(mut shell: Shell, command: &str) -> Decision {
    let args = format!(r#"{{"command":"{command}"}}"#);
    shell.run.call("bash", &args)
}

#[test]
fn a_call_that_failed_like_that_itself_weighs_more() {
    assert_eq!(next(after_five_alike(), "./tool --mode z").verdict, Allow);
    let denied = next(after_five_alike(), "./tool --mode c");
    assert_eq!(denied.verdict, Deny);
    assert_eq!(by(&denied), Some(RuleName::StuckOutcome));
}

#[test]
fn after_a_success_another_call_of_the_kind_may_be_tried() {
    let stuck = |works: bool| {
        let mut shell = after_five_alike();
        shell.again("./tool --mode f", "error", "cannot open 'f': bad header");
        if works {
            shell.works();
        }
        next(shell, "./tool --mode z").verdict
    };
    assert_eq!(stuck(false), Deny);
    assert_eq!(stuck(true), Allow);
}

#[test]
fn the_first_call_after_a_nudge_is_not_denied_for_others() {
    let mut shell = Shell::new();
    let mut nudged = false;
    for mode in ["a", "b", "c", "a", "b", "c", "a", "b"] {
        let command = format!("./tool --mode {mode}");
        let args = format!(r#"{{"command":"{command}"}}"#);
        let call = shell.run.call("bash", &args);
        assert!(!nudged || call.verdict == Allow, "{call:?}");
        if call.verdict >= Deny {
            return;
        }
        let after = shell
            .run
            .result("error", r#""cannot open 'a': bad header""#);
        shell.run.send(r#"{"event":"turn"}"#);
        nudged = by(&after) == Some(RuleName::StuckOutcome);
    }
    panic!("nothing was denied");
}

#[test]
fn answers_that_say_to_wait_are_left_to_poll() {
    let mut shell = Shell::new();
    for number in 0..9 {
        shell.commands += 1;
        let command = format!("./job status --id {}", word(shell.commands));
        let decision = shell.again(&command, "ok", "job is still running, try again later");
        assert_ne!(by(&decision), Some(RuleName::StuckOutcome), "look {number}");
        assert_ne!(by(&decision), Some(RuleName::Stagnation), "look {number}");
    }
}

#[test]
fn an_agent_is_nudged_where_most_calls_fail_whatever_the_errors() {
    let mut shell = Shell::new();
    let mut told = None;
    for number in 0..20_u32 {
        let decision = if number % 3 == 2 {
            shell.works()
        } else {
            shell.fails(&format!("{} is missing from the picture", word(number)))
        };
        if decision.verdict != Allow {
            assert_eq!(by(&decision), Some(RuleName::FailureCascade));
            assert_eq!(decision.verdict, Nudge);
            told.get_or_insert((number, decision.reason.unwrap().repeats));
        }
    }
    // The twelfth failure among the last twenty calls.
    assert_eq!(told, Some((16, 12)));
}

#[test]
fn where_half_of_the_calls_fail_nothing_is_said() {
    let mut shell = Shell::new();
    for number in 0..40_u32 {
        let decision = if number.is_multiple_of(2) {
            shell.works()
        } else {
            shell.fails(&format!("{} is missing from the picture", word(number)))
        };
        assert_eq!(decision.verdict, Allow, "call {number}");
    }
}

/// Settings in which only a long time without any fruit is noticed.
fn only_failures() -> Run {
    let mut settings = Settings::of(Preset::Standard);
    let rules = &mut settings.rules;
    rules.exact_repeat.enabled = false;
    rules.near_repeat.enabled = false;
    rules.cycle.enabled = false;
    rules.stagnation.enabled = false;
    rules.stuck_outcome.enabled = false;
    Run::with(settings)
}

#[test]
fn fifteen_calls_that_bring_nothing_end_in_one_denial() {
    let mut run = only_failures();
    let look = |run: &mut Run, number: u32| run.read(&format!("src/m{number}.py"));
    // Three files, read over and over; the first time they are news.
    let first = (0..3).map(|number| look(&mut run, number));
    assert_eq!(first.collect::<Vec<_>>(), [Allow; 3]);
    let verdicts: Vec<_> = (0..34_u32)
        .map(|number| look(&mut run, number % 3))
        .collect();
    let denied: Vec<_> = (0..34).filter(|at| verdicts[*at] == Deny).collect();
    // After the denial it is judged afresh: another fifteen.
    assert_eq!(denied, [15, 31], "{verdicts:?}");
}

#[test]
fn a_call_never_made_before_is_not_denied_for_others_without_fruit() {
    let mut run = only_failures();
    for number in 0..18_u32 {
        run.read(&format!("src/m{}.py", number % 3));
    }
    assert_eq!(run.read("src/other.py"), Allow);
    assert_eq!(run.read("src/m0.py"), Allow);
}

#[test]
fn half_of_a_repeat_counts_where_something_was_learned_in_between() {
    let mut run = Run::of(Preset::Standard);
    let mut lap = |number: u32| {
        let read = run.read("src/config.py");
        let news = run.read(&format!("src/new{number}.py"));
        (read, news)
    };
    let verdicts: Vec<_> = (0..6).map(|number| lap(number).0).collect();
    // Without the news the third would be nudged.
    let first = verdicts.iter().position(|verdict| *verdict != Allow);
    assert_eq!(first, Some(4), "{verdicts:?}");
}

#[test]
fn after_a_nudge_the_agent_has_time_to_react() {
    // A nudge about an equal call; then a stretch of known answers that alone would be spoken of.
    let told = |nudged: bool| {
        let mut run = Run::of(Preset::Standard);
        for number in 0..6 {
            run.read(&format!("src/m{number}.py"));
        }
        if nudged {
            let verdicts = (0..3).map(|_| run.read("src/config.py"));
            assert_eq!(verdicts.last(), Some(Nudge));
        }
        let order = [0, 3, 1, 4, 2, 5, 1, 3];
        order.map(|number| run.read(&format!("src/m{number}.py")))
    };
    let alone: Vec<Verdict> = told(false).to_vec();
    assert!(alone.contains(&Nudge), "{alone:?}");
    let heeding: Vec<Verdict> = told(true).to_vec();
    assert!(!heeding.contains(&Nudge), "{heeding:?}");
}

#[test]
fn a_change_made_again_at_once_is_the_same_change() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..3)
        .map(|line| {
            let output = format!(r#""The file was changed at line {line}: added the import.""#);
            let args = r#"{"path":"a.py","content":"import x"}"#;
            run.step("insert_text", args, "ok", &output)
        })
        .collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge]);
}
