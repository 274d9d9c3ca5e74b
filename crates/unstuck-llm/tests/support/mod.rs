//! An agent and a model that speak all four forms, for tests.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod model;
mod reading;

use serde_json::{Value, json};
use unstuck_llm::Form;

pub use model::answer;
pub use reading::read;

/// What a model answers in one turn.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub text: String,
    pub calls: Vec<(String, Value)>,
}

impl Turn {
    pub fn says(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            calls: Vec::new(),
        }
    }

    pub fn calls(tool: &str, args: Value) -> Self {
        Self::default().and(tool, args)
    }

    pub fn and(mut self, tool: &str, args: Value) -> Self {
        self.calls.push((tool.to_owned(), args));
        self
    }
}

/// What an agent read of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub text: String,
    pub calls: Vec<Heeded>,
    /// Why the answer ended, in the words of the form.
    pub reason: String,
}

/// A call as an agent read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heeded {
    pub id: String,
    pub tool: String,
    pub args: Value,
}

/// An agent with its history.
pub struct Agent {
    pub form: Form,
    pub streamed: bool,
    pub history: Vec<Value>,
}

impl Agent {
    pub fn new(form: Form, streamed: bool, task: &str) -> Self {
        let mut agent = Self {
            form,
            streamed,
            history: Vec::new(),
        };
        agent.user(task);
        agent
    }

    pub fn path(&self) -> &'static str {
        path(self.form, self.streamed)
    }

    /// A message of the user.
    pub fn user(&mut self, text: &str) {
        self.history.push(match self.form {
            Form::Anthropic | Form::Chat => json!({"role": "user", "content": text}),
            Form::Responses => json!({"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": text}]}),
            _ => json!({"role": "user", "parts": [{"text": text}]}),
        });
    }

    /// The body of the next request.
    pub fn body(&self) -> String {
        body(self.form, self.streamed, &self.history)
    }

    /// Takes an answer into the history.
    pub fn heard(&mut self, heard: &Heard) {
        match self.form {
            Form::Anthropic => {
                let mut content = Vec::new();
                if !heard.text.is_empty() {
                    content.push(json!({"type": "text", "text": heard.text}));
                }
                for call in &heard.calls {
                    content.push(json!({"type": "tool_use", "id": call.id, "name": call.tool,
                        "input": call.args}));
                }
                self.history
                    .push(json!({"role": "assistant", "content": content}));
            }
            Form::Chat => {
                let calls: Vec<_> = heard
                    .calls
                    .iter()
                    .map(|call| {
                        json!({"id": call.id, "type": "function", "function":
                            {"name": call.tool, "arguments": call.args.to_string()}})
                    })
                    .collect();
                let mut message = json!({"role": "assistant", "content": heard.text});
                if !calls.is_empty() {
                    message["tool_calls"] = calls.into();
                }
                self.history.push(message);
            }
            Form::Responses => {
                if !heard.text.is_empty() {
                    self.history
                        .push(json!({"type": "message", "role": "assistant", "content":
                        [{"type": "output_text", "text": heard.text}]}));
                }
                for call in &heard.calls {
                    self.history
                        .push(json!({"type": "function_call", "call_id": call.id,
                        "name": call.tool, "arguments": call.args.to_string()}));
                }
            }
            _ => {
                let mut parts = Vec::new();
                if !heard.text.is_empty() {
                    parts.push(json!({"text": heard.text}));
                }
                for call in &heard.calls {
                    parts.push(json!({"functionCall": {"id": call.id, "name": call.tool,
                        "args": call.args}, "thoughtSignature": "c2ln"}));
                }
                self.history.push(json!({"role": "model", "parts": parts}));
            }
        }
    }

    /// Takes the results of the calls of an answer into the history.
    pub fn ran(&mut self, heard: &Heard, run: impl Fn(&Heeded) -> String) {
        if heard.calls.is_empty() {
            return;
        }
        match self.form {
            Form::Anthropic => {
                let results: Vec<_> = heard
                    .calls
                    .iter()
                    .map(|call| {
                        json!({"type": "tool_result", "tool_use_id": call.id, "content": run(call)})
                    })
                    .collect();
                self.history
                    .push(json!({"role": "user", "content": results}));
            }
            Form::Chat => {
                for call in &heard.calls {
                    self.history.push(
                        json!({"role": "tool", "tool_call_id": call.id, "content": run(call)}),
                    );
                }
            }
            Form::Responses => {
                for call in &heard.calls {
                    self.history
                        .push(json!({"type": "function_call_output", "call_id": call.id,
                        "output": run(call)}));
                }
            }
            _ => {
                let parts: Vec<_> = heard
                    .calls
                    .iter()
                    .map(|call| {
                        json!({"functionResponse": {"id": call.id, "name": call.tool,
                            "response": {"output": run(call)}}})
                    })
                    .collect();
                self.history.push(json!({"role": "user", "parts": parts}));
            }
        }
    }

    /// Reads an answer.
    pub fn read(&self, answer: &str) -> Heard {
        read(self.form, self.streamed, answer)
    }
}

pub fn path(form: Form, streamed: bool) -> &'static str {
    match (form, streamed) {
        (Form::Anthropic, _) => "/v1/messages",
        (Form::Chat, _) => "/v1/chat/completions",
        (Form::Responses, _) => "/v1/responses",
        (_, true) => "/v1beta/models/m1:streamGenerateContent?alt=sse",
        (_, false) => "/v1beta/models/m1:generateContent",
    }
}

/// A request with a history.
pub fn body(form: Form, streamed: bool, history: &[Value]) -> String {
    let tools = json!([{"name": "bash"}]);
    match form {
        Form::Anthropic => json!({"model": "m1", "max_tokens": 1000, "messages": history,
            "tools": tools, "stream": streamed, "unknown_field": {"kept": [1, 2.50]}}),
        Form::Chat => {
            json!({"model": "m1", "stream": streamed, "messages": history, "tools": tools})
        }
        Form::Responses => json!({"model": "m1", "stream": streamed, "store": false,
            "input": history, "tools": tools}),
        _ => json!({"contents": history, "tools": [{"functionDeclarations": tools}]}),
    }
    .to_string()
}
