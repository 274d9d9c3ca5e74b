//! Requests of a person to a running guard: another mode, a reset, and a list of the callers that were denied or halted.

use std::fmt::Write as _;

use unstuck::{Json, Mode};

use super::{
    Guard, Held, Micros,
    record::{push_start, push_word},
};

impl Guard {
    /// Judges in this mode from now on, and records the change. `by` names what asked for it. Returns false, with nothing
    /// changed, if the state of a caller cannot be carried over.
    pub fn set_mode(&mut self, mode: Mode, by: &str, at: Micros) -> bool {
        let before = std::mem::replace(&mut self.options.settings.mode, mode);
        if before == mode {
            return true;
        }
        if !self.timeline.set_mode(mode) {
            self.options.settings.mode = before;
            return false;
        }
        let server = Json::string(&self.options.server);
        self.journal.push(|out| {
            push_start(at, "mode", out);
            let _ = write!(out, "\"server\":{server}");
            push_word("from", mode_name(before), out);
            push_word("to", mode_name(mode), out);
            push_word("by", by, out);
        });
        true
    }

    /// Clears what is held against one session, or against all if it is `None`, and records it. Returns the number of agents
    /// that were cleared.
    pub fn reset(&mut self, session: Option<&str>, at: Micros) -> usize {
        let owners = session.map(|session| self.held.owners(session));
        let owners = owners.unwrap_or_default();
        let cleared = self.timeline.reset(session, &owners, at);
        self.note_reset(session, cleared, at);
        cleared
    }

    /// Takes in that another guard of the same timeline has cleared what is held against one session, or against all if it
    /// is `None`, and records it. To be called for one session only if it [is held](Self::holds) here.
    pub fn note_reset(&mut self, session: Option<&str>, cleared: usize, at: Micros) {
        self.held.clear(session);
        self.owed
            .retain(|(of, ..)| session.is_some_and(|session| **of != *session));
        let server = Json::string(&self.options.server);
        let session =
            session.map_or_else(|| "null".to_owned(), |name| Json::string(name).to_string());
        self.journal.push(|out| {
            push_start(at, "reset", out);
            let _ = write!(
                out,
                "\"server\":{server},\"session\":{session},\"agents\":{cleared}"
            );
        });
    }

    /// Whether calls of this session were denied since the last reset.
    pub fn holds(&self, session: &str) -> bool {
        self.held
            .callers
            .iter()
            .any(|held| *held.session == *session)
    }

    /// Callers that were denied calls or are halted.
    pub fn held(&self) -> &[Held] {
        &self.held.callers
    }

    /// Number that changes whenever [`held`](Self::held) does.
    pub fn held_changes(&self) -> u64 {
        self.held.changes
    }

    /// The mode calls are judged in.
    pub fn mode(&self) -> Mode {
        self.options.settings.mode
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Observe => "observe",
        Mode::Off => "off",
        _ => "enforce",
    }
}
