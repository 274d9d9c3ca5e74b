//! One run, step by step, so that a person can judge an alarm.

use std::collections::HashMap;

use serde_json::value::RawValue;
use unstuck::Verdict;

use crate::{
    replay::{Remark, Run, Seen},
    split::Half,
    trajectory::{Step, Trajectory},
};

/// Characters of arguments and results that are shown from the start, and from the end of a longer one.
const HEAD: usize = 150;
const TAIL: usize = 60;

/// What a search for a run comes to.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    /// The run.
    One(&'a Trajectory),
    /// Nothing has this in its id.
    None,
    /// Several do.
    Many(Vec<&'a str>),
}

/// Looks for a run by its id, or by a part of it that no other id has.
pub fn find<'a>(runs: &'a [Trajectory], id: &str) -> Found<'a> {
    if let Some(run) = runs.iter().find(|run| run.id == id) {
        return Found::One(run);
    }
    let having: Vec<_> = runs.iter().filter(|run| run.id.contains(id)).collect();
    match having.as_slice() {
        [] => Found::None,
        [run] => Found::One(run),
        many => Found::Many(many.iter().map(|run| &*run.id).collect()),
    }
}

/// The run as text: a line for the call or the words, one for the result, one for each thing that was said to it.
pub fn show(run: &Trajectory, said: &Run) -> String {
    let mut text = format!("{} ({}, {})", run.id, run.set, Half::of(run).as_str());
    for (name, value) in &run.label.all {
        text += &format!("  {name}={}", short(&value.to_string()));
    }
    if let Some(task) = &run.task {
        text += &format!("\ntask: {}", short(task));
    }
    text.push('\n');
    let mut earlier = Earlier::default();
    for (at, step) in run.steps.iter().enumerate() {
        text += &line(at, step, &mut earlier);
        let mut remarks: Vec<_> = said
            .remarks
            .iter()
            .filter(|remark| remark.step == at)
            .collect();
        // A halt answers every event of a step in the same way.
        remarks.dedup_by(|one, other| one == other);
        for remark in remarks {
            text += &format!("      {}\n", spoken(remark));
        }
    }
    text
}

fn line(at: usize, step: &Step, earlier: &mut Earlier) -> String {
    let mut text = format!("{at:>4}  ");
    let tokens = step.tokens();
    if tokens > 0.0 {
        text += &format!("[{tokens}] ");
    }
    if let Some(relation) = &step.rel_to_prev {
        text += &format!("<{relation}> ");
    }
    let agent = step.agent.as_deref().unwrap_or_default();
    match &step.tool {
        None => {
            let words = step.text.as_deref().unwrap_or_default();
            text += &format!("{}{agent}: {}\n", step.role, short(words));
        }
        Some(tool) => {
            let args = step.args.as_deref().map_or("", RawValue::get);
            let again = earlier.call(at, tool, step.args_sha.as_deref().unwrap_or(args));
            text += &format!("{agent}{tool} {}{again}\n", short(args));
            if let Some(thought) = step.text.as_deref().filter(|text| !text.is_empty()) {
                text += &format!("      “{}”\n", short(thought));
            }
            if let Some(result) = step.result.as_deref().map(RawValue::get) {
                let mark = step.result_sha.as_deref().unwrap_or(result);
                let again = earlier.result(at, mark);
                let failed = if step.error == Some(true) {
                    "error "
                } else {
                    ""
                };
                text += &format!("      → {failed}{}{again}\n", short(result));
            }
        }
    }
    text
}

/// The last step with the same call, and with the same result.
#[derive(Default)]
struct Earlier {
    calls: HashMap<(String, String), usize>,
    results: HashMap<String, usize>,
}

impl Earlier {
    fn call(&mut self, at: usize, tool: &str, args: &str) -> String {
        let key = (tool.to_owned(), args.to_owned());
        again("call", self.calls.insert(key, at))
    }

    fn result(&mut self, at: usize, mark: &str) -> String {
        again("result", self.results.insert(mark.to_owned(), at))
    }
}

fn again(what: &str, earlier: Option<usize>) -> String {
    earlier.map_or_else(String::new, |at| format!("  (same {what} as {at})"))
}

fn spoken(remark: &Remark) -> String {
    let seen = |seen: &Seen| match seen.period {
        0 | 1 => format!("{} {}x", seen.rule, seen.repeats),
        period => format!("{} {}x of {period}", seen.rule, seen.repeats),
    };
    let mut text = match (remark.verdict, &remark.reason) {
        (Verdict::Allow, _) | (_, None) => "  found".to_owned(),
        (verdict, Some(reason)) => {
            format!("* {} {}", verdict.as_str().to_uppercase(), seen(reason))
        }
    };
    let findings: Vec<_> = remark.findings.iter().map(seen).collect();
    if !findings.is_empty() {
        text += &format!(": {}", findings.join(", "));
    }
    text
}

/// On one line, the middle left out where it is long.
fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    if length <= HEAD + TAIL {
        return line;
    }
    let head: String = line.chars().take(HEAD).collect();
    let tail: String = line.chars().skip(length - TAIL).collect();
    format!("{head}…[{}]…{tail}", length - HEAD - TAIL)
}
