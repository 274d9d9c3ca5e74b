//! Answers the hooks of equal calls until the guard denies one, then lets the agent continue.
//!
//! ```text
//! cargo run -p unstuck-session --example answer_hooks
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck_hosts::Host;
use unstuck_session::{StateDir, hook};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let state = StateDir::at(directory.path());
    let request = hook::HookRequest {
        host: Host::ClaudeCode,
        event: None,
        environment: &|_| None,
        caller: &|| "this example".to_owned(),
        halted: &|_| {},
    };
    for number in 1..=6 {
        for event in ["PreToolUse", "PostToolUse"] {
            let input = format!(
                r#"{{"session_id":"s1","hook_event_name":"{event}","tool_name":"Bash","tool_use_id":"{number}",
                "tool_input":{{"command":"make"}},"tool_response":{{"stdout":"nothing to be done","stderr":""}}}}"#
            );
            let output = hook::answer(&request, input.as_bytes(), &state);
            println!("{number} {event}: {}", output.stdout);
        }
    }
    let agents = state.agents();
    assert!(agents[0].denials > 0);
    let found = state.find_session("s")?;
    state.reset(&found.agents)?;
    assert_eq!(state.agents()[0].warnings, []);
    Ok(())
}
