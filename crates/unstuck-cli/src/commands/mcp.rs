//! `unstuck mcp`: the guard between an MCP client and a server.

mod args;
mod http;
mod http_args;

pub(crate) use args::McpArgs;

use std::{ffi::OsString, iter, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context as _, Result, bail};
use unstuck::{Settings, settings::ToolPattern};
use unstuck_audit::{AuditFile, AuditOptions, HeadPace, OnFailure, Sync};
use unstuck_config::Fail;
use unstuck_mcp::{
    Denials, Guard, GuardOptions, Names, Policy, RecordedArguments, Redactor, Timeline, Unchanged,
};
use unstuck_mcp_proxy::{self as proxy, Control, ModeSource, PolicyFile, SharedGuard};
use unstuck_session::{configuration::Configuration, index_key};
use unstuck_text::{Notice, Notify};

use self::args::{AuditArguments, AuditFailure, AuditSync};
use super::Run;
use crate::{
    configuration, notes,
    style::{WARNING, paint},
};

/// The policy file beside the user's configuration.
const POLICY: &str = "policy.cedar";

impl Run for McpArgs {
    fn run(&self) -> Result<ExitCode> {
        match self.http.listen {
            Some(listen) => http::run(self, listen),
            None => run(self),
        }
    }
}

fn run(args: &McpArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let name = match &args.name {
        Some(name) => name.clone(),
        None => name_of(&args.command),
    };
    let (file, policy) = policies(args)?;
    let mut reach = reach(&configuration, vec![name.clone()]);
    let shared = shared(
        args,
        &name,
        (configuration.settings, configuration.fail, &mut None),
        policy,
    )?;
    reach.look(iter::once((&*name, &shared)));
    let child = proxy::start(&args.command)?;
    proxy::run(child, (&name, shared), file, reach)
}

/// How commands reach this proxy.
fn reach(configuration: &Configuration, servers: Vec<String>) -> Control {
    let source = match configuration.mode {
        Some(_) => ModeSource::Environment,
        None => ModeSource::Switch {
            configured: configuration.settings.mode,
        },
    };
    Control::new(configuration::state_dir(), source, servers, notify())
}

/// The guard of one server, with its audit. Guards with one timeline count their calls together; it is made by the first.
fn shared(
    args: &McpArgs,
    name: &str,
    (settings, fail, timeline): (Settings, Option<Fail>, &mut Option<Timeline>),
    policy: Option<Policy>,
) -> Result<SharedGuard> {
    let mut options = GuardOptions::new(name, settings);
    options.redactor = redactor(args)?;
    options.index_key = index_key::random();
    if args.say_unchanged {
        options.unchanged = Unchanged::SayShort;
    }
    if args.trust_names {
        options.names = Names::Trusted;
    }
    if args.audit_count_denials {
        options.denials = Denials::Counted;
    }
    let timeline = timeline.get_or_insert_with(|| Timeline::new(&options));
    let mut guard = Guard::with_timeline(options, timeline.clone());
    if let Some(policy) = policy {
        guard.set_policy(policy);
    }
    let on_failure = on_failure(args, fail);
    let audit = match audit(args, name) {
        Err(error) if on_failure == OnFailure::Allow => {
            anstream::eprintln!(
                "unstuck: {}; nothing is recorded",
                unstuck_text::Shown::line(format_args!("{error:#}"))
            );
            None
        }
        opened => opened?,
    };
    let shared = SharedGuard::new(
        guard,
        audit,
        on_failure,
        args.max_message.to_usize(),
        notify(),
    );
    let pace = HeadPace {
        interval: args.head_interval,
        lines: args.head_lines,
    };
    shared.send_heads(args.head_to.clone(), pace);
    Ok(shared)
}

/// What becomes of calls that cannot be judged or recorded. An audit that misses calls is worth nothing, so they
/// are denied unless an option or setting says otherwise.
fn on_failure(args: &McpArgs, fail: Option<Fail>) -> OnFailure {
    match (args.audit_failure, fail) {
        (Some(AuditFailure::Allow), _) | (None, Some(Fail::Open)) => OnFailure::Allow,
        (Some(AuditFailure::Deny), _) | (None, Some(Fail::Closed) | None) => OnFailure::Deny,
    }
}

/// Prints what the proxy has to say while it runs.
fn notify() -> Notify {
    Notify::new(|notice| match notice {
        Notice::Warning(line) => {
            anstream::eprintln!("unstuck: {} {line}", paint(WARNING, "warning:"));
        }
        Notice::Line(line) => notes::print(format_args!("unstuck: {line}")),
        _ => {}
    })
}

/// The policy file, and what it says now.
fn policies(args: &McpArgs) -> Result<(Option<PolicyFile>, Option<Policy>)> {
    let Some(mut file) = policy_file(args) else {
        return Ok((None, None));
    };
    let policy = file.read_again()?;
    if let Some(policy) = &policy {
        file.report_warnings(policy, &notify());
    } else {
        if args.policy.is_some() {
            bail!("there is no policy file {}", file.path().display());
        }
        notes::print(format_args!(
            "unstuck: no policies, so every call is permitted; write some to {} or give a file with --policy",
            file.path().display()
        ));
    }
    Ok((Some(file), policy))
}

/// Name of a server without `--name`: its program, without the directory.
fn name_of(command: &[OsString]) -> String {
    let program = command.first().map(PathBuf::from).unwrap_or_default();
    let stem = program.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn redactor(args: &McpArgs) -> Result<Redactor> {
    let mut redactor = Redactor::new(match args.audit_arguments {
        AuditArguments::Redacted => RecordedArguments::Redacted,
        AuditArguments::None => RecordedArguments::None,
        AuditArguments::Raw => RecordedArguments::Raw,
    });
    for hidden in &args.audit_hide {
        let (tool, field) = hidden
            .split_once(':')
            .with_context(|| format!("`{hidden}` names no field; write TOOL:FIELD"))?;
        redactor.hide(ToolPattern::new(tool), field);
    }
    Ok(redactor)
}

fn policy_file(args: &McpArgs) -> Option<PolicyFile> {
    let path = match &args.policy {
        Some(path) => Some(path.clone()),
        None => unstuck_session::configuration::user_file().map(|file| file.with_file_name(POLICY)),
    };
    path.map(|path| PolicyFile::new(path, args.max_policy_arguments.to_usize()))
}

fn audit(args: &McpArgs, name: &str) -> Result<Option<AuditFile>> {
    if args.no_audit {
        return Ok(None);
    }
    let path = if let Some(path) = &args.audit {
        path.clone()
    } else {
        let safe = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let file: String = name
            .chars()
            .map(|letter| if safe(letter) { letter } else { '_' })
            .collect();
        let home = configuration::state_dir()?;
        home.prepare()?;
        home.path("audit").join(format!("{file}.jsonl"))
    };
    let mut options = AuditOptions::default();
    options.rotate_bytes = args.audit_rotate.0;
    options.budget = args.audit_budget.map(|budget| budget.0);
    options.sync = match args.audit_sync {
        AuditSync::Never => Sync::Never,
        AuditSync::Second => Sync::Every(Duration::from_secs(1)),
        AuditSync::Line => Sync::Always,
    };
    Ok(Some(AuditFile::open(&path, options)?))
}
