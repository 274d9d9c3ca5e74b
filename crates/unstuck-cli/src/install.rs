//! Putting our hooks into hosts' files and taking them out again.

mod apply;
mod change;
mod diff;
mod place;
mod receipt;

pub(crate) use apply::{Applied, Ask, apply};
pub(crate) use change::Change;
use change::{Backup, Direction};
use diff::diff;
pub(crate) use place::{Place, find_on_path, invocation, is_program};
pub(crate) use receipt::Receipts;
use receipt::{Made, Receipt};
