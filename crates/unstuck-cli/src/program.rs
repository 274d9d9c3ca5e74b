//! How the user can run this program again.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::install::Transient;

/// The name that people type.
const NAME: &str = "unstuck";

/// A command line that runs this program with these words from the current directory: `unstuck scan`, `npx unstuck scan` where
/// that started it, or the path of the program where the shell would not find it by that name.
pub(crate) fn command(words: &str) -> String {
    let path = env::var_os("PATH");
    let directories: Vec<PathBuf> = path.iter().flat_map(env::split_paths).collect();
    let program = env::current_exe().ok();
    let here = env::current_dir().ok();
    let home = etcetera::home_dir().ok();
    let runner = program
        .as_deref()
        .zip(home.as_deref())
        .and_then(|(program, home)| Transient::of(program, home))
        .and_then(Transient::runner);
    let name = match (
        name(program.as_deref(), &directories, here.as_deref()),
        runner,
    ) {
        (name, Some(runner)) if name != NAME => runner.to_owned(),
        (name, _) => name,
    };
    format!("{name} {words}")
}

fn name(program: Option<&Path>, directories: &[PathBuf], here: Option<&Path>) -> String {
    let Some(program) = program else {
        return NAME.to_owned();
    };
    let file = format!("{NAME}{}", env::consts::EXE_SUFFIX);
    // The first one on PATH is the one that runs.
    let on_path = directories.iter().map(|directory| directory.join(&file));
    let first = on_path.into_iter().find(|candidate| candidate.is_file());
    if first.is_some_and(|first| is_same(&first, program)) {
        return NAME.to_owned();
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let shown = match here.and_then(|here| {
        real(program)
            .strip_prefix(real(here))
            .ok()
            .map(Path::to_owned)
    }) {
        Some(below) => Path::new(".").join(below),
        None => program.to_owned(),
    };
    quoted(&shown.display().to_string())
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Quotes a path for a shell where it needs that.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/\\._-+:~@%".contains(c);
    let shown = unstuck_text::Shown::line(path).to_string();
    if shown.chars().all(plain) {
        shown
    } else {
        format!("'{}'", shown.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;
