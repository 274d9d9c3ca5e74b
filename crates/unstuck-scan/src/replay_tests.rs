use unstuck::{Call, Json, Outcome};

use super::*;

/// Judges a call with its result, made this often, and returns the verdicts of the calls and results.
fn verdicts(on_halt: OnHalt, settings: &Settings, times: usize) -> Vec<Verdict> {
    let mut replay = Replay::new(settings, on_halt);
    let mut verdicts = Vec::new();
    for n in 0..times {
        let args = Json::parse(r#"{"q":"salt"}"#).unwrap();
        let call = Call::new(n.to_string(), "search", args);
        let outcome = Outcome::ok(n.to_string(), Json::parse(r#""no hits""#).unwrap());
        for kind in [EventKind::Call(call), EventKind::Result(outcome)] {
            verdicts.push(replay.observe(Event::new(kind)).verdict);
        }
    }
    verdicts
}

fn halts(verdicts: &[Verdict]) -> usize {
    let halts = verdicts.iter().filter(|verdict| **verdict == Verdict::Halt);
    halts.count()
}

const TIMES: usize = 60;

#[test]
fn a_kept_halt_answers_all_later_events() {
    let verdicts = verdicts(OnHalt::Keep, &Settings::default(), TIMES);
    let first = verdicts
        .iter()
        .position(|verdict| *verdict == Verdict::Halt)
        .expect("a halt");
    assert_eq!(halts(&verdicts), verdicts.len() - first);
}

#[test]
fn after_a_reset_the_agent_is_judged_as_a_new_one() {
    let verdicts = verdicts(OnHalt::Reset, &Settings::default(), TIMES);
    let first = verdicts
        .iter()
        .position(|verdict| *verdict == Verdict::Halt)
        .expect("a halt");
    assert_eq!(verdicts[first + 1], Verdict::Allow);
    assert!(halts(&verdicts) > 1);
}

#[test]
fn attended_agents_are_not_halted_and_their_first_halt_can_be_reported() {
    let settings = Settings::default();
    assert_eq!(halts(&verdicts(OnHalt::Attend, &settings, TIMES)), 0);
    assert_eq!(
        halts(&verdicts(OnHalt::AttendAndReport, &settings, TIMES)),
        1
    );
    let mut attended = settings;
    attended.attendance = Attendance::Attended;
    assert_eq!(
        halts(&verdicts(OnHalt::AttendAndReport, &attended, TIMES)),
        0
    );
}

#[test]
fn only_a_kept_halt_leaves_the_mode_as_it_is() {
    let mut settings = Settings::default();
    settings.mode = Mode::Observe;
    assert_eq!(halts(&verdicts(OnHalt::Keep, &settings, TIMES)), 0);
    assert!(halts(&verdicts(OnHalt::Reset, &settings, TIMES)) > 0);
}
