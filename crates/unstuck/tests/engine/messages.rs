//! Messages without a decision.

use unstuck::{
    Engine, Event, Json, Level, Preset, RuleName, Settings, Verdict, message::MessageFacts,
};

#[test]
fn a_message_by_itself_is_that_of_the_decision() {
    let mut engine = Engine::new(Settings::of(Preset::Ironcurtain));
    let steps = (0..6).map(|_| engine.observe(Event::step("c", Some(Json::string("r")))));
    let messages: Vec<_> = steps
        .filter_map(|decision| decision.message().map(str::to_owned))
        .collect();
    let message = |count, verdict, level| {
        let facts = MessageFacts::of_count(count);
        let settings = engine.settings();
        String::from(settings.message(RuleName::Stagnation, verdict, level, facts))
    };
    assert_eq!(
        messages,
        [
            message(3, Verdict::Nudge, Some(Level::Notice)),
            message(4, Verdict::Nudge, Some(Level::Notice)),
            message(5, Verdict::Halt, None),
        ]
    );
}

#[test]
fn a_message_states_a_tool_and_workers() {
    let mut facts = MessageFacts::of_count(10);
    facts.tool = Some("web_fetch");
    facts.workers = 3;
    let settings = Settings::of(Preset::Attocode);
    let message = settings.message(RuleName::SwarmLoop, Verdict::Nudge, None, facts);
    assert!(
        message.contains("10 calls to web_fetch across 3 workers"),
        "{message}"
    );
}

#[test]
fn a_clone_goes_on_by_itself() {
    let step = || Event::step("c", Some(Json::string("r")));
    let mut engine = Engine::new(Settings::of(Preset::Ironcurtain));
    for _ in 0..3 {
        engine.observe(step());
    }
    let mut copy = engine.clone();
    let verdicts = [(); 3].map(|()| copy.observe(step()).verdict);
    assert_eq!(verdicts, [Verdict::Nudge, Verdict::Nudge, Verdict::Halt]);
    assert_eq!(engine.observe(step()).verdict, Verdict::Nudge);
}
