//! What is known about a run from its source: whether it was solved, whether a person called it a loop.

use serde_json::{Map, Value};

/// What is known about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Whether the source calls the run a loop.
    pub is_loop: Option<bool>,
    /// Whether the agent did what it was asked to.
    pub solved: Option<bool>,
    /// Whether a person judged its steps.
    pub steps_judged: bool,
    /// Whether the step-level facts of this run are kept.
    pub keeps_steps: bool,
    /// Everything the source says.
    pub all: Map<String, Value>,
}

/// The field that calls a run a loop, by set.
const LOOPS: [(&str, &str); 5] = [
    ("overthinking", "stuck_in_loop"),
    ("llm_agents_study", "loop"),
    ("whowhen", "ledger_loop_any"),
    ("agentrx_tau", "human_mentions_loop"),
    ("web_agents", "loop"),
];

impl Label {
    /// Reads the label of a run of this set. The message says what is wrong with it.
    pub fn new(set: &str, all: Map<String, Value>) -> Result<Self, String> {
        let loop_field = LOOPS.iter().find(|(name, _)| *name == set);
        let is_loop = loop_field
            .and_then(|(_, field)| all.get(*field))
            .filter(|value| !value.is_null())
            .map(truthy);
        Ok(Self {
            is_loop,
            solved: solved(set, &all)?,
            steps_judged: all.get("n_labels").is_some_and(truthy),
            keeps_steps: all.contains_key("repetition_steps"),
            all,
        })
    }
}

fn solved(set: &str, label: &Map<String, Value>) -> Result<Option<bool>, String> {
    match set {
        "codetracer_kimi" if label.get("reward").is_some_and(|value| value == "") => Ok(None),
        "taubench" | "agentrx_tau" | "codetracer_kimi" => reward(label),
        "reflexion_hotpot" => Ok(match label.get("outcome").and_then(Value::as_str) {
            Some("correct") => Some(true),
            Some("incorrect" | "halted") => Some(false),
            _ => None,
        }),
        "web_agents" => Ok(match label.get("success").and_then(Value::as_str) {
            Some("Successful") => Some(true),
            Some("Unsuccessful") => Some(false),
            _ => None,
        }),
        _ => Ok(["resolved", "correct", "utility"]
            .iter()
            .find_map(|field| label.get(*field).and_then(Value::as_bool))),
    }
}

/// Full reward is a solved run.
fn reward(label: &Map<String, Value>) -> Result<Option<bool>, String> {
    let number = match label.get("reward") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(Value::Bool(all)) => Some(f64::from(u8::from(*all))),
        Some(_) => None,
    };
    match number {
        #[expect(clippy::float_cmp, reason = "the full reward is exactly one")]
        Some(number) => Ok(Some(number == 1.0)),
        None => Err("`label.reward` is not a number".to_owned()),
    }
}

/// As the words of the scripting language of the reference scorer go: empty and zero are false.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
