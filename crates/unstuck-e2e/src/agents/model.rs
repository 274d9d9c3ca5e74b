//! A model that follows a script, whatever it is sent, and remembers what that was.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use serde_json::Value;

use super::{
    dialect,
    http::{Request, Response, Server},
};

/// What the model says in one turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn {
    Call(ToolCall),
    Say(&'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    /// Where the tool is, for agents that say so apart from its name.
    pub(crate) namespace: Option<&'static str>,
    pub(crate) tool: &'static str,
    pub(crate) args: Value,
}

impl ToolCall {
    pub(crate) fn new(tool: &'static str, args: Value) -> Self {
        Self {
            namespace: None,
            tool,
            args,
        }
    }
}

/// A model on loopback.
pub(crate) struct Model {
    server: Server,
    state: Arc<Mutex<State>>,
}

struct State {
    script: Vec<Turn>,
    /// How many turns were taken.
    taken: usize,
    /// What the model was sent before each turn.
    told: Vec<Value>,
}

impl Model {
    /// Takes the turns in order; the last one again and again.
    pub(crate) fn start(script: Vec<Turn>) -> Result<Self> {
        let state = Arc::new(Mutex::new(State {
            script,
            taken: 0,
            told: Vec::new(),
        }));
        let shared = Arc::clone(&state);
        let server = Server::start(Arc::new(move |request: &Request| answer(request, &shared)))?;
        Ok(Self { server, state })
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// What the model was sent before each of its turns.
    pub(crate) fn told(&self) -> Vec<Value> {
        lock(&self.state).told.clone()
    }
}

fn answer(request: &Request, state: &Mutex<State>) -> Response {
    let json = |body: &str| Response {
        content_type: "application/json",
        body: body.to_owned(),
    };
    let Some(dialect) = dialect::of(&request.path) else {
        // Lists of models, counts of tokens, telemetry: anything that parses will do.
        return json(
            r#"{"object":"list","data":[],"models":[],"input_tokens":100,"totalTokens":100}"#,
        );
    };
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    // Titles, summaries and routing are asked for without tools, or with a few that are not the agent's.
    let tools = body["tools"].as_array().map_or(0, Vec::len);
    if tools < dialect.least_tools() {
        return dialect.response(&Turn::Say("ok"), &body, &request.path, 0);
    }
    let mut state = lock(state);
    let last = state.script.len().saturating_sub(1);
    let turn = state.script.get(state.taken.min(last)).cloned();
    state.taken += 1;
    state.told.push(body.clone());
    let number = state.taken;
    drop(state);
    let turn = turn.unwrap_or(Turn::Say("done"));
    dialect.response(&turn, &body, &request.path, number)
}

/// A panic elsewhere does not make the record unreadable.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
