//! `cargo xtask release-files`: the archive of a platform with its bill of materials and checksums.

mod archive;
mod programs;
mod sbom;

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use unstuck_dev::{Install, Shell};

pub(crate) use archive::Effort;
use archive::Entry;
pub(crate) use programs::{Programs, default_target, static_program};

/// Name of the file with the checksums of the others, as `sha256sum --check` reads it.
pub(crate) const SUMS: &str = "SHA256SUMS";

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Platform to build for; on Linux the static one of this processor, elsewhere this machine's
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Profile of cargo; what is released is built with `dist`
    #[arg(long, value_name = "NAME", default_value = "dist")]
    profile: String,
    /// Directory for the files
    #[arg(long, value_name = "DIR", default_value = "target/release-files")]
    out: PathBuf,
    /// Install nothing; fail where the compiler for static programs is missing
    #[arg(long)]
    no_install: bool,
}

/// Files of one platform.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) archive: PathBuf,
    pub(crate) sbom: PathBuf,
    /// Name of the directory within the archive.
    pub(crate) directory: String,
    pub(crate) programs: Programs,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let install = Install::unless(options.no_install);
    let target = match &options.target {
        Some(target) => target.clone(),
        None => default_target(shell, install)?,
    };
    let programs = programs::build(shell, &target, &options.profile, install)?;
    let made = make(
        shell,
        programs,
        &shell.root().join(&options.out),
        Effort::Most,
    )?;
    write_sums(&shell.root().join(&options.out))?;
    println!("{}", made.programs.linkage());
    for path in [&made.archive, &made.sbom] {
        println!("{}  {} bytes", path.display(), fs::metadata(path)?.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the programs for tests of the files.
pub(crate) fn build_for_tests(shell: &Shell, install: Install) -> Result<Programs> {
    let target = default_target(shell, install)?;
    programs::build_for_tests(shell, &target, install)
}

/// Writes archive and bill of materials. The same programs give the same bytes.
pub(crate) fn make(shell: &Shell, programs: Programs, out: &Path, effort: Effort) -> Result<Made> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let metadata = metadata(shell, &programs.target)?;
    let version = version(&metadata)?;
    let directory = format!("unstuck-{version}-{}", programs.target);
    let time = time(shell)?;
    let lock = fs::read_to_string(shell.root().join("Cargo.lock"))?;
    let roots = ["unstuck-cli", "unstuck-hook"];
    let text = sbom::of(&metadata, &lock, &roots, time)?;
    let sbom = out.join(format!("{directory}.cdx.json"));
    fs::write(&sbom, &text)?;
    let mut entries = contents(shell.root(), &programs)?;
    entries.push(Entry::file("sbom.cdx.json", text.into_bytes()));
    let archive = out.join(format!("{directory}.tar.gz"));
    fs::write(&archive, archive::pack(&directory, entries, time, effort)?)?;
    Ok(Made {
        archive,
        sbom,
        directory,
        programs,
    })
}

/// Writes the checksums of every file in a directory, sorted by name.
pub(crate) fn write_sums(out: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && name != SUMS {
            names.push(name);
        }
    }
    names.sort();
    let mut text = String::new();
    for name in names {
        let hash = Sha256::digest(fs::read(out.join(&name))?);
        writeln!(text, "{}  {name}", hex(&hash))?;
    }
    fs::write(out.join(SUMS), text)?;
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn contents(root: &Path, programs: &Programs) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for program in [&programs.command, &programs.hook] {
        let name = program.file_name().context("a program has a name")?;
        entries.push(Entry::program(&name.to_string_lossy(), fs::read(program)?));
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::file(name, fs::read(root.join(name))?));
    }
    for directory in ["man", "completions"] {
        for entry in fs::read_dir(root.join(directory))? {
            let entry = entry?;
            let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
            entries.push(Entry::file(&name, fs::read(entry.path())?));
        }
    }
    Ok(entries)
}

fn metadata(shell: &Shell, target: &str) -> Result<Value> {
    let metadata = shell
        .cargo(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", target])
        .read()?;
    Ok(serde_json::from_str(&metadata)?)
}

fn version(metadata: &Value) -> Result<String> {
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let command = packages.find(|package| package["name"] == "unstuck-cli");
    let version = command.and_then(|package| package["version"].as_str());
    Ok(version.context("cargo lists no unstuck-cli")?.to_owned())
}

/// Seconds since 1970 that everything in the files is said to be from: the variable `SOURCE_DATE_EPOCH`, or the last commit.
fn time(shell: &Shell) -> Result<u64> {
    if let Some(set) = env::var_os("SOURCE_DATE_EPOCH") {
        let set = set.to_string_lossy().into_owned();
        return set
            .parse()
            .with_context(|| format!("SOURCE_DATE_EPOCH is `{set}`, not a number of seconds"));
    }
    let time = shell
        .program("git")
        .args(["log", "-1", "--format=%ct"])
        .read()?;
    time.trim().parse().context("git names no time")
}

#[cfg(test)]
#[path = "release_files_tests.rs"]
mod tests;
