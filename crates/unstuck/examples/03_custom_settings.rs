//! Settings of one's own: a patient ladder for one tool, fields that mean nothing, a text, a budget.
//!
//! ```text
//! cargo run -p unstuck --example 03_custom_settings
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{error::Error, num::NonZeroU64};

use unstuck::{
    Call, Decision, Engine, Event, Json, Outcome, Preset, RuleName, Settings,
    Verdict::{Allow, Halt, Nudge},
    settings::{DenyRung, RuleTexts, Rung, Template, ToolSettings},
};

fn settings() -> Result<Settings, Box<dyn Error>> {
    let mut settings = Settings::of(Preset::Standard);

    // Tools whose names end in `__status`: be patient with them, and do not let a new request id pass for news.
    let mut status = ToolSettings::new("*__status");
    status.volatile_fields = vec!["request_id".into()];
    status.ladder.nudge = Some(Rung::at(5));
    status.ladder.deny = Some(DenyRung::Never);
    status.ladder.halt = Some(Rung::Never);
    status.examples = vec!["ci__status".into()];
    status.counter_examples = vec!["git_status".into()];
    assert_eq!(status.failed_examples().count(), 0);
    settings.tools.push(status);

    let mut texts = RuleTexts::default();
    let words = "{what}: the same answer {count} times. Do something else meanwhile.";
    texts.nudge = Some(Template::new(words)?);
    settings.texts.set(RuleName::ExactRepeat, texts);

    settings.rules.budget.enabled = true;
    settings.rules.budget.steps = NonZeroU64::new(8);

    for warning in settings.load_warnings() {
        println!("warning: {warning}");
    }
    Ok(settings)
}

/// One call with its result and its turn; the strictest answer.
fn look(engine: &mut Engine, n: i64) -> Result<Decision, Box<dyn Error>> {
    let id = n.to_string();
    let args = Json::parse(r#"{"pipeline":41}"#)?;
    let output = format!(r#"{{"request_id":{n},"state":"no runner has taken it"}}"#);
    let events = [
        Event::call(Call::new(id.clone(), "ci__status", args)),
        Event::result(Outcome::ok(id, Json::parse(&output)?)),
        Event::turn(),
    ];
    let answers = events.map(|event| engine.observe(event.at(n * 10_000)));
    answers
        .into_iter()
        .max_by_key(|answer| answer.verdict)
        .ok_or_else(|| "three events, three answers".into())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(settings()?);
    let mut said = Vec::new();
    for n in 1..=9 {
        let answer = look(&mut engine, n)?;
        let rule = answer.rule().map_or("", RuleName::as_str);
        println!("look {n}: {:<6} {rule}", answer.verdict.as_str());
        if let Some(message) = answer.message() {
            println!("        {message}");
        }
        said.push(answer.verdict);
    }
    assert_eq!(
        said,
        [Allow, Allow, Allow, Allow, Nudge, Nudge, Nudge, Allow, Halt],
        "nudged from the tool's own threshold on, halted by the budget of eight calls"
    );
    Ok(())
}
