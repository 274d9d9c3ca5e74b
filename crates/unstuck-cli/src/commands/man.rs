//! `unstuck man`: the manual page.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::Args;

pub(crate) fn run() -> Result<ExitCode> {
    let mut page = Vec::new();
    Man::new(Args::command()).render(&mut page)?;
    io::stdout().lock().write_all(&page)?;
    Ok(ExitCode::SUCCESS)
}
