//! Archives, checksums and the bill of materials.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};

use super::{Packaging, SUMS, empty};
use crate::release_files::{self, Effort, Made};

/// The bill against the schema of its format, with unknown members refused.
const VALIDATE: &str = "\
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
sys.exit(str(error) if error else 0)
";

/// The same programs give the same bytes.
pub(super) fn same_twice(packaging: &Packaging<'_>, made: &Made) -> Result<()> {
    let again = packaging.place().join("again");
    empty(&again)?;
    let other = release_files::make(
        packaging.shell,
        made.programs.clone(),
        &again,
        Effort::Least,
    )?;
    for (one, other) in [(&made.archive, &other.archive), (&made.sbom, &other.sbom)] {
        if fs::read(one)? != fs::read(other)? {
            bail!("{} and {} differ", one.display(), other.display());
        }
    }
    println!("made twice, byte for byte the same");
    Ok(())
}

/// The archive as a person unpacks it.
pub(super) fn unpack(packaging: &Packaging<'_>, made: &Made) -> Result<()> {
    let files = made.archive.parent().unwrap_or(Path::new("."));
    let sums = "sha256sum --check --strict \"$1\"";
    packaging
        .shell
        .program("sh")
        .args(["-euc", &format!("cd \"$0\"; {sums}")])
        .arg(files)
        .arg(SUMS)
        .run()?;
    let place = packaging.place().join("unpacked");
    empty(&place)?;
    let tar = packaging.shell.program("tar");
    tar.arg("-xzf")
        .arg(&made.archive)
        .arg("-C")
        .arg(&place)
        .run()?;
    let place = place.join(&made.directory);
    let read = |program: &str, words: &[&str]| {
        packaging
            .shell
            .program(place.join(program))
            .args(words)
            .read()
    };
    let (version, of_hook) = (
        read("unstuck", &["--version"])?,
        read("unstuck-hook", &["--version"])?,
    );
    ensure!(
        version == of_hook,
        "{version} and {of_hook} are not one version"
    );
    ensure!(
        made.directory.starts_with(&version.replace(' ', "-")),
        "{} holds {version}",
        made.directory
    );
    let report = read("unstuck", &["scan", "--no-config", "examples/transcripts"])?;
    ensure!(
        report.contains("7 of 11 runs"),
        "unexpected report:\n{report}"
    );
    for name in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "sbom.cdx.json",
        "man/unstuck.1",
    ] {
        ensure!(place.join(name).is_file(), "the archive has no {name}");
    }
    Ok(())
}

pub(super) fn validate(packaging: &Packaging<'_>, made: &Made, tools: &Path) -> Result<()> {
    let python = packaging.shell.program(tools.join("python"));
    python
        .args(["-c", VALIDATE])
        .arg(&made.sbom)
        .quiet()
        .run()?;
    println!("{} is valid", made.sbom.display());
    Ok(())
}
