use unstuck::{Engine, Outcome, Settings};

use super::*;

/// The same call over and over, as a transcript tells it; then another one.
fn recorded(times: usize) -> (Activities, Engine) {
    let mut activities = Activities::default();
    let mut engine = Engine::new(Settings::default());
    for number in 0..times {
        lap(&mut activities, &mut engine, number, "make");
    }
    (activities, engine)
}

fn lap(activities: &mut Activities, engine: &mut Engine, number: usize, command: &str) {
    let id = number.to_string();
    let at = 1_000 * (i64::try_from(number).unwrap() + 1);
    let args = Json::parse(&format!("{{\"command\":\"{command}\"}}")).unwrap();
    let call = Event::call(Call::new(id.clone(), "Bash", args)).at(at);
    let output = Json::parse(r#"{"stdout":"nothing to be done\n","stderr":""}"#).unwrap();
    let result = Event::result(Outcome::ok(id, output)).at(at + 100);
    for event in [call, result] {
        let noted = activities.note(&event);
        let decision = engine.observe(event);
        activities.judged(&decision, noted);
        if decision.verdict == Verdict::Halt {
            engine.observe(Event::new(EventKind::Reset));
        }
    }
}

fn only(activities: &Activities) -> &About {
    let mut all = activities.all();
    let about = all.next().unwrap();
    assert!(all.next().is_none());
    about
}

fn streak(about: &About) -> (u32, Told) {
    let streak = about.activity.streak.as_ref().unwrap();
    (streak.seen[0].repeats, streak.told)
}

#[test]
fn a_recorded_loop_is_seen_as_it_grows() {
    let (activities, _) = recorded(2);
    assert_eq!(streak(only(&activities)), (2, Told::Nothing));
    assert_eq!(only(&activities).activity.wasted, 0);
    let (activities, mut engine) = recorded(3);
    let mut activities = activities;
    let about = only(&activities);
    assert_eq!(streak(about), (3, Told::Nudged));
    assert_eq!(
        (about.calls, about.nudges, about.activity.wasted),
        (3, 1, 2)
    );
    assert_eq!(about.warnings.len(), 1);
    assert!(about.warnings[0].observed);
    assert!(
        about
            .activity
            .message
            .contains("`Bash make` returned the same result 3 times")
    );
    let last = about.activity.moves.back().unwrap();
    assert_eq!(
        (&*last.label, last.ended, &*last.said),
        ("Bash make", Ended::Well, "nothing to be done")
    );
    for number in 3..7 {
        assert_eq!(streak(only(&activities)), (3, Told::Nudged));
        lap(
            &mut activities,
            &mut engine,
            number,
            &format!("ls {number}"),
        );
    }
    let about = only(&activities);
    assert_eq!((&about.activity.streak, about.activity.wasted), (&None, 2));
}

/// It is not stopped, and the engine starts afresh; in the display it is one loop.
#[test]
fn a_loop_goes_on_after_the_halt_that_nobody_carried_out() {
    let (activities, _) = recorded(30);
    let about = only(&activities);
    let (repeats, told) = streak(about);
    assert_eq!(told, Told::Halted);
    assert_eq!((repeats, about.activity.wasted), (30, 29));
    let halts = about
        .warnings
        .iter()
        .filter(|warning| &*warning.verdict == "halt");
    assert_eq!(halts.count(), 1);
}

#[test]
fn agents_that_are_silent_longest_are_forgotten() {
    let mut activities = Activities::default();
    for number in 0..MAX_AGENTS + 10 {
        let event = Event::turn()
            .in_session(number.to_string())
            .at(i64::try_from(number).unwrap() + 1);
        activities.note(&event);
    }
    assert_eq!(activities.all().count(), MAX_AGENTS);
    assert!(activities.all().all(|about| about.last_seen > 10));
}

#[test]
fn answers_say_what_tells_most() {
    let of = |json: &str| said(Some(&Json::parse(json).unwrap()));
    assert_eq!(
        of(r#"{"stdout":"","stderr":"no such file"}"#),
        "no such file"
    );
    assert_eq!(of(r#"{"output":"b","error":"a"}"#), "a");
    assert_eq!(of(r#""two\nlines""#), "two lines");
    assert_eq!(of("[1,2]"), "[1,2]");
    assert_eq!(
        of(r#"{"ran":["mysql","-psun shine"]}"#),
        r#"{"ran":["mysql","-p[redacted]"]}"#
    );
    assert_eq!(said(None), "");
    assert_eq!(
        of(&format!("\"{}\"", "x".repeat(999))).chars().count(),
        SAID + 1
    );
}
