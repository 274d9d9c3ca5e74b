//! Leaves repeats out of histories, and counts what that saves.
//!
//! ```sh
//! xz -dc RUNS.jsonl.xz | cargo run --release -p unstuck-llm --example leave_repeats_out -- count
//! cargo run -p unstuck-llm --example leave_repeats_out -- histories   # for the types of the official SDKs
//! ```
//!
//! A line of the input is a run: `{"steps":[{"role","text","tool","args","result"},…]}`.

#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "an example prints, and a test runs it"
)]

use std::{
    env,
    io::{self, BufRead as _},
    num::NonZeroUsize,
};

use serde_json::{Value, json};
use unstuck::{Mode, Preset, Settings};
use unstuck_llm::{Conversation, Form, Request};

type Failure = Box<dyn std::error::Error>;

pub(crate) fn main() -> Result<(), Failure> {
    match env::args().nth(1).as_deref() {
        Some("count") => count(),
        Some("histories") => histories(),
        _ => {
            let history = history(Form::Anthropic, &looping());
            let body = body(Form::Anthropic, &history).to_string();
            let sent = sent(Form::Anthropic, &body)?;
            assert!(sent.len() < body.len());
            println!("{} bytes in place of {}", sent.len(), body.len());
            Ok(())
        }
    }
}

/// Counts over all runs of the input what their requests have less.
fn count() -> Result<(), Failure> {
    let (mut runs, mut touched) = (0_u64, 0_u64);
    let (mut all, mut saved, mut shared, mut prefix) = (0_u64, 0_u64, 0_u64, 0_u64);
    for line in io::stdin().lock().lines() {
        let run: Value = serde_json::from_str(&line?)?;
        let Some(steps) = run["steps"].as_array() else {
            continue;
        };
        runs += 1;
        let mut conversation = conversation();
        let mut messages = Vec::new();
        let mut last: Option<(String, String)> = None;
        let mut is_touched = false;
        for (number, step) in steps.iter().enumerate() {
            let is_asked = step["role"] == "user" || step["tool"].is_string();
            add(Form::Chat, number, step, &mut messages);
            if !is_asked {
                continue;
            }
            let body = body(Form::Chat, &messages).to_string();
            let sent = sent_by(&mut conversation, Form::Chat, &body)?;
            all += body.len() as u64;
            saved += (body.len() - sent.len().min(body.len())) as u64;
            is_touched |= sent != body;
            if let Some((body_before, sent_before)) = &last {
                shared += common(body_before, &body);
                prefix += common(sent_before, &sent);
            }
            last = Some((body, sent));
        }
        touched += u64::from(is_touched);
    }
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "{runs} runs, {touched} of them touched ({:.2} %)",
        percent(touched, runs)
    );
    println!(
        "{saved} of {all} bytes left out of all requests ({:.2} %), about {} tokens",
        percent(saved, all),
        saved / 4
    );
    println!(
        "a request shares {shared} bytes with the one before it as the agent sends them, {prefix} bytes as they go to the model ({:.3} %)",
        percent(prefix, shared)
    );
    Ok(())
}

/// Bytes at the beginning that two texts share.
fn common(before: &str, after: &str) -> u64 {
    let pairs = before.bytes().zip(after.bytes());
    pairs.take_while(|(a, b)| a == b).count() as u64
}

/// Prints requests of all forms before and after, one a line.
fn histories() -> Result<(), Failure> {
    for form in Form::ALL {
        let history = history(*form, &looping());
        let before = body(*form, &history);
        let after: Value = serde_json::from_str(&sent(*form, &before.to_string())?)?;
        assert_ne!(before, after);
        println!(
            "{}",
            json!({"form": form.name(), "before": before, "after": after})
        );
    }
    Ok(())
}

/// A run with laps of one and of two steps, and work around them.
fn looping() -> Vec<Value> {
    let call = |tool: &str, value: usize| {
        json!({"role": "assistant", "text": "I look again.", "tool": tool,
            "args": {"path": format!("src/part_{value}.rs")}, "result": format!("part {value}")})
    };
    let mut steps = vec![json!({"role": "user", "text": "Fix the parts."})];
    steps.extend((0..3).map(|number| call("read", number)));
    steps.extend((0..5).map(|_| call("read", 7)));
    steps.extend((0..8).map(|number| call("test", number % 2)));
    steps.push(call("read", 9));
    steps
}

fn conversation() -> Conversation {
    let mut settings = Settings::of(Preset::Standard);
    settings.mode = Mode::Observe;
    Conversation::new(settings, [0; 16], "s", "main").with_collapse(NonZeroUsize::new(3))
}

fn sent(form: Form, body: &str) -> Result<String, Failure> {
    sent_by(&mut conversation(), form, body)
}

fn sent_by(conversation: &mut Conversation, form: Form, body: &str) -> Result<String, Failure> {
    let mut request = Request::read(form, body.as_bytes()).map_err(|_| "unreadable")?;
    let judged = conversation.judge(&mut request).map_err(|_| "unreadable")?;
    Ok(match judged.edited(body.as_bytes()) {
        Some(edited) => String::from_utf8(edited)?,
        None => body.to_owned(),
    })
}

fn history(form: Form, steps: &[Value]) -> Vec<Value> {
    let mut messages = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        add(form, number, step, &mut messages);
    }
    messages
}

/// Adds a step of a run to a history.
fn add(form: Form, number: usize, step: &Value, to: &mut Vec<Value>) {
    let text = step["text"].as_str().filter(|text| !text.is_empty());
    let id = format!("call_{number}");
    let Some(tool) = step["tool"].as_str() else {
        let role = if step["role"] == "user" {
            "user"
        } else {
            "assistant"
        };
        to.push(match (form, role) {
            (Form::Gemini, "user") => json!({"role": "user", "parts": [{"text": text}]}),
            (Form::Gemini, _) => json!({"role": "model", "parts": [{"text": text}]}),
            _ => json!({"role": role, "content": text.unwrap_or(" ")}),
        });
        return;
    };
    let args = &step["args"];
    let result = match &step["result"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match form {
        Form::Anthropic => {
            to.push(json!({"role": "assistant", "content": [
                {"type": "text", "text": text.unwrap_or("…")},
                {"type": "tool_use", "id": id, "name": tool, "input": args}]}));
            to.push(json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": result}]}));
        }
        Form::Chat => {
            to.push(json!({"role": "assistant", "content": text, "tool_calls": [
                {"id": id, "type": "function",
                    "function": {"name": tool, "arguments": args.to_string()}}]}));
            to.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
        }
        Form::Responses => {
            to.push(json!({"type": "function_call", "call_id": id, "name": tool,
                "arguments": args.to_string()}));
            to.push(json!({"type": "function_call_output", "call_id": id, "output": result}));
        }
        _ => {
            to.push(json!({"role": "model", "parts": [
                {"functionCall": {"id": id, "name": tool, "args": args}}]}));
            to.push(json!({"role": "user", "parts": [
                {"functionResponse": {"id": id, "name": tool, "response": {"output": result}}}]}));
        }
    }
}

fn body(form: Form, history: &[Value]) -> Value {
    match form {
        Form::Anthropic => json!({"model": "m1", "max_tokens": 1000, "messages": history}),
        Form::Chat => json!({"model": "m1", "messages": history}),
        Form::Responses => json!({"model": "m1", "input": history}),
        _ => json!({"contents": history}),
    }
}
