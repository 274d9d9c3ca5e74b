//! Numbers for Prometheus. Labels have fixed values: no name of a session, agent, swarm or tool is one.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use unstuck::Verdict;
use unstuck_swarm::Counters;

/// Numbers of one process.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    verdicts: [AtomicU64; 4],
    /// Lines and values that are not events.
    pub(crate) invalid: AtomicU64,
    pub(crate) write_failures: AtomicU64,
    /// Whether the last attempt to write the state failed.
    pub(crate) is_failing: AtomicBool,
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
}

const VERDICTS: [Verdict; 4] = [Verdict::Allow, Verdict::Nudge, Verdict::Deny, Verdict::Halt];

impl Metrics {
    pub(crate) fn decided(&self, verdict: Verdict) {
        if let Some(at) = VERDICTS.iter().position(|known| *known == verdict) {
            self.verdicts[at].fetch_add(1, Relaxed);
        }
    }

    pub(crate) fn answered(&self, status: u16) {
        if let Some(count) = self.answers.get(usize::from(status / 100)) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// The text format of Prometheus.
    pub(crate) fn text(
        &self,
        tallies: &Counters,
        agents: usize,
        halted: usize,
        journal: u64,
    ) -> String {
        let mut page = Page::default();
        page.family(
            "unstuck_decisions_total",
            "counter",
            "Events that were judged.",
        );
        for (verdict, count) in VERDICTS.iter().zip(&self.verdicts) {
            page.labelled("verdict", verdict.as_str(), count.load(Relaxed));
        }
        page.number(
            "unstuck_invalid_events_total",
            "counter",
            "Values that are not events.",
            self.invalid.load(Relaxed),
        );
        page.family(
            "unstuck_http_answers_total",
            "counter",
            "Answers by the class of their status.",
        );
        for (class, count) in self.answers.iter().enumerate().skip(2) {
            page.labelled("class", &format!("{class}xx"), count.load(Relaxed));
        }
        page.number(
            "unstuck_agents",
            "gauge",
            "Agents that are remembered.",
            agents as u64,
        );
        page.number(
            "unstuck_halted_agents",
            "gauge",
            "Agents that are halted.",
            halted as u64,
        );
        page.number(
            "unstuck_journal_bytes",
            "gauge",
            "Bytes of the journals.",
            journal,
        );
        page.number(
            "unstuck_write_failures_total",
            "counter",
            "Attempts to write the state that failed.",
            self.write_failures.load(Relaxed),
        );
        page.family(
            "unstuck_tallies_total",
            "counter",
            "Calls counted for swarms, by what became of them.",
        );
        for (name, count) in [
            ("shared", tallies.shared),
            ("local", tallies.local),
            ("merged", tallies.merged),
            ("dropped", tallies.dropped),
        ] {
            page.labelled("answer", name, count);
        }
        page.number(
            "unstuck_tallies_waiting",
            "gauge",
            "Calls that wait for the store of tallies.",
            tallies.kept,
        );
        page.text
    }
}

#[derive(Default)]
struct Page {
    text: String,
    name: &'static str,
}

impl Page {
    fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.name = name;
        // Writing to a text has no way to fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn number(&mut self, name: &'static str, kind: &str, help: &str, value: u64) {
        self.family(name, kind, help);
        let _ = writeln!(self.text, "{name} {value}");
    }

    fn labelled(&mut self, label: &str, value: &str, count: u64) {
        let _ = writeln!(self.text, "{}{{{label}=\"{value}\"}} {count}", self.name);
    }
}
