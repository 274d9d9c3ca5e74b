//! Totals of the records in a log.

use std::collections::BTreeSet;

use serde_json::Value;

/// Totals of the records in a log. Lines are added one by one, in their order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RecordCounts {
    /// Calls that have a record of their end.
    pub calls: u64,
    /// Calls among them that were denied.
    pub denied: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Lines that could not be written in time.
    pub lost: u64,
    /// Calls that were passed on and have not ended: their number and fingerprint.
    unfinished: BTreeSet<(u64, String)>,
}

impl RecordCounts {
    /// Adds a line. A line that cannot be read is ignored.
    pub fn add(&mut self, line: &[u8]) {
        let Ok(line) = serde_json::from_slice::<Value>(line) else {
            return;
        };
        let who = || {
            let fingerprint = line["fingerprint"].as_str().unwrap_or_default();
            (line["call"].as_u64().unwrap_or(0), fingerprint.to_owned())
        };
        match line["event"].as_str() {
            Some("forward") => {
                self.unfinished.insert(who());
            }
            Some("call") => {
                self.calls += 1;
                self.denied += u64::from(line["outcome"] == "denied");
                self.unfinished.remove(&who());
            }
            Some("denials") => {
                let count = line["count"].as_u64().unwrap_or(0);
                self.calls += count;
                self.denied += count;
            }
            Some("refused") => self.refused += 1,
            Some("refusals") => self.refused += line["count"].as_u64().unwrap_or(0),
            Some("gap" | "resumed") => self.lost += line["lost"].as_u64().unwrap_or(0),
            _ => {}
        }
    }

    /// Number of calls that were passed on and have no record of their end.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }
}
