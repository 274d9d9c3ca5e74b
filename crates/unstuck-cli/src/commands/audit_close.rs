//! `unstuck audit close`: a person closes a broken log.

use std::process::ExitCode;

use anyhow::Result;
use unstuck_audit::close;

use crate::{args::AuditCloseArgs, person};

pub(crate) fn run(args: &AuditCloseArgs) -> Result<ExitCode> {
    person::ensure()?;
    let closed = close(&args.file)?;
    anstream::println!(
        "{} was closed; it is {} now, and its last known line is {}",
        args.file.display(),
        closed.moved_to.display(),
        closed.last.line
    );
    anstream::println!("  head of the new log: {}", closed.head);
    Ok(ExitCode::SUCCESS)
}
