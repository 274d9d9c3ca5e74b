//! Answers the hooks of a coding agent that makes the same call over and over.
//!
//! ```text
//! cargo run -p unstuck-hosts --example a_hook
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck::{Engine, Settings, Verdict};
use unstuck_hosts::{Host, Watch, decode, encode};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A real hook is a process for each event and stores both in between.
    let mut engine = Engine::new(Settings::default());
    let mut watch = Watch::default();
    let mut denied = None;
    for call in 1..=6 {
        for (event, response) in [
            ("PreToolUse", ""),
            ("PostToolUse", r#","tool_response":"same""#),
        ] {
            let input = format!(
                r#"{{"session_id":"s1","hook_event_name":"{event}","tool_name":"Read","tool_input":{{"file_path":"a.txt"}},"tool_use_id":"t{call}"{response}}}"#
            );
            let hook = decode(Host::ClaudeCode, None, input.as_bytes(), &[0; 32], &|_| {
                None
            })?;
            let answer = watch.take(&hook, &mut engine, call * 1_000).answer;
            if answer.verdict == Verdict::Deny {
                denied = Some(call);
            }
            println!("{event} {call}: {}", encode(&hook, &answer).stdout);
        }
    }
    assert_eq!(denied, Some(6));
    Ok(())
}
