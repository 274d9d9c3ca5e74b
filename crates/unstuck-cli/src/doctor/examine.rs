//! Looking at one host.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Result;
use unstuck::Mode;
use unstuck_hosts::{
    Evidence, Host, Invocation, Plan, PlannedFile, Registration, Scope, Trust, evidence, program_of,
};

use super::{About, Finding, Health, Report, canary};
use crate::{
    home::{Home, ModeFrom},
    install::{Place, find_on_path, invocation, is_program},
};

/// A host that was named is looked at whether it is found or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    IfFound,
    Named,
}

/// A file that our hooks are in.
struct Registered {
    scope: Scope,
    file: PlannedFile,
    state: Registration,
    /// Event and command line of each hook.
    commands: Vec<(String, String)>,
}

/// `None`: the host is not used here.
pub(crate) fn examine(host: Host, wanted: Wanted, place: &Place) -> Result<Option<Report>> {
    let mut report = Report {
        host,
        signs: signs(host, place),
        findings: Vec::new(),
    };
    let (registered, broken) = registrations(host, place)?;
    let is_here = !report.signs.is_empty() || !registered.is_empty() || !broken.is_empty();
    if !is_here && wanted == Wanted::IfFound {
        return Ok(None);
    }
    report.findings.extend(broken);
    report
        .findings
        .extend(registration(host, &registered, wanted, place));
    let last = last_fired(host)?;
    if registered.is_empty() && last.is_some() {
        // As a plugin, or from a file that is not looked at.
        report.findings.push(fired(host, last));
    }
    if !registered.is_empty() {
        let commands = commands(&registered);
        let reachable = reachable(host, &commands);
        let can_run = reachable.health != Health::Bad;
        report.findings.push(reachable);
        report.findings.extend(trust(host, &registered, place));
        report.findings.push(fired(host, last));
        report.findings.extend(mode()?);
        if can_run {
            report
                .findings
                .push(canary::run(host, &registered_commands(&registered)));
        }
    }
    if let Evidence::Documented(what) = evidence(host) {
        let seen = format!("built from {what}; not seen with the agent itself");
        let finding = Finding::new(About::Evidence, Health::Open, seen);
        report.findings.push(finding.todo("tell us how it went"));
    }
    Ok(Some(report))
}

/// What tells that a host is used here.
fn signs(host: Host, place: &Place) -> Vec<String> {
    let programs = unstuck_hosts::programs(host).iter();
    let programs = programs.filter_map(|name| find_on_path(name));
    let directories = place.with(|around| unstuck_hosts::directories(host, around));
    let directories = directories.into_iter().filter(|path| path.is_dir());
    programs
        .chain(directories)
        .map(|path| place.short(&path))
        .collect()
}

fn registrations(host: Host, place: &Place) -> Result<(Vec<Registered>, Vec<Finding>)> {
    let mut found = Vec::new();
    let mut broken = Vec::new();
    for scope in Scope::ALL {
        let invocation = invocation(scope, None)?;
        for file in place.everything(host, scope, &invocation).files {
            let Ok(text) = fs::read_to_string(&file.path) else {
                continue;
            };
            let state = file.registration(Some(&text));
            let commands = file.commands(&text);
            let (state, commands) = match state.and_then(|state| Ok((state, commands?))) {
                Ok(read) => read,
                Err(error) => {
                    let path = place.short(&file.path);
                    let seen = format!("{path}:{}:{}: {error}", error.line, error.column);
                    let finding = Finding::new(About::Registered, Health::Bad, seen);
                    broken.push(finding.todo("correct the file; the agent may not read it either"));
                    continue;
                }
            };
            if matches!(state, Registration::Complete | Registration::Different) {
                found.push(Registered {
                    scope,
                    file,
                    state,
                    commands,
                });
            }
        }
    }
    Ok((found, broken))
}

fn registration(
    host: Host,
    registered: &[Registered],
    wanted: Wanted,
    place: &Place,
) -> Vec<Finding> {
    if registered.is_empty() {
        // A plugin may carry them.
        let health = match wanted {
            Wanted::Named => Health::Bad,
            Wanted::IfFound => Health::Open,
        };
        let finding = Finding::new(About::Registered, health, "no hooks in its configuration");
        return vec![finding.todo(format!("unstuck install {host}"))];
    }
    let mut findings = Vec::new();
    for one in registered {
        let path = place.short(&one.file.path);
        let seen = format!("{} hooks in {path} ({})", one.file.host.title(), one.scope);
        findings.push(if one.state == Registration::Complete {
            Finding::new(About::Registered, Health::Good, seen)
        } else {
            let seen = format!("{seen}, but not as this version writes them");
            let todo = format!("unstuck install {host} --scope {}", one.scope);
            Finding::new(About::Registered, Health::Open, seen).todo(todo)
        });
    }
    let scopes: BTreeSet<_> = registered.iter().map(|one| one.scope).collect();
    if scopes.len() > 1 {
        let seen = "registered for the user and for the project: each hook runs twice, and is counted once";
        let finding = Finding::new(About::Registered, Health::Open, seen);
        findings.push(finding.todo(format!(
            "unstuck uninstall {host} --scope project, or leave it"
        )));
    }
    findings
}

fn commands(registered: &[Registered]) -> Vec<String> {
    let commands = registered.iter().flat_map(|one| &one.commands);
    let commands: BTreeSet<_> = commands.map(|(_, command)| command.clone()).collect();
    commands.into_iter().collect()
}

fn registered_commands(registered: &[Registered]) -> Vec<(String, String)> {
    let first = registered.iter().flat_map(|one| one.commands.clone());
    first.collect()
}

/// Whether the program is where the hooks look for it.
fn reachable(host: Host, commands: &[String]) -> Finding {
    let programs: BTreeSet<_> = commands
        .iter()
        .filter_map(|command| program_of(command, host))
        .collect();
    let again = format!("unstuck install {host}");
    for program in &programs {
        let path = Path::new(program);
        let path = if path.components().count() > 1 {
            Some(path.to_path_buf()).filter(|path| is_program(path))
        } else {
            find_on_path(program)
        };
        let Some(path) = path else {
            let seen = format!("{program} is not there, or cannot be run");
            return Finding::new(About::Reachable, Health::Bad, seen).todo(again);
        };
        match version(&path) {
            Some(version) if version == env!("CARGO_PKG_VERSION") => {}
            Some(version) => {
                let seen = format!("{} is version {version}", path.display());
                return Finding::new(About::Reachable, Health::Open, seen).todo(format!(
                    "this is {}; to have the hooks run it: {again}",
                    env!("CARGO_PKG_VERSION")
                ));
            }
            None => {
                let seen = format!("{} does not tell its version", path.display());
                return Finding::new(About::Reachable, Health::Bad, seen).todo(again);
            }
        }
    }
    let programs: Vec<_> = programs.into_iter().collect();
    Finding::new(About::Reachable, Health::Good, programs.join(", "))
}

fn version(program: &PathBuf) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.trim().strip_prefix("unstuck ")?;
    Some(version.to_owned())
}

fn trust(host: Host, registered: &[Registered], place: &Place) -> Vec<Finding> {
    let invocation = Invocation::new("unstuck");
    let each = registered.iter().map(|one| {
        let plan = place.plan(host, one.scope, &invocation);
        let plan = Plan::of_files(plan, vec![one.file.clone()]);
        let trust = place.with(|around| unstuck_hosts::trust(&plan, around));
        match trust {
            Trust::Missing(todo) => {
                let seen = format!("{} does not run these hooks yet", host.title());
                Finding::new(About::Trusted, Health::Bad, seen).todo(todo)
            }
            Trust::Unknown(todo) => {
                Finding::new(About::Trusted, Health::Open, "cannot be seen from here").todo(todo)
            }
            _ => Finding::new(
                About::Trusted,
                Health::Good,
                "nothing keeps it from running them",
            ),
        }
    });
    let mut findings: Vec<Finding> = Vec::new();
    for finding in each {
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// When a hook of this host was last answered.
fn last_fired(host: Host) -> Result<Option<i64>> {
    let store = Home::find()?.store();
    let stored = store.list().filter_map(|entry| entry.stored.ok());
    let of_host = stored.filter(|stored| &*stored.about.host == host.name());
    Ok(of_host.map(|stored| stored.about.last_seen).max())
}

fn fired(host: Host, last: Option<i64>) -> Finding {
    match last {
        Some(last) => {
            let seen = format!("last {} ago", ago(last));
            Finding::new(About::Fired, Health::Good, seen)
        }
        None => Finding::new(About::Fired, Health::Open, "not yet").todo(format!(
            "let {} run one command, then look again",
            host.title()
        )),
    }
}

/// The self-test has a state of its own and does not see the switch.
fn mode() -> Result<Option<Finding>> {
    let switched = match Home::find()?.mode()? {
        ModeFrom::Switch(Mode::Off) => "the guard is switched off",
        ModeFrom::Switch(Mode::Observe) => "the guard only observes",
        _ => return Ok(None),
    };
    let finding = Finding::new(About::Mode, Health::Open, switched);
    Ok(Some(finding.todo("unstuck mode enforce")))
}

fn ago(milliseconds: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or(Duration::ZERO).as_millis() as i64;
    let seconds = (now - milliseconds).max(0) / 1_000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
