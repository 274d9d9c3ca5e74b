//! `unstuck proxy`: the guard between agents and the APIs of their models.

use std::{process::ExitCode, sync::Arc};

use anyhow::Result;
use clap::Args as ClapArgs;
use unstuck::{Decision, Settings, Verdict};
use unstuck_llm_proxy::{
    Guard, GuardOptions, Limits, OnHalt, ProxyOptions, Target, Targets, serve,
};
use unstuck_mcp_proxy::Listen;
use unstuck_session::Log;
use unstuck_text::{Notice, Notify, Shown};

use super::Run;
use crate::{
    args::{Bytes, ConfigArgs},
    configuration, notes,
    style::{WARNING, paint},
};

/// Guard agents between them and the APIs of their models.
///
/// Agents whose base URL is the address of the proxy work as before: streams, credentials, betas and unknown fields pass
/// untouched. An agent that goes in circles gets a message behind its last results, its calls are denied, and at last the run
/// is ended by an answer that says why. A person's next message lets it go on. Anthropic Messages, OpenAI Chat Completions,
/// OpenAI Responses and Gemini are judged; every other request passes as it is.
///
/// Only programs on this machine can connect. Keys are passed on, and never stored or logged. `unstuck run` starts a
/// proxy for one command.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProxyArgs {
    /// Port or address of this machine to listen at, such as 8788 or 127.0.0.1:8788.
    #[arg(long, value_name = "ADDRESS", default_value = "8788")]
    listen: Listen,

    #[command(flatten)]
    guard: LlmArgs,

    #[command(flatten)]
    config: ConfigArgs,
}

/// Arguments of `unstuck proxy` and `unstuck run`.
#[derive(Debug, ClapArgs)]
pub(crate) struct LlmArgs {
    /// Address of the API, for all requests or for those of one provider (`anthropic=`, `openai=` or `gemini=` before it);
    /// may be repeated. Without it each provider's own address is used.
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Vec<Target>,

    /// What an agent gets when it is halted: `answer` (a final answer that says why), `error` (an error of the API), or
    /// `escalate=MODEL` (the answer of that model, once until a person speaks).
    #[arg(long, value_name = "WAY", default_value = "answer")]
    pub(crate) on_halt: OnHalt,

    /// Largest body of a request or an answer that is not streamed. Plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(128 << 20))]
    pub(crate) max_message: Bytes,
}

const EXAMPLES: &str = "Examples:
  Guard Claude Code:
    unstuck proxy --listen 8788
    ANTHROPIC_BASE_URL=http://127.0.0.1:8788 claude

  Guard a program that speaks to another gateway:
    unstuck proxy --upstream https://gateway.example/api/v1
    OPENAI_BASE_URL=http://127.0.0.1:8788/api/v1 my-agent

  Ask a larger model once, before a run is ended:
    unstuck proxy --on-halt escalate=claude-opus-5-5

  Decide and print, but never interfere:
    UNSTUCK_MODE=observe unstuck proxy";

impl Run for ProxyArgs {
    fn run(&self) -> Result<ExitCode> {
        let guard = guard(&self.config, &self.guard)?;
        let targets = Targets(self.guard.upstream.clone());
        serve(options(self.listen, &self.guard, targets), guard)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The guard, with the settings of the configuration.
pub(crate) fn guard(config: &ConfigArgs, args: &LlmArgs) -> Result<Arc<Guard>> {
    let configuration = configuration::load(config)?;
    configuration::print_warnings(&configuration);
    let settings: Settings = configuration.settings;
    let mut options = GuardOptions::new(settings);
    options.on_halt = args.on_halt.clone();
    let log = configuration::state_dir().ok().map(|state| Log::of(&state));
    options.decided = Box::new(move |decision| note(decision, log.as_ref()));
    Ok(Arc::new(Guard::new(options)))
}

/// Prints and logs a decision, without anything that an agent wrote but the name of its session.
fn note(decision: &Decision, log: Option<&Log>) {
    let Some(reason) = &decision.reason else {
        return;
    };
    let verdict = decision.would.unwrap_or(decision.verdict);
    let would = match decision.would {
        Some(_) => "would ",
        None => "",
    };
    let what = format!(
        "{would}{verdict} by {}, {} times",
        reason.rule, reason.repeats
    );
    if let Some(log) = log {
        log.line(&format!("proxy {}", decision.session), &what);
    }
    let line = format!("unstuck: {} {what}", Shown::line(&decision.session));
    match verdict {
        Verdict::Deny | Verdict::Halt => notes::print(line),
        Verdict::Allow | Verdict::Nudge => notes::detail(line),
    }
}

/// A proxy at an address.
pub(crate) fn options(listen: Listen, args: &LlmArgs, targets: Targets) -> ProxyOptions {
    let usual = Limits::default();
    let message = args.max_message.to_usize();
    let limits = Limits {
        message,
        memory: usual.memory.max(unstuck_http::least(message)),
        ..usual
    };
    ProxyOptions {
        address: listen.0,
        targets,
        limits,
        notify: notify(),
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
