//! `cargo xtask screenshot`: what a scan of the examples shows, as the picture in the README.

use std::fs;
use std::process::ExitCode;

use anstyle_svg::Term;
use anyhow::{Context, Result};

use crate::cli::{self, Profile};
use crate::shell::Shell;

const PICTURE: &str = "docs/images/scan.svg";
const EXAMPLES: &str = "examples/transcripts";

pub(crate) fn run(shell: &Shell) -> Result<ExitCode> {
    let binary = cli::build(shell, Profile::Dev)?;
    let shown = shell
        .program(&binary)
        .args(["scan", "--no-config", EXAMPLES])
        .env("CLICOLOR_FORCE", "1")
        .read()?;
    let picture = Term::new().render_svg(&picture_of(&shown));
    let path = shell.root().join(PICTURE);
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {PICTURE}");
    Ok(ExitCode::SUCCESS)
}

/// The command as one types it, and the first screen of what it prints: a picture of all loops would be too long to look at.
fn picture_of(shown: &str) -> String {
    const LINES: usize = 52;
    let mut lines: Vec<_> = shown.lines().take(LINES).collect();
    // No half of a loop at the end.
    while lines.last().is_some_and(|line| !line.trim().is_empty()) && lines.len() == LINES {
        let Some(gap) = lines.iter().rposition(|line| line.trim().is_empty()) else {
            break;
        };
        lines.truncate(gap);
    }
    format!("$ unstuck scan {EXAMPLES}\n{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_report_is_cut_between_its_parts() {
        let part = "a loop\nwith details\n\n".repeat(30);
        let picture = picture_of(&part);
        assert!(picture.starts_with("$ unstuck scan examples/transcripts\na loop\n"));
        assert!(picture.ends_with("with details\n"), "{picture}");
        assert!(picture.lines().count() <= 53);
        assert_eq!(
            picture_of("short\n"),
            "$ unstuck scan examples/transcripts\nshort\n"
        );
    }
}
