//! Looking at one host.

use std::{
    collections::BTreeSet,
    fs, io,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Result;
use unstuck::Mode;
use unstuck_hosts::{Evidence, Host, Invocation, Plan, PlannedFile, Registration, Scope, Trust};
use unstuck_session::ModeFrom;
use unstuck_store::regular;
use unstuck_text::Shown;

use super::{
    About, Finding, Health, Report,
    canary::{self, Runnable},
    programs::{Program, programs, reachable},
};
use crate::{
    configuration,
    install::{Place, find_on_path, invocation},
};

/// Characters of a foreign command line that are shown.
const SHOWN: usize = 80;

/// A host that was named is looked at whether it is found or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    IfFound,
    Named,
}

/// A file that our hooks are in.
pub(super) struct Registered {
    pub(super) scope: Scope,
    file: PlannedFile,
    state: Registration,
    /// Event and command line of each hook.
    pub(super) commands: Vec<(String, String)>,
}

/// `None`: the host is not used here.
pub(crate) fn examine(host: Host, wanted: Wanted, place: &Place) -> Result<Option<Report>> {
    let mut report = Report {
        host,
        signs: signs(host, place),
        findings: Vec::new(),
    };
    let (registered, remarks) = registrations(host, place)?;
    let is_here = !report.signs.is_empty() || !registered.is_empty() || !remarks.is_empty();
    if !is_here && wanted == Wanted::IfFound {
        return Ok(None);
    }
    report.findings.extend(remarks);
    report
        .findings
        .extend(registration(host, &registered, wanted, place));
    let last = last_fired(host)?;
    if registered.is_empty() && last.is_some() {
        // As a plugin, or from a file that is not looked at.
        report.findings.push(fired(host, last));
    }
    if !registered.is_empty() {
        let reachable = reachable(host, &registered, place);
        let can_run = reachable.health != Health::Bad;
        report.findings.push(reachable);
        report.findings.extend(trust(host, &registered, place));
        report.findings.push(fired(host, last));
        report.findings.extend(mode()?);
        if can_run {
            report.findings.push(self_test(host, &registered, place));
        }
    }
    if let Evidence::Documented(what) = host.evidence() {
        let title = host.title();
        let seen =
            format!("built from {what}, not tested with {title} itself; please report problems");
        let finding = Finding::new(About::Evidence, Health::Note, seen);
        report.findings.push(finding);
    }
    Ok(Some(report))
}

/// What tells that a host is used here.
pub(crate) fn signs(host: Host, place: &Place) -> Vec<String> {
    let programs = host.programs().iter();
    let programs = programs.filter_map(|name| find_on_path(name));
    let directories = place.with(|around| host.directories(around));
    let directories = directories.into_iter().filter(|path| path.is_dir());
    programs
        .chain(directories)
        .map(|path| place.short(&path))
        .collect()
}

fn registrations(host: Host, place: &Place) -> Result<(Vec<Registered>, Vec<Finding>)> {
    let mut found = Vec::new();
    let mut remarks = Vec::new();
    for scope in Scope::ALL {
        let invocation = invocation(place, scope, None)?;
        for file in place.everything(host, scope, &invocation).files {
            let text = match regular::read_to_string(&file.path) {
                Ok(text) => text,
                Err(error) => {
                    remarks.extend(unreadable(&file.path, &error, place));
                    continue;
                }
            };
            let state = file.registration(Some(&text));
            let commands = file.commands(&text);
            let foreign = file.foreign_commands(&text).unwrap_or_default();
            remarks.extend(
                foreign
                    .iter()
                    .map(|command| not_ours(command, &file, place)),
            );
            let (state, commands) = match state.and_then(|state| Ok((state, commands?))) {
                Ok(read) => read,
                Err(error) => {
                    let path = place.short(&file.path);
                    let seen = format!("{path}:{}:{}: {error}", error.line, error.column);
                    let finding = Finding::new(About::Registered, Health::Bad, seen);
                    remarks
                        .push(finding.todo("correct the file; the agent may not read it either"));
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
    Ok((found, remarks))
}

/// A file that is there and cannot be read; where there is none, nothing is wrong.
fn unreadable(path: &Path, error: &io::Error, place: &Place) -> Option<Finding> {
    let is_file = fs::metadata(path).is_ok_and(|found| !found.is_dir());
    is_file.then(|| {
        let seen = format!("{} cannot be read: {error}", place.short(path));
        let finding = Finding::new(About::Registered, Health::Open, seen);
        finding.todo("see what stands there; the agent may not read it either")
    })
}

/// A command line that runs our hook among other things may do anything, so it is only shown.
fn not_ours(command: &str, file: &PlannedFile, place: &Place) -> Finding {
    let shown = Shown::line(command).at_most(SHOWN);
    let path = place.short(&file.path);
    let seen = format!("found in {path}, not ours, not run: {shown}");
    Finding::new(About::Registered, Health::Open, seen)
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

/// Runs a loop through the hooks of the user. What a repository registers is not run: it may be anything, and the agent
/// asks for trust before it runs it.
fn self_test(host: Host, registered: &[Registered], place: &Place) -> Finding {
    let open = |seen: &str| Finding::new(About::SelfTest, Health::Open, seen);
    let mut runnable = Vec::new();
    for (scope, event, command, program) in programs(host, registered, place) {
        if scope == Scope::Project {
            continue;
        }
        let (Program::This(program) | Program::OnPath(program) | Program::Copy(program)) = program
        else {
            return open("not run: the hooks name another program than this one")
                .todo(format!("unstuck install {host}"));
        };
        runnable.push(Runnable {
            event: event.to_owned(),
            program,
            words: command.words,
        });
    }
    if runnable.is_empty() {
        return open("not run: only a file of the project registers the hooks").todo(format!(
            "unstuck install {host}, for yourself in all projects"
        ));
    }
    canary::run(host, &runnable)
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
                Finding::new(About::Trusted, Health::Open, "unknown").todo(todo)
            }
            _ => Finding::new(
                About::Trusted,
                Health::Good,
                "not required, or already given",
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
    let agents = configuration::state_dir()?.agents().into_iter();
    let of_host = agents.filter(|about| &*about.host == host.name());
    Ok(of_host.map(|about| about.last_seen).max())
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
    let switched = match configuration::state_dir()?.mode()? {
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
