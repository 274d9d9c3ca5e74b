//! Calls that were refused before they ran.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{
    fingerprint::Mark,
    identity::{Action, Ending, Refused, Sight, name_mark},
};

/// Tools, names and forms that are told apart.
const REMEMBERED: usize = 8;

/// Calls that named no tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UnknownTools {
    names: Vec<UnknownName>,
    /// Calls in a row, whatever the name.
    row: u32,
    row_from: Line,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct UnknownName {
    tool: Mark,
    calls: u32,
    from: Line,
    epoch: u32,
}

/// Calls whose arguments were refused, tool by tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct InvalidCalls {
    tools: Vec<InvalidTool>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct InvalidTool {
    tool: Mark,
    error: Mark,
    calls: u32,
    from: Line,
    /// What the refused calls looked like: their forms, or themselves where a value was wrong.
    looks: Vec<Mark>,
}

/// Calls in a row that were refused for the same reason, and where they began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) calls: u32,
    pub(crate) from: Line,
    /// Equal for the same tool and the same reason.
    pub(crate) key: Mark,
}

impl UnknownTools {
    pub(super) fn record(&mut self, call: &PendingCall, sight: &Sight, epoch: u32) {
        let tool = name_mark(&call.tool);
        let known = self.names.iter().position(|name| name.tool == tool);
        if sight.refused != Refused::UnknownTool {
            match sight.verdict {
                Ending::Success => self.row = 0,
                Ending::Failure | Ending::Neither => {}
            }
            // It is there now.
            if let Some(at) = known {
                self.names.remove(at);
            }
            return;
        }
        if self.row == 0 {
            self.row_from = call.line;
        }
        self.row = self.row.saturating_add(1);
        let fresh = UnknownName {
            tool,
            calls: 0,
            from: call.line,
            epoch,
        };
        let mut name = match known.map(|at| self.names.remove(at)) {
            Some(name) if name.epoch == epoch => name,
            _ => fresh,
        };
        name.calls = name.calls.saturating_add(1);
        push(&mut self.names, name);
    }

    /// The row of the name that was called last.
    pub(crate) fn last(&self) -> Option<Row> {
        let name = self.names.last()?;
        Some(self.row_of(name))
    }

    /// The row that a call would go on with: its name is known not to exist, and nothing has worked since.
    pub(crate) fn would_go_on(&self, tool: &str) -> Option<Row> {
        if self.row == 0 {
            return None;
        }
        let tool = name_mark(tool);
        let name = self.names.iter().find(|name| name.tool == tool)?;
        Some(self.row_of(name))
    }

    /// The calls under a name, or the row of guesses where that is longer.
    fn row_of(&self, name: &UnknownName) -> Row {
        if self.row > name.calls {
            Row {
                calls: self.row,
                from: self.row_from,
                key: Mark(u64::from(self.row_from)),
            }
        } else {
            Row {
                calls: name.calls,
                from: name.from,
                key: name.tool,
            }
        }
    }
}

impl InvalidCalls {
    pub(super) fn record(&mut self, call: &PendingCall, sight: &Sight) {
        let tool = name_mark(&call.tool);
        let known = self.tools.iter().position(|known| known.tool == tool);
        let (error, look) = match sight.refused {
            Refused::Form(error) => (error, call.form),
            Refused::Value(error) => (error, call.exact),
            Refused::No | Refused::UnknownTool => {
                if sight.verdict == Ending::Success
                    && let Some(at) = known
                {
                    self.tools.remove(at);
                }
                return;
            }
        };
        let fresh = InvalidTool {
            tool,
            error,
            calls: 0,
            from: call.line,
            looks: Vec::new(),
        };
        let mut row = match known.map(|at| self.tools.remove(at)) {
            Some(row) if row.error == error => row,
            _ => fresh,
        };
        row.calls = row.calls.saturating_add(1);
        if !row.looks.contains(&look) {
            push(&mut row.looks, look);
        }
        push(&mut self.tools, row);
    }

    /// The row that the last refused call belongs to.
    pub(crate) fn last(&self) -> Option<Row> {
        self.tools.last().map(InvalidTool::row)
    }

    /// The row that a call would go on with: its tool refused the last one, and it looks like one that was refused.
    pub(crate) fn would_go_on(&self, action: &Action) -> Option<Row> {
        let tool = name_mark(&action.tool);
        let row = self.tools.iter().find(|row| row.tool == tool)?;
        let alike = row.looks.contains(&action.form) || row.looks.contains(&action.exact);
        alike.then(|| row.row())
    }
}

impl InvalidTool {
    fn row(&self) -> Row {
        Row {
            calls: self.calls,
            from: self.from,
            key: self.tool.join(self.error),
        }
    }
}

/// Makes room by forgetting the oldest.
fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() >= REMEMBERED {
        items.remove(0);
    }
    items.push(item);
}
