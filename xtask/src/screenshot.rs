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

/// The command as one types it, and the first screen of what it prints, up to the end of a loop: a picture of all of
/// them would be too long to look at.
fn picture_of(shown: &str) -> String {
    const LINES: usize = 52;
    let lines: Vec<_> = shown.lines().collect();
    let screen = &lines[..lines.len().min(LINES)];
    let last = screen.iter().rposition(|line| line.contains("wasted: "));
    let end = match last {
        Some(last) if lines.len() > LINES => last + 1,
        _ => screen.len(),
    };
    format!("$ unstuck scan {EXAMPLES}\n{}\n", screen[..end].join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_report_is_cut_after_a_loop() {
        let part = "a loop\nwasted: 3 calls\n\n".repeat(30);
        let picture = picture_of(&part);
        assert!(picture.starts_with("$ unstuck scan examples/transcripts\na loop\n"));
        assert!(picture.ends_with("wasted: 3 calls\n"), "{picture}");
        assert!(picture.lines().count() <= 53);
        assert_eq!(
            picture_of("short\n"),
            "$ unstuck scan examples/transcripts\nshort\n"
        );
    }
}
