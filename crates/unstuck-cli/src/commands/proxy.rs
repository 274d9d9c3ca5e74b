//! `unstuck proxy`: the guard between agents and the APIs of their models.

use std::{
    num::{NonZeroU64, NonZeroUsize},
    process::ExitCode,
    sync::Arc,
};

use anyhow::Result;
use clap::Args as ClapArgs;
use unstuck::{Decision, Verdict};
use unstuck_config::{Prices, SpendingSettings};
use unstuck_llm_proxy::{
    Control, Guard, GuardOptions, Limits, ModeSource, OnHalt, ProxyOptions, SpendingLimit,
    SpendingOptions, Target, Targets, serve,
};
use unstuck_mcp_proxy::Listen;
use unstuck_session::{Log, StateDir};
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

    /// How often the model is asked again, within one request, after all calls of its answer were denied. With 0 such an
    /// answer ends the agent's turn.
    #[arg(long, value_name = "TIMES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=8))]
    pub(crate) ask_again: u32,

    /// Leave repeats out of requests: of so many laps in a row with the same calls and results (3 if no number is given) the
    /// model sees the first one, with a note. Off without this option.
    #[arg(long, value_name = "LAPS", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    pub(crate) collapse: Option<NonZeroUsize>,

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
        let guarded = Guarded::new(&self.config, &self.guard)?;
        let targets = Targets(self.guard.upstream.clone());
        let options = options(self.listen, &self.guard, targets);
        let _control = guarded.control();
        serve(options, guarded.guard)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A guard with the settings of the configuration, and how commands reach it.
pub(crate) struct Guarded {
    pub(crate) guard: Arc<Guard>,
    source: ModeSource,
    home: Option<StateDir>,
}

impl Guarded {
    pub(crate) fn new(config: &ConfigArgs, args: &LlmArgs) -> Result<Self> {
        let configuration = configuration::load(config)?;
        configuration::print_warnings(&configuration);
        let source = match configuration.mode {
            Some(_) => ModeSource::Environment,
            None => ModeSource::Switch {
                configured: configuration.settings.mode,
            },
        };
        let home = configuration::state_dir().ok();
        let mut options = GuardOptions::new(configuration.settings);
        options.on_halt = args.on_halt.clone();
        options.asks_again = args.ask_again;
        options.collapse = args.collapse;
        let limits = &configuration.spending;
        let in_dollars = limits.session_dollars.is_some() || limits.day_dollars.is_some();
        options.spending = spending(configuration.spending, configuration.prices, home.as_ref());
        let log = home.as_ref().map(Log::of);
        options.decided = Box::new(move |decision| note(decision, log.as_ref()));
        let log = home.as_ref().map(Log::of);
        options.spent = Box::new(move |session, text, is_enforced| {
            let would = if is_enforced { "" } else { "would say: " };
            if let Some(log) = &log {
                log.line(&format!("proxy {session}"), &format!("{would}{text}"));
            }
            notes::print(format!("unstuck: {} {would}{text}", Shown::line(session)));
        });
        options.unpriced = Box::new(move |model| {
            if !in_dollars {
                return;
            }
            let model = Shown::line(model);
            notes::print(format!(
                "unstuck: {model} has no price, so only its tokens count; add [prices.\"{model}\"] to unstuck.toml"
            ));
        });
        Ok(Self {
            guard: Arc::new(Guard::new(options)),
            source,
            home,
        })
    }

    /// Lets commands reach the guard until this is dropped.
    pub(crate) fn control(&self) -> Option<Control> {
        let home = self.home.clone()?;
        let guard = Arc::clone(&self.guard);
        Some(Control::start(guard, home, self.source, &notify()))
    }
}

/// The limits of the settings, by the user's prices and list prices.
fn spending(
    settings: SpendingSettings,
    prices: Prices,
    home: Option<&StateDir>,
) -> SpendingOptions {
    let is_limited = settings != SpendingSettings::default();
    SpendingOptions {
        session: SpendingLimit {
            micros: settings.session_dollars.map(micros),
            tokens: settings.session_tokens.map(NonZeroU64::get),
        },
        day: SpendingLimit {
            micros: settings.day_dollars.map(micros),
            tokens: settings.day_tokens.map(NonZeroU64::get),
        },
        warn_percent: settings.warn_percent,
        price: Box::new(move |used| {
            let listed = || {
                let price = unstuck_scan::price_of(&prices, &used.model)?;
                Some(micros(unstuck_scan::dollars(&price, used.tokens)))
            };
            used.cost_micros.or_else(listed)
        }),
        // Without limits nothing is written.
        directory: home
            .filter(|_| is_limited)
            .map(|home| home.path("spending")),
        ..SpendingOptions::default()
    }
}

/// Dollars in millionths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "settings and prices are not negative, and what is too large is the largest number"
)]
fn micros(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
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
