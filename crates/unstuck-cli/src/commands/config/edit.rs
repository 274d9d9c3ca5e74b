//! `unstuck config edit`: opens the user's file in an editor.

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode},
};

use anyhow::{Context as _, Result, bail};
use clap::Args as ClapArgs;
use unstuck_session::configuration::{of_files, user_file};
use unstuck_text::Shown;

use super::check::report;
use crate::{
    commands::{Run, init::starter_files},
    notes, person,
};

/// The editor where neither `VISUAL` nor `EDITOR` names one.
const EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Edit the user's configuration file, and check it.
///
/// Opens the file in the editor that `VISUAL` or `EDITOR` names, else in `vi`. A file that is not there is made first, with
/// comments that explain the settings. Afterwards the file is checked: the exit code is 2 if it has mistakes; until they
/// are corrected, hooks ignore the file and say so in their log. Runs only in a terminal, and not for an agent.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config edit
  EDITOR='code --wait' unstuck config edit")]
pub(super) struct EditArgs {}

impl Run for EditArgs {
    fn run(&self) -> Result<ExitCode> {
        person::ensure()?;
        let path = user_file().context("no directory for configuration; set HOME to one")?;
        if !path.exists() {
            for (path, text) in starter_files(&path) {
                make(&path, &text)?;
            }
        }
        edit(&path)?;
        let (_, loaded) = of_files(&[&path], None)?;
        let mut out = anstream::stdout().lock();
        match loaded {
            Ok(loaded) => {
                if notes::are_wanted() || !loaded.warnings.is_empty() {
                    report(&mut out, &[], &loaded.warnings)?;
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(errors) => {
                report(&mut out, &errors.diagnostics, &[])?;
                Ok(ExitCode::from(2))
            }
        }
    }
}

/// Makes a file that is not there yet.
fn make(path: &Path, text: &str) -> Result<()> {
    let cannot = || format!("cannot make {}", path.display());
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).with_context(cannot)?;
    }
    if path.exists() {
        return Ok(());
    }
    fs::write(path, text).with_context(cannot)?;
    notes::print(format_args!("wrote {}", Shown::line(path.display())));
    Ok(())
}

fn edit(path: &Path) -> Result<()> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(env::var_os);
    let editor = named.into_iter().find(|value| !value.is_empty());
    let editor = editor.unwrap_or_else(|| EDITOR.into());
    // The variable may hold options, and shells read it as a command everywhere else.
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.arg("/C").arg(&editor);
        command
    } else {
        let mut line = editor.clone();
        line.push(" \"$@\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).arg("sh");
        command
    };
    let ended = command.arg(path).status();
    let editor = Shown::line(editor.display()).to_string();
    let ended = ended.with_context(|| format!("cannot start the editor `{editor}`"))?;
    if !ended.success() {
        bail!("the editor `{editor}` failed ({ended})");
    }
    Ok(())
}
