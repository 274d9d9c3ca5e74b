//! Guards a conversation with a model: an agent that makes the same call again gets a message, and is then stopped.
//!
//! ```text
//! cargo run -p unstuck-llm --example guard_a_conversation
//! ```

use unstuck::{Preset, Settings};
use unstuck_llm::{Conversation, Form, Request};

pub(crate) fn main() {
    let settings = Settings::of(Preset::Standard);
    let mut conversation = Conversation::new(settings, [0; 16], "session", "main");
    let mut history = vec![r#"{"role":"user","content":"Show the file."}"#.to_owned()];
    let mut notes = 0;
    let mut halted = false;
    for number in 0..20 {
        let body = format!(r#"{{"model":"m","messages":[{}]}}"#, history.join(","));
        let Ok(mut request) = Request::read(Form::Chat, body.as_bytes()) else {
            panic!("a request")
        };
        let Ok(judged) = conversation.judge(&mut request) else {
            panic!("a history")
        };
        if judged.halt.is_some() {
            halted = true;
            break;
        }
        // What goes to the model.
        let sent = judged.edited(body.as_bytes());
        notes += usize::from(sent.is_some());
        // The model makes the same call again, and the agent runs it.
        history.push(format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"c{number}","type":"function","function":{{"name":"cat","arguments":"{{\"path\":\"nope\"}}"}}}}]}}"#
        ));
        history.push(format!(
            r#"{{"role":"tool","tool_call_id":"c{number}","content":"no such file"}}"#
        ));
    }
    assert!(notes > 0 && halted);
}
