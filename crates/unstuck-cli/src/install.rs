//! Putting our hooks into hosts' files and taking them out again.

mod apply;
mod change;
mod copy;
mod diff;
mod place;
mod receipt;
mod transient;

pub(crate) use apply::{Applied, Ask, apply};
pub(crate) use change::{Backup, Change, Direction, Replaces, place_status_line, read};
pub(crate) use copy::{Comparison, CopyStep, OwnCopy, Refresh, is_newer};
use diff::{created, diff};
pub(crate) use place::{
    Place, command, comparison, find_on_path, find_program, for_hooks, invocation, version,
};
use receipt::{Made, Receipt};
pub(crate) use receipt::{Receipts, ServerReceipt};
pub(crate) use transient::{Transient, Unfit};
