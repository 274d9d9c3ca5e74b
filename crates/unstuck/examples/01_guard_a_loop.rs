//! Guarding an agent's loop: ask before each call, report what came back, act on the verdict.
//!
//! ```text
//! cargo run -p unstuck --example 01_guard_a_loop
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck::{
    Call, Decision, Engine, Event, Json, Outcome, Preset, Settings,
    Verdict::{Allow, Deny, Halt, Nudge},
};

/// Stands in for a model that has run out of ideas: whatever it is told, it reads the same file again.
fn model(turn: i64, _context: &[String]) -> Result<Call, Box<dyn Error>> {
    let args = Json::parse(r#"{"path":"src/auth.py"}"#)?;
    Ok(Call::new(turn.to_string(), "read_file", args))
}

/// Stands in for a tool.
fn run(call: &Call) -> Outcome {
    Outcome::ok(
        call.id.clone(),
        Json::string("def login(request): return request.session['token']"),
    )
}

/// What the guard has to say goes into the model's context.
fn tell(context: &mut Vec<String>, decision: &Decision) {
    if let Some(message) = decision.message() {
        println!("         {message}");
        context.push(message.to_owned());
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut context = Vec::new();
    let mut verdicts = Vec::new();
    for turn in 1..=20 {
        // The engine has no clock: the caller says when things happen, in milliseconds.
        let now = turn * 2_000;
        let call = model(turn, &context)?;

        let before = engine.observe(Event::call(call.clone()).at(now));
        let mut verdict = before.verdict;
        match before.verdict {
            Allow | Nudge => {
                tell(&mut context, &before);
                let after = engine.observe(Event::result(run(&call)).at(now + 500));
                verdict = verdict.max(after.verdict);
                println!("turn {turn}:  {verdict}");
                tell(&mut context, &after);
            }
            // The call is not run; the model gets the message in place of a result.
            _ => {
                println!("turn {turn}:  {verdict}");
                tell(&mut context, &before);
            }
        }
        verdicts.push(verdict);
        if verdict == Halt {
            break;
        }
        engine.observe(Event::turn().at(now + 1_000));
    }

    assert_eq!(
        verdicts,
        [Allow, Allow, Nudge, Nudge, Nudge, Deny, Deny, Deny, Halt]
    );
    Ok(())
}
