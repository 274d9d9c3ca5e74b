//! A log in a program that runs for long: errors are reported once, and heads are sent elsewhere.

use unstuck_text::{Notify, Shown, with_causes};

use crate::{
    file::AuditFile,
    head_sender::{HeadPace, HeadSender, HeadTarget},
    journal::Journal,
};

/// What becomes of calls that cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// They do not run.
    Deny,
    /// They run.
    Allow,
}

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The lines that a call needs before it is passed on; the head file should follow soon.
    Lines,
    /// The lines and the head file.
    LinesAndHead,
}

/// What became of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Written {
    /// Whether the lines could not be written.
    pub failed: bool,
    /// Whether little of the budget is left now, if that has changed.
    pub tight: Option<bool>,
}

/// A log, or none, with all that a program keeps about it while it runs.
pub struct AuditWriter {
    file: Option<AuditFile>,
    /// Lines that are being written, so that their producer is free meanwhile.
    lines: Journal,
    on_failure: OnFailure,
    /// Whether the last attempt failed.
    failing: bool,
    /// Whether little of the budget is left.
    is_tight: bool,
    heads: Option<HeadSender>,
    notify: Notify,
}

impl AuditWriter {
    /// Writes to this log. Without one, lines are dropped.
    pub fn new(file: Option<AuditFile>, on_failure: OnFailure, notify: Notify) -> Self {
        Self {
            file,
            lines: Journal::default(),
            on_failure,
            failing: false,
            is_tight: false,
            heads: None,
            notify,
        }
    }

    /// Sends heads of the log to these targets from now on.
    pub fn send_heads(&mut self, targets: Vec<HeadTarget>, pace: HeadPace) {
        if let Some(file) = &self.file {
            self.heads = HeadSender::start(file, targets, pace, self.notify.clone());
        }
    }

    /// Takes out what sends heads, so that its end can be waited for without a lock on this writer.
    pub fn take_heads(&mut self) -> Option<HeadSender> {
        self.heads.take()
    }

    /// Writes the lines of a journal. `take` swaps the journal with an empty one: its producer can go on while the lines
    /// are written, and lines are written in the order in which they are taken.
    pub fn write(&mut self, extent: Extent, take: impl FnOnce(&mut Journal)) -> Written {
        let Self {
            file,
            lines,
            on_failure,
            failing,
            is_tight,
            heads,
            notify,
        } = self;
        lines.clear();
        take(lines);
        let mut written = Written {
            failed: false,
            tight: None,
        };
        let Some(file) = file else { return written };
        let has_lines = !lines.is_empty();
        let result = match extent {
            Extent::Lines => file.commit_lines(lines),
            Extent::LinesAndHead => file.commit(lines),
        };
        match result {
            // Without a line nothing shows that it can be written again.
            Ok(()) if *failing && has_lines => {
                let path = Shown::line(file.path().display()).to_string();
                notify.line(format_args!("the audit {path} is written again"));
                *failing = false;
            }
            Ok(()) => {}
            Err(error) => {
                written.failed = true;
                if !*failing {
                    let calls = match on_failure {
                        OnFailure::Deny => "calls are denied",
                        OnFailure::Allow => "calls run without a record",
                    };
                    let error = Shown::line(with_causes(&error)).to_string();
                    notify.line(format_args!(
                        "{error}; {calls} as long as it cannot be written"
                    ));
                }
                *failing = true;
            }
        }
        if let Some(heads) = heads {
            heads.note(file);
        }
        if file.is_tight() != *is_tight {
            *is_tight = !*is_tight;
            written.tight = Some(*is_tight);
        }
        written
    }
}
