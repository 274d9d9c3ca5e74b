use super::*;
use crate::{Preset, Verdict};

fn small(sessions: u32) -> Engine {
    let mut settings = Settings::of(Preset::ToolLoopDetector);
    settings.memory.sessions = sessions.try_into().unwrap();
    Engine::new(settings)
}

fn call(engine: &mut Engine, session: &str) -> Verdict {
    let line = format!(r#"{{"event":"call","id":"1","tool":"t","session":"{session}"}}"#);
    engine
        .observe(Event::parse(line.as_bytes()).unwrap())
        .verdict
}

fn turn(engine: &mut Engine, session: &str) -> Verdict {
    engine.observe(Event::turn().in_session(session)).verdict
}

fn known(engine: &Engine) -> Vec<&str> {
    let mut known: Vec<&str> = engine.agents().map(|(session, _)| session).collect();
    known.sort_unstable();
    known
}

#[test]
fn the_session_that_was_silent_longest_makes_room() {
    let mut engine = small(2);
    for session in ["a", "b", "a", "c"] {
        call(&mut engine, session);
    }
    assert_eq!(known(&engine), ["a", "c"]);
}

#[test]
fn a_halted_session_is_not_forgotten_before_one_that_is_not() {
    let mut engine = small(2);
    for _ in 0..3 {
        call(&mut engine, "halted");
    }
    assert_eq!(turn(&mut engine, "halted"), Verdict::Halt);
    for n in 0..100 {
        call(&mut engine, &format!("s{n}"));
    }
    assert_eq!(call(&mut engine, "halted"), Verdict::Halt);
    assert_eq!(known(&engine), ["halted", "s99"]);
}

#[test]
fn when_all_are_halted_the_oldest_goes() {
    let mut engine = small(2);
    for session in ["a", "b", "c"] {
        for _ in 0..3 {
            call(&mut engine, session);
        }
        turn(&mut engine, session);
    }
    assert_eq!(known(&engine), ["b", "c"]);
}

#[test]
fn a_reset_session_is_like_any_other_again() {
    let mut engine = small(2);
    for _ in 0..3 {
        call(&mut engine, "a");
    }
    turn(&mut engine, "a");
    engine.observe(Event::new(crate::EventKind::Reset).in_session("a"));
    for session in ["b", "c"] {
        call(&mut engine, session);
    }
    assert_eq!(known(&engine), ["b", "c"]);
}

#[test]
fn names_that_run_together_are_kept_apart() {
    let mut engine = small(8);
    for (session, agent) in [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")] {
        let event = Event::turn().in_session(session).by_agent(agent);
        engine.observe(event);
    }
    assert_eq!(engine.agents().count(), 4);
}

#[test]
fn a_thousand_sessions_are_found_again() {
    let mut engine = small(1_000);
    for _ in 0..2 {
        for n in 0..1_000 {
            assert_eq!(call(&mut engine, &format!("session-{n}")), Verdict::Allow);
        }
    }
    for n in 0..1_000 {
        call(&mut engine, &format!("session-{n}"));
        assert_eq!(
            turn(&mut engine, &format!("session-{n}")),
            Verdict::Halt,
            "{n}"
        );
    }
}

#[test]
fn events_are_counted_where_they_have_no_line() {
    let mut engine = small(2);
    assert_eq!(engine.observe(Event::turn()).line, 1);
    let mut event = Event::turn();
    event.line = Some(40);
    assert_eq!(engine.observe(event).line, 40);
    assert_eq!(engine.observe(Event::turn()).line, 41);
}

#[test]
fn a_store_of_the_caller_gets_deltas_and_returns_tallies() {
    use crate::swarm::{SwarmStore, Tally};

    /// Records what it is asked, and counts ten calls of two workers.
    struct Elsewhere(Vec<Delta>);

    impl SwarmStore for Elsewhere {
        fn apply(&mut self, delta: &Delta) -> Tally {
            self.0.push(delta.clone());
            let mut tally = Tally::default();
            tally.add(delta.worker, 5);
            tally.add(crate::swarm::Worker::new("another", "one"), 5);
            tally
        }
    }

    let mut engine = Engine::new(Settings::of(Preset::Attocode));
    let mut store = Elsewhere(Vec::new());
    let line = br#"{"event":"call","id":"1","tool":"t","args":{"path":"a"},"swarm":"crew"}"#;
    let Begun::Asks(question) = engine.begin(Event::parse(line).unwrap()) else {
        panic!("the swarm is not asked");
    };
    let tally = store.apply(question.delta());
    let decision = engine.finish(question, Some(&tally));
    assert_eq!(decision.rule(), Some(crate::RuleName::SwarmLoop));
    assert_eq!(store.0.len(), 1);
    assert_eq!(&*store.0[0].swarm, "crew");
}

/// Equal calls whose answers are equal, differ in what is not new, or differ: with fingerprints of the caller's or without.
fn decisions(preset: Preset, given: bool) -> Vec<crate::Decision> {
    use crate::{
        Json, Outcome,
        fingerprint::{Domain, Fingerprinter},
    };

    let prints = Fingerprinter::default();
    let mut settings = Settings::of(preset);
    // What is reduced is not what the caller hashed.
    let mut reduced = crate::settings::ToolSettings::new("reduced");
    reduced.volatile_fields = vec!["n".to_owned()];
    settings.tools.push(reduced);
    let mut engine = Engine::new(settings);
    let mut said = Vec::new();
    for id in 0..180_usize {
        let block = id / 30;
        let tool = ["read", "reduced"][block % 2];
        let args = format!(
            r#"{{"n":{},"path":"a"}}"#,
            if block % 2 == 0 { 0 } else { id }
        );
        let text = [
            Json::string("as before"),
            Json::string(&format!("took 0.{id} s at 12:00:{id:02}")),
            Json::parse(&format!(r#"{{"n":{id}}}"#)).unwrap(),
        ];
        let mut call = Call::new(id.to_string(), tool, Json::parse(&args).unwrap());
        let mut outcome = Outcome::ok(id.to_string(), text[block % 3].clone());
        if given {
            let output = outcome.output.as_ref().unwrap().as_str();
            call.fingerprint = Some(prints.action(tool, &call.args));
            outcome.fingerprint = Some(prints.canonical(Domain::Outcome, output.as_bytes()));
        }
        // Who is halted sees no more.
        let session = block.to_string();
        said.push(engine.observe(Event::call(call).in_session(session.as_str())));
        said.push(engine.observe(Event::result(outcome).in_session(session.as_str())));
    }
    said
}

#[test]
fn fingerprints_that_the_caller_has_change_no_decision() {
    for preset in [Preset::Standard, Preset::Ironcurtain] {
        let said = decisions(preset, true);
        assert_eq!(said, decisions(preset, false));
        assert!(
            said.iter().any(|said| said.verdict > Verdict::Allow),
            "{preset:?}"
        );
    }
}

#[test]
fn the_index_key_changes_no_decision_and_no_snapshot() {
    let run = |key: [u8; 16]| {
        let mut settings = Settings::of(Preset::Standard);
        settings.memory.sessions = crate::settings::Bounded::of::<5>();
        let mut engine = Engine::with_index_key(settings, key);
        let mut answers = Vec::new();
        for n in 0..400_u32 {
            let session = format!("s{}", n * n % 11);
            let line = format!(
                r#"{{"event":"call","id":"{n}","tool":"t","session":"{session}","args":{{"n":{}}}}}"#,
                n % 3
            );
            answers.push(engine.observe(Event::parse(line.as_bytes()).unwrap()));
        }
        let agents: Vec<(String, Option<Vec<u8>>)> = engine
            .agents()
            .map(|(session, agent)| (session.to_owned(), engine.snapshot(session, agent)))
            .collect();
        (answers, agents)
    };
    let fixed = run([0; 16]);
    for key in [[1; 16], *b"0123456789abcdef", [0xff; 16]] {
        assert!(run(key) == fixed);
    }
}
