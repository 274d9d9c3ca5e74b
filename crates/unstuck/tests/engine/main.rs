//! Rules through the engine.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

mod advice;
mod agent;
mod budget;
mod changes;
mod chant;
mod conformance;
mod files;
mod ledger;
mod lookalikes;
mod looks;
mod messages;
mod outcomes;
mod policy;
mod properties;
mod refusals;
mod relay;
mod shells;
mod snapshots;
mod standard;
mod stuck;
mod surface;
mod survival;
mod volatility;

use unstuck::{Decision, Engine, Event, Preset, Settings, Verdict};

/// An engine that is spoken to in wire lines.
struct Run {
    engine: Engine,
    calls: u32,
}

impl Run {
    fn of(preset: Preset) -> Self {
        Self::with(Settings::of(preset))
    }

    fn with(settings: Settings) -> Self {
        Self {
            engine: Engine::new(settings),
            calls: 0,
        }
    }

    fn send(&mut self, line: &str) -> Decision {
        self.engine.observe(Event::parse(line.as_bytes()).unwrap())
    }

    /// A call alone.
    fn call(&mut self, tool: &str, args: &str) -> Decision {
        self.calls += 1;
        let id = self.calls;
        self.send(&format!(
            r#"{{"event":"call","id":{id},"tool":"{tool}","args":{args}}}"#
        ))
    }

    /// The result of the last call.
    fn result(&mut self, status: &str, output: &str) -> Decision {
        let id = self.calls;
        self.send(&format!(
            r#"{{"event":"result","id":{id},"status":"{status}","output":{output}}}"#
        ))
    }

    /// A call that runs unless it is denied, with its turn; the strictest of what was said.
    fn step(&mut self, tool: &str, args: &str, status: &str, output: &str) -> Verdict {
        let before = self.call(tool, args).verdict;
        if before >= Verdict::Deny {
            return before.max(self.send(r#"{"event":"turn"}"#).verdict);
        }
        let after = self.result(status, output).verdict;
        before
            .max(after)
            .max(self.send(r#"{"event":"turn"}"#).verdict)
    }

    /// Reads a file whose content never changes.
    fn read(&mut self, path: &str) -> Verdict {
        self.step(
            "read_file",
            &format!(r#"{{"path":"{path}"}}"#),
            "ok",
            &format!(r#""all the content there is in {path}, unchanged""#),
        )
    }

    /// Changes a file in a way that was not seen before.
    fn edit(&mut self, nonce: u32) -> Verdict {
        self.step(
            "edit_file",
            &format!(r#"{{"path":"a","old":"{nonce}","new":"x"}}"#),
            "ok",
            r#""ok""#,
        )
    }
}

use Verdict::{Allow, Deny, Halt, Nudge};
