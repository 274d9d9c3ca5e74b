//! Writes a log, changes one of its lines, and shows that the change is found.
//!
//! ```text
//! cargo run -p unstuck-audit --example tamper
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{error::Error, fs};

use unstuck_audit::{AuditFile, AuditOptions, Journal, Start, verify};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("audit.jsonl");
    let mut log = AuditFile::open(&path, AuditOptions::default())?;
    let mut journal = Journal::default();
    for tool in ["read", "write"] {
        journal.push(|members| {
            members.push_str("\"event\":\"call\",\"tool\":\"");
            members.push_str(tool);
            members.push('"');
        });
        log.commit(&mut journal)?;
    }
    drop(log);
    let verified = verify(&path, None, Start::First, |_| {})?;
    println!("whole, {} lines, head {}", verified.lines, verified.head);

    let changed = fs::read_to_string(&path)?.replace("write", "reads");
    fs::write(&path, changed)?;
    match verify(&path, None, Start::First, |_| {}) {
        Ok(_) => Err("the change was not found".into()),
        Err(error) => {
            println!("{error}");
            Ok(())
        }
    }
}
