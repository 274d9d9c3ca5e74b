//! The GitHub Action and the workflows: their scripts are run against release files of this machine, and linted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use unstuck_dev::{Install, Outcome, apt, find};

use super::{Packaging, SUMS, empty};
use crate::release_files::Made;

const ACTION: &str = "action.yml";
const SCRIPTS: &str = "packaging/action";
const WORKFLOWS: &str = ".github/workflows";

/// Every action of others is named by a commit, with its version behind it.
pub(super) fn pinned(root: &Path) -> Result<()> {
    let mut files = vec![root.join(ACTION)];
    for entry in fs::read_dir(root.join(WORKFLOWS))? {
        files.push(entry?.path());
    }
    for file in files {
        let text = fs::read_to_string(&file)?;
        if let Some(line) = text.lines().find(|line| !is_pinned(line)) {
            bail!("{} names no commit: {}", file.display(), line.trim());
        }
    }
    Ok(())
}

fn is_pinned(line: &str) -> bool {
    let line = line.trim().trim_start_matches("- ");
    let Some(uses) = line.strip_prefix("uses: ") else {
        return true;
    };
    if uses.starts_with("./") {
        return true;
    }
    let Some((commit, version)) = uses
        .split_once('@')
        .and_then(|(_, at)| at.split_once(" # v"))
    else {
        return false;
    };
    let is_hash = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
    is_hash && version.starts_with(|c: char| c.is_ascii_digit())
}

/// A runner of GitHub, as far as the scripts see it.
struct Runner<'a> {
    root: &'a Path,
    place: PathBuf,
    variables: BTreeMap<&'static str, String>,
}

impl Runner<'_> {
    fn script(&self, name: &str, extra: &[(&str, &str)]) -> Result<Output> {
        let mut command = Command::new("bash");
        command
            .arg(self.root.join(SCRIPTS).join(name))
            .current_dir(self.root)
            .env_clear()
            .envs(&self.variables)
            .envs(extra.iter().copied());
        let output = command.output();
        output.with_context(|| format!("{name} cannot be run"))
    }

    fn outputs(&self) -> String {
        fs::read_to_string(self.place.join("output")).unwrap_or_default()
    }
}

/// The scripts in the order of the action, and what they must refuse.
pub(super) fn run(packaging: &Packaging<'_>, made: &Made) -> Result<()> {
    let root = packaging.shell.root();
    variables_are_given(root)?;
    if !made.programs.target.contains("-linux-musl") {
        println!("the action installs static programs: its scripts are not run here");
        return Ok(());
    }
    let place = packaging.place().join("action");
    empty(&place)?;
    let version = made
        .directory
        .strip_prefix("unstuck-")
        .and_then(|name| name.strip_suffix(&format!("-{}", made.programs.target)))
        .context("the directory of the archive has another name")?;
    let releases = place.join("releases");
    let release = releases.join(format!("v{version}"));
    fs::create_dir_all(&release)?;
    let name = format!("{}.tar.gz", made.directory);
    let files = made.archive.parent().context("a file has a directory")?;
    for name in [name.as_str(), SUMS] {
        fs::copy(files.join(name), release.join(name))?;
    }
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let architecture = match std::env::consts::ARCH {
        "aarch64" => "ARM64",
        _ => "X64",
    };
    let mut runner = Runner {
        root,
        variables: BTreeMap::from([
            ("RUNNER_OS", "Linux".to_owned()),
            ("RUNNER_ARCH", architecture.to_owned()),
            ("RUNNER_TEMP", text(place.join("temp"))),
            ("GITHUB_PATH", text(place.join("path"))),
            ("GITHUB_OUTPUT", text(place.join("output"))),
            ("UNSTUCK_VERSION", version.to_owned()),
            ("UNSTUCK_RELEASES", format!("file://{}", releases.display())),
            ("PATH", "/usr/bin:/bin".to_owned()),
            ("HOME", text(place.join("home"))),
        ]),
        place: place.clone(),
    };
    fs::create_dir_all(place.join("temp"))?;
    let install = |runner: &Runner<'_>, extra: &[(&str, &str)]| runner.script("install.sh", extra);
    let ended = |output: &Output, code: i32, what: &str| {
        ensure!(
            output.status.code() == Some(code),
            "{what} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    };

    ended(&install(&runner, &[])?, 0, "installing")?;
    let path = fs::read_to_string(place.join("path"))?;
    let path = path.trim().to_owned();
    ensure!(
        Path::new(&path).join("unstuck").is_file(),
        "no program in {path}"
    );
    for odd in ["1.2", "latest", "1.2.3/../..", "$(id)"] {
        let refused = install(&runner, &[("UNSTUCK_VERSION", odd)])?;
        ended(&refused, 2, "installing an odd version")?;
    }
    let unknown = install(&runner, &[("RUNNER_ARCH", "MIPS")])?;
    ended(&unknown, 2, "installing for an unknown processor")?;

    // A changed archive, and one without a checksum.
    let archive = release.join(&name);
    let whole = fs::read(&archive)?;
    let mut changed = whole.clone();
    if let Some(last) = changed.last_mut() {
        *last ^= 1;
    }
    fs::write(&archive, changed)?;
    ended(&install(&runner, &[])?, 1, "installing a changed archive")?;
    fs::write(&archive, whole)?;
    let sums = fs::read_to_string(release.join(SUMS))?;
    let others: Vec<_> = sums.lines().filter(|line| !line.ends_with(&name)).collect();
    fs::write(release.join(SUMS), others.join("\n"))?;
    ended(&install(&runner, &[])?, 2, "installing without a checksum")?;

    runner
        .variables
        .insert("PATH", format!("{path}:/usr/bin:/bin"));
    // Names with blanks, lines of blanks, and what looks like an option.
    let odd = place.join("two words");
    fs::create_dir_all(&odd)?;
    fs::write(odd.join("-o"), "")?;
    let paths = format!("  examples/transcripts \n\n{}\n", odd.display());
    for (fail_on, code, judged) in [("", "0", 0), ("nudge", "1", 1)] {
        let _ = fs::remove_file(place.join("output"));
        let extra = [
            ("UNSTUCK_PATHS", paths.as_str()),
            ("UNSTUCK_FAIL_ON", fail_on),
        ];
        ended(&runner.script("scan.sh", &extra)?, 0, "the scan")?;
        let outputs = runner.outputs();
        ensure!(outputs.contains(&format!("code={code}\n")), "{outputs}");
        let report = outputs.lines().find_map(|line| line.strip_prefix("sarif="));
        let report = fs::read_to_string(report.context("the scan names no report")?)?;
        let report: Value = serde_json::from_str(&report)?;
        let results = report["runs"][0]["results"].as_array().map_or(0, Vec::len);
        ensure!(results == 8, "{results} results");
        let judge = runner.script("judge.sh", &[("UNSTUCK_CODE", code)])?;
        ended(&judge, judged, "the judgement")?;
    }
    let _ = fs::remove_file(place.join("output"));
    let missing = [("UNSTUCK_PATHS", "not/there")];
    ended(&runner.script("scan.sh", &missing)?, 0, "a scan of nothing")?;
    ensure!(
        runner.outputs().contains("code=2\n"),
        "{}",
        runner.outputs()
    );
    ended(
        &runner.script("judge.sh", &[("UNSTUCK_CODE", "2")])?,
        2,
        "the judgement",
    )?;
    ended(
        &runner.script("scan.sh", &[("UNSTUCK_PATHS", " \n")])?,
        2,
        "a scan without paths",
    )?;
    println!("the scripts of the action install, scan and judge");
    Ok(())
}

/// The action runs every script, and gives it each variable that it reads.
fn variables_are_given(root: &Path) -> Result<()> {
    let action = fs::read_to_string(root.join(ACTION))?;
    for entry in fs::read_dir(root.join(SCRIPTS))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let run = format!("run: '\"$GITHUB_ACTION_PATH/{SCRIPTS}/{name}\"'");
        let step = action.split("- name: ").find(|step| step.contains(&run));
        let step = step.with_context(|| format!("{ACTION} does not run {name}"))?;
        let text = fs::read_to_string(&path)?;
        for variable in variables(&text) {
            let given = format!("\n        {variable}: ");
            ensure!(step.contains(&given), "{ACTION} gives {name} no {variable}");
        }
    }
    Ok(())
}

/// Variables of ours that a script reads.
fn variables(script: &str) -> Vec<&str> {
    let parts = script.split("UNSTUCK_").skip(1);
    let mut names: Vec<_> = parts
        .map(|part| {
            let end = part.find(|c: char| !c.is_ascii_uppercase() && c != '_');
            &part[..end.unwrap_or(part.len())]
        })
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    let whole = |name: &&str| {
        script
            .find(&format!("UNSTUCK_{name}"))
            .map(|at| at..at + 8 + name.len())
    };
    names
        .iter()
        .filter_map(whole)
        .map(|range| &script[range])
        .collect()
}

pub(super) fn lint(packaging: &Packaging<'_>, tools: &Path) -> Result<Outcome> {
    let shell = packaging.shell;
    let schema = |name: &str| {
        let check = shell.program(tools.join("check-jsonschema"));
        check.args(["--builtin-schema", name])
    };
    schema("vendor.github-actions").arg(ACTION).run()?;
    let workflows = shell.root().join(WORKFLOWS);
    for entry in fs::read_dir(workflows)? {
        schema("vendor.github-workflows").arg(entry?.path()).run()?;
    }
    shell
        .program(tools.join("zizmor"))
        .args(["--offline", "--no-progress", ACTION, ".github"])
        .run()?;
    if find(&["shellcheck"]).is_none() {
        if packaging.install == Install::Never {
            return Ok(Outcome::Skipped(
                "only shellcheck, which is not installed".to_owned(),
            ));
        }
        if let Err(error) = apt(shell, &["shellcheck"]) {
            return Ok(Outcome::Skipped(format!("only shellcheck: {error:#}")));
        }
    }
    for entry in fs::read_dir(shell.root().join(SCRIPTS))? {
        shell.program("shellcheck").arg(entry?.path()).run()?;
    }
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use unstuck_dev::Shell;

    use super::*;

    #[test]
    fn actions_of_others_are_named_by_commits() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_pinned("run: echo"));
        assert!(is_pinned("  - uses: ./"));
        assert!(is_pinned(&format!("  - uses: a/b@{hash} # v1.2.3")));
        for line in [
            "uses: a/b@v1".to_owned(),
            "- uses: a/b@main # v1".to_owned(),
            format!("uses: a/b@{hash}"),
            format!("uses: a/b@{} # v1", &hash[1..]),
            "uses: a/b".to_owned(),
        ] {
            assert!(!is_pinned(&line), "{line}");
        }
        pinned(Shell::at_repository_root().unwrap().root()).unwrap();
    }

    #[test]
    fn the_action_gives_its_scripts_what_they_read() {
        assert_eq!(
            variables("${UNSTUCK_B:?} $UNSTUCK_A_C ${UNSTUCK_B}"),
            ["UNSTUCK_A_C", "UNSTUCK_B"]
        );
        variables_are_given(Shell::at_repository_root().unwrap().root()).unwrap();
    }
}
