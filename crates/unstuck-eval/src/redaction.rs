//! How much of recorded runs redaction takes out. The recordings were searched for secrets before they were published,
//! so what is taken out of them is taken out by mistake, nearly all of it.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::Value;
use unstuck_text::{find_secrets, names_a_secret};

use crate::trajectory::Trajectory;

/// Different words that are shown.
const SHOWN: usize = 200;

/// Characters shown on both sides.
const AROUND: usize = 24;

#[derive(Default)]
struct Taken {
    words: u64,
    redacted: u64,
    /// What was taken out, with its surroundings and how often.
    samples: BTreeMap<String, u64>,
}

/// Counts the words of the runs (separated by white space) and those that redaction changes; then a sample.
pub fn redaction(runs: &[Trajectory]) -> String {
    let mut taken = Taken::default();
    for step in runs.iter().flat_map(|run| &run.steps) {
        if let Some(text) = &step.text {
            taken.text(text);
        }
        for json in [&step.args, &step.result].into_iter().flatten() {
            match serde_json::from_str(json.get()) {
                Ok(value) => taken.value(&value),
                Err(_) => taken.text(json.get()),
            }
        }
    }
    taken.report()
}

impl Taken {
    fn text(&mut self, text: &str) {
        self.words += words(text);
        for range in find_secrets(text) {
            self.redacted += words(&text[range.clone()]).max(1);
            let from = text.floor_char_boundary(range.start.saturating_sub(AROUND));
            let to = text.floor_char_boundary((range.end + AROUND).min(text.len()));
            let sample = format!(
                "{}⟦{}⟧{}",
                &text[from..range.start],
                &text[range.clone()],
                &text[range.end..to]
            );
            *self.samples.entry(sample).or_default() += 1;
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(values) => values.iter().for_each(|value| self.value(value)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.words += 1;
                    if names_a_secret(name) && !matches!(value, Value::Null | Value::Bool(_)) {
                        let count = words(&value.to_string());
                        self.words += count;
                        self.redacted += count;
                        *self.samples.entry(format!("member {name}")).or_default() += 1;
                    } else {
                        self.value(value);
                    }
                }
            }
            _ => self.words += 1,
        }
    }

    fn report(&self) -> String {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a share does not need the last digit"
        )]
        let share = self.redacted as f64 * 100.0 / self.words.max(1) as f64;
        let mut text = format!(
            "{} words, {} of them redacted: {share:.4} %\n",
            self.words, self.redacted
        );
        let mut samples: Vec<_> = self.samples.iter().collect();
        samples.sort_by(|one, other| other.1.cmp(one.1).then_with(|| one.0.cmp(other.0)));
        // The most frequent ones, and then every so many of the others.
        let (frequent, others) = samples.split_at(samples.len().min(SHOWN / 2));
        let step = (others.len() / (SHOWN / 2)).max(1);
        for (sample, times) in frequent.iter().chain(others.iter().step_by(step)) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{times:>6} {}", sample.escape_debug());
        }
        text
    }
}

fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}
