//! `unstuck policy`: checks a policy file, and shows how a call is decided.

use std::{
    borrow::Cow,
    io::{self, Read as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use serde_json::{Value, json};
use unstuck::Json;
use unstuck_json::JsonRef;
use unstuck_mcp::{Asked, Explanation, Policy, PolicyError, PolicyNote, Ruling, asked};
use unstuck_mcp_proxy::PolicyFile;
use unstuck_report::counted;
use unstuck_session::clock;
use unstuck_text::Shown;

use super::Run;
use crate::{
    args::{Bytes, OutputArgs, TextOrJson},
    output::Sink,
    style::{ADDED, DIM, ERROR, WARNING, paint},
};

const EXAMPLES: &str = r#"Examples:
  Find mistakes, and comparisons that another spelling of a number escapes:
    unstuck policy check policy.cedar

  May this call run, and which policy decides it?
    unstuck policy check policy.cedar --tool db/delete \
      --arguments '{"id":"007"}'

  The same for a message of a client, such as a line of a log:
    unstuck policy check policy.cedar --server db --call - < message.json"#;

const CHECK_EXAMPLES: &str = r#"Examples:
  Find mistakes:
    unstuck policy check policy.cedar

  A policy that forbids account 7 however it is spelt, and a call it forbids:
    cat > policy.cedar <<'END'
    permit (principal, action, resource);
    @id("keep-7")
    forbid (principal, action, resource == Tool::"db/delete")
    when { context.numbers has id && context.numbers.id.contains(7) };
    END
    unstuck policy check policy.cedar --tool db/delete \
      --arguments '{"id":" 007 "}'

  A call as a client sends it, from standard input, with the answer as JSON:
    echo '{"method":"tools/call",
      "params":{"name":"delete","arguments":{"id":7}}}' |
      unstuck policy check policy.cedar --server db --call - --format json"#;

/// Check policies, and try them on a call.
///
/// Policies decide which calls `unstuck mcp` passes on. They are written in Cedar; docs/guide/mcp.md has the names
/// that they can use.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    /// Find mistakes, or show how a call is decided.
    ///
    /// Reports errors with line and column, and warns of comparisons that do not hold for every spelling of a value.
    /// With a call it prints the decision, the policies that made it with their lines and annotations, and the
    /// conditions that could not be evaluated. Nothing is run and nothing is asked.
    ///
    /// A call is given by `--tool` and `--arguments`, or by `--call`: a `tools/call` request, its `params`, or an object
    /// with `tool`, `arguments` and, if wanted, `server`, `agent`, `session` and `at` (milliseconds since 1970).
    ///
    /// The exit code is 0 if the call is permitted, or if there is none and the file is valid; 1 if the call is
    /// forbidden; 2 if the file or the call cannot be used.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(PolicyCheckArgs),
}

#[derive(Debug, ClapArgs)]
struct PolicyCheckArgs {
    /// The policy file, in Cedar.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The call to decide, as JSON; `-` reads it from standard input.
    #[arg(long, value_name = "JSON")]
    call: Option<String>,

    /// Name of the MCP server, where neither the call nor `--tool SERVER/TOOL` names it.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,

    /// Tool that is called, such as `db/delete` for the tool `delete` of the server `db`.
    #[arg(long, value_name = "NAME", conflicts_with = "call")]
    tool: Option<String>,

    /// Arguments of `--tool`, as JSON; `-` reads them from standard input. None unless given.
    #[arg(long, value_name = "JSON", requires = "tool")]
    arguments: Option<String>,

    /// Agent that makes the call; `main` unless given.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Session of that agent; `default` unless given.
    #[arg(long, value_name = "NAME")]
    session: Option<String>,

    /// Time of the call in milliseconds since 1970; now unless given.
    #[arg(long, value_name = "MILLISECONDS", allow_negative_numbers = true)]
    at: Option<i64>,

    /// Largest size of the arguments that policies read, as for `unstuck mcp`; plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(unstuck_mcp::POLICY_ARGUMENTS as u64))]
    max_policy_arguments: Bytes,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,
}

impl Run for PolicyArgs {
    fn run(&self) -> Result<ExitCode> {
        match &self.command {
            PolicyCommand::Check(args) => {
                let mut out = args.output.open()?;
                let code = check(args, &mut out)?;
                out.finish()?;
                Ok(code)
            }
        }
    }
}

fn check(args: &PolicyCheckArgs, out: &mut Sink) -> Result<ExitCode> {
    let is_json = args.output.format()? == TextOrJson::Json;
    let policy = match read(args) {
        Ok(policy) => policy,
        Err(error) => {
            if is_json {
                out.json(&broken(args, &error))?;
                return Ok(ExitCode::from(2));
            }
            return Err(error);
        }
    };
    let call = call(args)?;
    let explained = call.as_ref().map(|call| policy.explain(&call.asked()));
    if is_json {
        out.json(&as_json(args, &policy, explained.as_ref()))?;
    } else {
        show(args, out, &policy, call.as_ref().zip(explained.as_ref()))?;
    }
    Ok(match explained.map(|explained| explained.ruling) {
        None | Some(Ruling::Permit) => ExitCode::SUCCESS,
        Some(_) => ExitCode::FAILURE,
    })
}

fn read(args: &PolicyCheckArgs) -> Result<Policy> {
    let mut file = PolicyFile::new(args.file.clone(), args.max_policy_arguments.to_usize());
    let policy = file.read_again()?;
    policy.with_context(|| format!("there is no policy file {}", args.file.display()))
}

/// A call to be judged.
struct Call {
    server: String,
    tool: String,
    arguments: Json,
    agent: String,
    session: String,
    at: i64,
}

impl Call {
    fn asked(&self) -> Asked<'_> {
        let mut asked = asked(&self.server, &self.tool, &self.arguments);
        asked.agent = &self.agent;
        asked.session = &self.session;
        asked.at = self.at;
        asked
    }
}

fn call(args: &PolicyCheckArgs) -> Result<Option<Call>> {
    let given = match (&args.call, &args.tool) {
        (Some(call), _) => Json::parse(&input(call)?).context("the call is not JSON")?,
        (None, Some(tool)) => Json::from_serialize(&json!({ "tool": tool }))?,
        (None, None) => return Ok(None),
    };
    let given = given.view();
    let given = given.get("params").unwrap_or(given);
    let text = |name: &str| given.get(name).and_then(JsonRef::text);
    let Some(tool) = text("tool").or_else(|| text("name")) else {
        bail!("the call names no tool: give `tool` and `arguments`, or a `tools/call` request");
    };
    let arguments = match (&args.arguments, given.get("arguments")) {
        (Some(arguments), _) => {
            Json::parse(&input(arguments)?).context("--arguments is not JSON")?
        }
        (None, Some(arguments)) => Json::parse(arguments.as_str())?,
        (None, None) => Json::empty_object(),
    };
    let chosen = |option: &Option<String>, name: &str| {
        let given = || text(name).map(Cow::into_owned);
        option.clone().or_else(given)
    };
    let (server, tool) = match (chosen(&args.server, "server"), tool.split_once('/')) {
        (Some(server), _) => {
            let short = tool.strip_prefix(&format!("{server}/")).map(str::to_owned);
            (server, short.unwrap_or_else(|| tool.to_string()))
        }
        (None, Some((server, tool))) => (server.to_owned(), tool.to_owned()),
        (None, None) => {
            bail!("which server? Name it with --server NAME, or the tool as SERVER/TOOL")
        }
    };
    let at = args.at.or_else(|| given.get("at")?.integer());
    Ok(Some(Call {
        server,
        tool,
        arguments,
        agent: chosen(&args.agent, "agent").unwrap_or_else(|| "main".to_owned()),
        session: chosen(&args.session, "session").unwrap_or_else(|| "default".to_owned()),
        at: at.unwrap_or_else(clock::now),
    }))
}

/// A text of the command line, or what is on standard input for `-`.
fn input(text: &str) -> Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::new();
    let longest = unstuck::event::MAX_LINE_BYTES as u64;
    let mut stdin = io::stdin().lock().take(longest + 1);
    stdin
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    if bytes.len() as u64 > longest {
        bail!("standard input has more than {longest} bytes");
    }
    String::from_utf8(bytes).context("standard input is not UTF-8")
}

fn show(
    args: &PolicyCheckArgs,
    out: &mut Sink,
    policy: &Policy,
    judged: Option<(&Call, &Explanation)>,
) -> Result<()> {
    let file = Shown::line(args.file.display()).to_string();
    for warning in policy.warnings() {
        let text = Shown::line(warning);
        anstream::eprintln!("{} {file}:{text}", paint(WARNING, "warning:"));
    }
    let Some((call, explained)) = judged else {
        let policies = match policy.len() {
            1 => "1 policy".to_owned(),
            count => format!("{count} policies"),
        };
        let warnings = counted(policy.warnings().len() as u64, "warning");
        writeln!(out, "{file} is valid: {policies}, {warnings}")?;
        return Ok(());
    };
    let (style, word) = match explained.ruling {
        Ruling::Permit => (ADDED, "permit"),
        _ => (ERROR, "forbid"),
    };
    let (server, tool) = (&call.server, &call.tool);
    writeln!(
        out,
        "{} {}",
        paint(style, word),
        Shown::line(format_args!("{server}/{tool}"))
    )?;
    if let Some(reason) = reason(explained) {
        writeln!(out, "  {reason}")?;
    }
    for note in &explained.policies {
        let effect = effect(note);
        let (name, line) = (Shown::line(&note.name), note.line);
        writeln!(
            out,
            "  {effect} `{name}`  {}",
            paint(DIM, &format!("{file}:{line}"))
        )?;
        for (name, value) in note.annotations.iter().filter(|(name, _)| name != "id") {
            writeln!(out, "    @{name}: {}", Shown::line(value))?;
        }
    }
    for (note, error) in &explained.errors {
        let closed = if note.forbids {
            "it forbids"
        } else {
            "it permits nothing"
        };
        let (name, line) = (Shown::line(&note.name), note.line);
        writeln!(
            out,
            "  {} `{name}` cannot be evaluated, so {closed}: {}  {}",
            paint(WARNING, "error:"),
            Shown::line(error),
            paint(DIM, &format!("{file}:{line}"))
        )?;
    }
    Ok(())
}

/// Why a call is forbidden that no policy forbids.
fn reason(explained: &Explanation) -> Option<String> {
    match &explained.ruling {
        Ruling::TooLarge { bytes, values } => Some(format!(
            "the arguments that policies read have more than {bytes} bytes or {values} values (--max-policy-arguments)"
        )),
        Ruling::Forbid { .. } if explained.policies.is_empty() => {
            Some("no policy permits it".to_owned())
        }
        _ => None,
    }
}

fn effect(note: &PolicyNote) -> &'static str {
    if note.forbids { "forbid" } else { "permit" }
}

fn as_json(args: &PolicyCheckArgs, policy: &Policy, explained: Option<&Explanation>) -> Value {
    let warnings: Vec<_> = policy
        .warnings()
        .iter()
        .map(|warning| {
            json!({
                "policy": warning.policy,
                "line": warning.line,
                "column": warning.column,
                "message": warning.message,
            })
        })
        .collect();
    let mut whole = json!({
        "file": args.file.display().to_string(),
        "valid": true,
        "policies": policy.len(),
        "warnings": warnings,
    });
    if let Some(explained) = explained {
        let decision = match explained.ruling {
            Ruling::Permit => "permit",
            _ => "forbid",
        };
        let errors: Vec<_> = explained
            .errors
            .iter()
            .map(|(policy, error)| {
                let mut note = note(policy);
                note["message"] = json!(error);
                note
            })
            .collect();
        whole["decision"] = json!(decision);
        whole["reason"] = json!(reason(explained));
        whole["decided_by"] = explained.policies.iter().map(note).collect();
        whole["errors"] = json!(errors);
    }
    whole
}

fn note(note: &PolicyNote) -> Value {
    let annotations = note.annotations.iter();
    let annotations: serde_json::Map<_, _> = annotations
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    json!({
        "policy": note.name,
        "effect": effect(note),
        "line": note.line,
        "column": note.column,
        "annotations": annotations,
    })
}

/// What is written of a file that cannot be used.
fn broken(args: &PolicyCheckArgs, error: &anyhow::Error) -> Value {
    let mut found = json!({ "message": format!("{error:#}") });
    if let Some(error) = error.downcast_ref::<PolicyError>() {
        found = json!({
            "line": error.line,
            "column": error.column,
            "message": error.message,
        });
    }
    json!({
        "file": args.file.display().to_string(),
        "valid": false,
        "error": found,
    })
}
