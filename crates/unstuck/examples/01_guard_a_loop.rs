//! Guarding an agent's loop: ask before each call, report what it returned, act on the verdict.
//!
//! ```text
//! cargo run -p unstuck --example 01_guard_a_loop
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{collections::BTreeMap, error::Error};

use unstuck::{
    Before, Decision, Engine, Preset, Settings,
    Verdict::{Allow, Deny, Halt, Nudge},
};

/// A call as a model asks for it. Arguments can be anything that serde can write.
struct ToolCall {
    tool: &'static str,
    args: BTreeMap<&'static str, &'static str>,
}

/// Stands in for a model that has run out of ideas: whatever it is told, it reads the same file again.
fn model(_context: &[String]) -> ToolCall {
    ToolCall {
        tool: "read_file",
        args: BTreeMap::from([("path", "src/auth.py")]),
    }
}

/// Stands in for a tool.
fn run(_call: &ToolCall) -> String {
    "def login(request): return request.session['token']".to_owned()
}

/// Puts what the guard has to say into the model's context.
fn tell(context: &mut Vec<String>, decision: &Decision) {
    if let Some(message) = decision.message() {
        println!("         {message}");
        context.push(message.to_owned());
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut agent = engine.agent("example", "main");
    let mut context = Vec::new();
    let mut verdicts = Vec::new();
    for turn in 1..=20 {
        // The engine has no clock: the caller says when things happen, in milliseconds.
        let now = turn * 2_000;
        let call = model(&context);

        let verdict = match agent.at(now).before(call.tool, &call.args)? {
            Before::Permit(permit) => {
                let before = permit.decision().clone();
                let after = agent.at(now + 500).finish(permit, &run(&call))?;
                let verdict = before.verdict.max(after.verdict);
                println!("turn {turn}:  {verdict}");
                tell(&mut context, &before);
                tell(&mut context, &after);
                verdict
            }
            // The call is not run; the model gets the message in place of a result.
            Before::Denied(decision) => {
                println!("turn {turn}:  {}", decision.verdict);
                tell(&mut context, &decision);
                decision.verdict
            }
        };
        verdicts.push(verdict);
        match verdict {
            Allow | Nudge | Deny => agent.at(now + 1_000).turn(),
            Halt => break,
        };
    }

    assert_eq!(
        verdicts,
        [Allow, Allow, Nudge, Nudge, Nudge, Deny, Deny, Deny, Halt]
    );
    Ok(())
}
