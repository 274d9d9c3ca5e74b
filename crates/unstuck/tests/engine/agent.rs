//! The handle that pairs calls with their results.

use std::collections::BTreeMap;

use unstuck::{
    Agent, Before, Call, Decision, Engine, Event, EventKind, Json, Mode, Outcome, Permit, Phase,
    Settings, Verdict,
};

fn permit(before: Before) -> Permit {
    match before {
        Before::Permit(permit) => permit,
        Before::Denied(decision) => panic!("denied: {decision:?}"),
    }
}

fn denied(before: Before) -> Decision {
    match before {
        Before::Permit(permit) => panic!("permitted: {permit:?}"),
        Before::Denied(decision) => decision,
    }
}

#[test]
fn it_decides_like_plain_events() {
    let mut plain = Engine::new(Settings::default());
    let mut handled = Engine::new(Settings::default());
    let mut agent = handled.agent("s", "main");
    let args = BTreeMap::from([("path", "src/auth.py")]);
    for n in 0..12 {
        let call = Call::new(
            n.to_string(),
            "read_file",
            Json::from_serialize(&args).unwrap(),
        );
        let expected = plain.observe(Event::call(call).in_session("s").at(n));
        let before = agent.at(n).before("read_file", &args).unwrap();
        let (decision, permit) = match before {
            Before::Permit(permit) => (permit.decision().clone(), Some(permit)),
            Before::Denied(decision) => (decision, None),
        };
        assert_eq!(decision, expected);
        if let Some(permit) = permit {
            let result = Outcome::ok(n.to_string(), Json::from("def login(): ..."));
            let expected = plain.observe(Event::result(result).in_session("s").at(n));
            assert_eq!(agent.finish(permit, "def login(): ...").unwrap(), expected);
        }
        let expected = plain.observe(Event::turn().in_session("s").at(n));
        assert_eq!(agent.turn(), expected);
    }
    assert_eq!(agent.turn().verdict, Verdict::Halt);
}

#[test]
fn calls_of_one_turn_may_be_under_way_together_and_end_in_any_order() {
    let mut engine = Engine::new(Settings::default());
    let mut nudges = 0;
    for _ in 0..3 {
        let mut agent = engine.agent("s", "main");
        let first = permit(agent.before("read_file", &["a"]).unwrap());
        let second = permit(agent.before("read_file", &["b"]).unwrap());
        assert_ne!(first.id(), second.id());
        // A handle keeps nothing: another one of the same agent takes the permits.
        let mut agent = engine.agent("s", "main");
        for (permit, output) in [(second, "text of b"), (first, "text of a")] {
            let decision = agent.finish(permit, output).unwrap();
            nudges += u32::from(decision.verdict == Verdict::Nudge);
        }
        agent.turn();
    }
    assert!(nudges > 0, "results were paired with their calls");
}

#[test]
fn failed_calls_are_nudged_and_cancelled_ones_do_not_count() {
    let strictest = |end: fn(&mut Agent<'_>, Permit) -> Decision| {
        let mut engine = Engine::new(Settings::default());
        let mut agent = engine.agent("s", "main");
        let mut verdict = Verdict::Allow;
        for n in 0..5 {
            let permit = permit(agent.before("fetch", &[n]).unwrap());
            verdict = verdict.max(end(&mut agent, permit).verdict);
            agent.turn();
        }
        verdict
    };
    let failing = strictest(|agent, permit| agent.fail(permit, "connection refused").unwrap());
    let cancelled = strictest(|agent, permit| agent.at(1).cancel(permit));
    assert_eq!((failing, cancelled), (Verdict::Nudge, Verdict::Allow));
}

#[test]
fn a_nudge_comes_with_the_permit_where_the_call_alone_earns_it() {
    let mut engine = Engine::new(Settings::of(unstuck::Preset::Attocode));
    let mut agent = engine.agent("s", "main");
    for expected in [false, false, true] {
        let permit = permit(agent.before("search", &["x"]).unwrap());
        assert_eq!(permit.nudge().is_some(), expected);
        agent.finish(permit, "nothing").unwrap();
    }
}

#[test]
fn in_observe_mode_every_call_is_permitted_without_a_nudge() {
    let mut settings = Settings::default();
    settings.mode = Mode::Observe;
    let mut engine = Engine::new(settings);
    let mut agent = engine.agent("s", "main");
    let mut would = None;
    for _ in 0..9 {
        let permit = permit(agent.before("search", &["x"]).unwrap());
        assert_eq!(permit.nudge(), None);
        would = would.max(permit.decision().would);
        agent.finish(permit, "nothing").unwrap();
        agent.turn();
    }
    assert_eq!(would, Some(Verdict::Halt));
}

#[test]
fn a_reset_lifts_a_halt_and_says_so() {
    let mut engine = Engine::new(Settings::of(unstuck::Preset::ToolLoopDetector));
    let mut agent = engine.agent("s", "main");
    for _ in 0..3 {
        let _lost = permit(agent.before("search", &["x"]).unwrap());
    }
    let halt = agent.turn();
    assert_eq!(halt.transitions[0].to, Phase::Halted);
    assert_eq!(
        denied(agent.before("other", &()).unwrap()).verdict,
        Verdict::Halt
    );
    assert_eq!(agent.user().verdict, Verdict::Halt);
    assert_eq!(agent.reset().transitions[0].to, Phase::Running);
    assert!(agent.text("Let me try something else.").permits());
    let _permit = permit(agent.before("other", &()).unwrap());
}

#[test]
fn what_has_no_json_form_is_an_error_and_counts_nothing() {
    let mut engine = Engine::new(Settings::default());
    let mut agent = engine.agent("s", "main");
    let unwritable = BTreeMap::from([(vec![1], 1)]);
    assert!(agent.before("tool", &unwritable).is_err());
    assert_eq!(engine.agents().count(), 0);
}

#[test]
fn a_swarm_is_counted_by_its_name() {
    let mut engine = Engine::new(Settings::of(unstuck::Preset::Attocode));
    let mut found = false;
    for n in 0..10 {
        let session = if n % 2 == 0 { "one" } else { "two" };
        let mut agent = engine.agent(session, "main").in_swarm("crew");
        if let Before::Permit(permit) = agent.before("search", &["x"]).unwrap() {
            found |= permit.decision().rule() == Some(unstuck::RuleName::SwarmLoop);
        }
        agent.observe(EventKind::Retry);
    }
    assert!(found);
}
