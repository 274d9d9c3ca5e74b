//! A recorded run of an agent, in the normalised form of the corpus.

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Map, Number, Value, value::RawValue};

use crate::{
    label::Label,
    redundant::{last_source_edit, redundant_steps},
};

/// One run. Fields the evaluation does not need are not kept.
#[derive(Debug)]
pub struct Trajectory {
    /// Its name, which is also its session: the recorded id, with `#2` and so on behind it where ids repeat.
    pub id: String,
    /// The collection it belongs to.
    pub set: String,
    /// What the agent was asked to do, where recorded.
    pub task: Option<String>,
    /// What is known about the run.
    pub label: Label,
    /// What happened, in order.
    pub steps: Vec<Step>,
    redundant: OnceLock<Vec<usize>>,
    last_source_edit: OnceLock<Option<usize>>,
}

/// One step of a run.
#[derive(Debug, Default, Deserialize)]
pub struct Step {
    /// `user`, `assistant`, or a part of the harness.
    pub role: String,
    /// Words, or the thought beside a call.
    #[serde(default)]
    pub text: Option<String>,
    /// The tool called; `say:NAME` for a word of the agent NAME in a team.
    #[serde(default)]
    pub tool: Option<String>,
    /// The agent, where there are several.
    #[serde(default)]
    pub agent: Option<String>,
    /// The arguments as recorded.
    #[serde(default)]
    pub args: Option<Box<RawValue>>,
    /// The result as recorded.
    #[serde(default)]
    pub result: Option<Box<RawValue>>,
    /// Whether the call failed, where known.
    #[serde(default)]
    pub error: Option<bool>,
    /// When, in seconds or as ISO 8601.
    #[serde(default)]
    pub ts: Option<Moment>,
    /// Tells arguments apart that were cut.
    #[serde(default)]
    pub args_sha: Option<String>,
    /// Tells results apart that were cut.
    #[serde(default)]
    pub result_sha: Option<String>,
    /// Characters of the whole result.
    #[serde(default)]
    pub result_len: Option<u64>,
    /// Tokens read.
    #[serde(default)]
    pub tok_in: Option<f64>,
    /// Tokens written.
    #[serde(default)]
    pub tok_out: Option<f64>,
    /// A person's word on how this step relates to the one before.
    #[serde(default)]
    pub rel_to_prev: Option<String>,
    /// Equal for steps of one reply of the model, where recorded.
    #[serde(default)]
    pub reply: Option<Value>,
}

/// A recorded time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Moment {
    /// Seconds, or milliseconds where it is too large for seconds.
    Number(Number),
    /// ISO 8601.
    Text(String),
    /// Something else, which says nothing.
    Other(Value),
}

#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    set: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    task: Option<String>,
    label: Map<String, Value>,
    steps: Vec<Step>,
}

/// Sets by the beginning of the source, for lines that name none.
const SOURCES: [(&str, &str); 9] = [
    ("overthinking", "overthinking"),
    ("llm-agents-study", "llm_agents_study"),
    ("whowhen", "whowhen"),
    ("miniswe_gemini3", "miniswe_gemini3"),
    ("tau-bench", "taubench"),
    ("codetracer", "codetracer_kimi"),
    ("reflexion", "reflexion_hotpot"),
    ("swe-agent repo", "sweagent_demos"),
    ("agentrx/tau", "agentrx_tau"),
];

impl Trajectory {
    /// Reads one line of a corpus. The message says what is wrong with it.
    pub fn parse(line: &[u8]) -> Result<Self, String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let set = match (line.set, line.source) {
            (Some(set), _) if !set.is_empty() => set,
            (_, Some(source)) => {
                let known = SOURCES.iter().find(|(start, _)| source.starts_with(start));
                known.map_or(source, |(_, set)| (*set).to_owned())
            }
            (_, None) => return Err("neither `set` nor `source` is given".to_owned()),
        };
        Ok(Self {
            label: Label::new(&set, line.label)?,
            id: line.id,
            set,
            task: line.task,
            steps: line.steps,
            redundant: OnceLock::new(),
            last_source_edit: OnceLock::new(),
        })
    }

    /// Tokens of every step; zero where none were recorded.
    pub fn tokens(&self) -> impl Iterator<Item = f64> {
        self.steps.iter().map(Step::tokens)
    }

    /// Whether tokens were recorded for any step.
    pub(crate) fn has_tokens(&self) -> bool {
        self.tokens().any(|tokens| tokens != 0.0)
    }

    /// Steps that brought what the agent had, in order.
    pub fn redundant(&self) -> &[usize] {
        self.redundant.get_or_init(|| redundant_steps(self))
    }

    /// The last step that changed a file that the run had not created.
    pub fn last_source_edit(&self) -> Option<usize> {
        *self.last_source_edit.get_or_init(|| last_source_edit(self))
    }
}

impl Step {
    /// Tokens read and written.
    pub fn tokens(&self) -> f64 {
        self.tok_in.unwrap_or(0.0) + self.tok_out.unwrap_or(0.0)
    }

    /// Whether a person called this step a repetition of the one before; `None` where no person judged it.
    pub fn is_repetition(&self) -> Option<bool> {
        let relation = self
            .rel_to_prev
            .as_deref()
            .filter(|word| !word.is_empty())?;
        Some(relation.eq_ignore_ascii_case("repetition"))
    }
}
