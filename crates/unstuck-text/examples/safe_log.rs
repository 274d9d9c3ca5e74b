//! Writes lines from outside to a log: without secrets, and without anything that a terminal would execute.
//!
//! ```text
//! cargo run -p unstuck-text --example safe_log
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use unstuck_text::{REDACTED, Shown, redact};

pub(crate) fn main() {
    let line = "export DB_PASSWORD=hunter2-and-more && ls\u{1b}[2J";
    let logged = Shown::line(redact(line)).to_string();
    println!("{logged}");
    assert!(logged.contains(REDACTED));
    assert!(!logged.contains("hunter2"));
    assert!(!logged.contains('\u{1b}'));
    assert!(logged.contains("&& ls"));
}
