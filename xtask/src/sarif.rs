//! `cargo xtask sarif`: the SARIF of a scan, checked by Microsoft's validator with the rules of GitHub code scanning.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use unstuck_dev::{Profile, Shell, build};

/// The validator. 5.7.0 is the version that was last passed.
const VALIDATOR: &str = "@microsoft/sarif-multitool-linux@5.7.0";
const PROGRAM: &str = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";
const EXAMPLES: &str = "examples";

pub(crate) fn run(shell: &Shell) -> Result<ExitCode> {
    let binary = build(shell, Profile::Dev)?;
    let place = shell.root().join("target").join("sarif");
    fs::create_dir_all(&place)?;
    let program = place.join(PROGRAM);
    if !program.is_file() {
        shell
            .program("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--prefix",
            ])
            .arg(&place)
            .arg(VALIDATOR)
            .run()
            .context("the validator cannot be installed")?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .context("there is a validator for Linux only")?;
    }
    let log = place.join("examples.sarif");
    shell
        .program(&binary)
        .args(["scan", "--no-config", EXAMPLES, "--format", "sarif", "-o"])
        .arg(&log)
        .run()?;
    let said = shell
        .program(&program)
        .args(["validate", "--rule-kind", "Sarif;Ghas"])
        .arg(&log)
        .ignore_status()
        .read()?;
    let faults = faults(&said)?;
    if !faults.is_empty() {
        bail!("{} faults:\n{}", faults.len(), faults.join("\n"));
    }
    println!("{VALIDATOR} finds no fault in the SARIF of {EXAMPLES}");
    Ok(ExitCode::SUCCESS)
}

/// The lines that name a fault.
fn faults(said: &str) -> Result<Vec<&str>> {
    if !said.contains("1 files scanned") {
        bail!("the validator did not read the file:\n{said}");
    }
    let is_fault = |line: &&str| line.contains(": error ") || line.contains(": warning ");
    Ok(said.lines().filter(is_fault).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found_in_what_the_validator_prints() {
        let said = "Analyzing...\n/a.sarif(7,1): warning SARIF2005: no informationUri\n\nDone. 1 files scanned.\n";
        assert_eq!(faults(said).unwrap().len(), 1);
        assert_eq!(faults("Done. 1 files scanned.").unwrap().len(), 0);
        assert!(faults("").is_err());
    }
}
