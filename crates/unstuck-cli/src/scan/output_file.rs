//! The file that `-o` names: which format it gets, and that it is not one of the transcripts.

use std::{fs, io::Write as _, path::Path};

use anyhow::{Context as _, Result, bail};
use unstuck_report::{Output, OutputKind};
use unstuck_scan::{Asked, Candidate, Source};
use unstuck_store::regular;

/// The output to write: the one that was asked for, or the one that the file's ending stands for.
pub(crate) fn format(
    asked: Option<&'static Output>,
    out: Option<&Path>,
) -> Result<&'static Output> {
    let Some(path) = out else {
        return asked.map_or_else(for_the_terminal, Ok);
    };
    if path == Path::new("-") {
        bail!("leave out `-o` for standard output, or name a file such as ./-");
    }
    check_directory(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(ending) = Output::ending(&name) else {
        return asked.map_or_else(for_the_terminal, Ok);
    };
    match asked {
        None => Output::of_ending(ending).map_or_else(for_the_terminal, Ok),
        Some(asked) if asked.fits(ending) => Ok(asked),
        Some(asked) => bail!(
            "`--format {}` does not fit the ending of {} (.{ending}): leave out `--format`, or give the file another ending",
            asked.name(),
            path.display()
        ),
    }
}

fn for_the_terminal() -> Result<&'static Output> {
    Output::of_kind(OutputKind::Terminal).context("there is no output for terminals")
}

/// Refuses a file that cannot be made because its directory is missing, before anything is read.
fn check_directory(path: &Path) -> Result<()> {
    if path.is_dir() {
        bail!("cannot write {}: it is a directory", path.display());
    }
    if let Some(directory) = directory(path)
        && !directory.is_dir()
    {
        bail!(
            "cannot write {}: there is no directory {}",
            path.display(),
            directory.display()
        );
    }
    Ok(())
}

fn directory(path: &Path) -> Option<&Path> {
    path.parent().filter(|parent| *parent != Path::new(""))
}

/// The input that a path leads to, by name or through links.
pub(crate) fn input<'a>(path: &Path, inputs: &'a [Candidate]) -> Option<&'a Candidate> {
    let known = identity(path)?;
    inputs.iter().find(|candidate| match &candidate.source {
        Source::File(input) | Source::Pipe(input) => identity(input).as_ref() == Some(&known),
        _ => false,
    })
}

/// Refuses to overwrite a file that was named as an input.
pub(crate) fn check_named(path: &Path, inputs: &[Candidate]) -> Result<()> {
    match input(path, inputs) {
        Some(input) if input.asked == Asked::ByName => refuse(path, &input.name),
        _ => Ok(()),
    }
}

pub(crate) fn refuse(path: &Path, input: &str) -> Result<()> {
    bail!(
        "cannot write {}: it is {input}, one of the files to read; name another file",
        path.display()
    )
}

/// What two names of one file share.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::metadata(path).ok()?;
    // Devices such as the null device can be written as often as one likes.
    found.is_file().then(|| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    path.canonicalize().ok()
}

/// Writes a file as a whole, readable by its owner only.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    // What is not a regular file, such as a pipe, cannot be replaced.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let written = regular::open_other(path).and_then(|mut file| file.write_all(bytes));
        return written.with_context(cannot);
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o600));
    }
    let mut file = builder
        .prefix(".unstuck-")
        .tempfile_in(directory(path).unwrap_or(Path::new(".")))
        // The name of the temporary file would only confuse.
        .map_err(|error| std::io::Error::from(error.kind()))
        .with_context(cannot)?;
    file.write_all(bytes).with_context(cannot)?;
    file.as_file().sync_all().with_context(cannot)?;
    file.persist(path).with_context(cannot)?;
    Ok(())
}
