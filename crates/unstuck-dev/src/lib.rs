//! What the tasks of this repository share: running commands, getting tools, and building the command `unstuck`.

#![allow(
    clippy::print_stdout,
    reason = "a developer's command prints on the terminal"
)]

mod build;
mod shell;
mod tools;

pub use build::{
    Profile, build, build_checkout, build_example, build_tested, build_tested_example,
    build_tested_library, executable, loadable,
};
pub use shell::{CmdExt, Shell};
pub use tools::{
    FUZZ, Install, MDBOOK, Missing, NEXTEST, Pinned, Program, REDIS, TMUX, Tool, add_target, apt,
    find,
};

/// How a step ended when nothing failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was as it should be.
    Passed,
    /// Nothing was checked, for this reason.
    Skipped(String),
}
