//! `unstuck run`: a command with a guard between it and the APIs of its models.

use std::{
    env,
    ffi::OsString,
    fs,
    path::PathBuf,
    process::{Command, ExitCode, ExitStatus},
};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, ValueHint};
use unstuck_llm_proxy::{CodexProvider, Proxy, Wiring};
use unstuck_mcp_proxy::Listen;
use unstuck_session::PROXY_VARIABLE;

use super::{
    Run,
    proxy::{Guarded, LlmArgs, options},
};
use crate::{args::ConfigArgs, notes, supervised};

/// Run a command with a guard between it and the APIs of its models.
///
/// Starts a proxy as `unstuck proxy` does, at a port of its own, and the command with its base URLs set to it: Claude Code,
/// Codex, Gemini CLI, Qwen Code, OpenCode, Copilot CLI with a provider of one's own, and every program that reads
/// `ANTHROPIC_BASE_URL`, `OPENAI_BASE_URL`, `OPENAI_API_BASE` or `GOOGLE_GEMINI_BASE_URL`. Addresses that are set already
/// are where the proxy sends requests. The proxy ends with the command, and the exit code is the command's.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    guard: LlmArgs,

    #[command(flatten)]
    config: ConfigArgs,

    /// The command and its arguments, such as `claude -p "fix the test"`.
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true, value_hint = ValueHint::CommandWithArguments)]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  Run one task of an agent, guarded:
    unstuck run -- claude -p 'fix the failing test'
    unstuck run -- codex exec 'fix the failing test'

  Only print what would have been done:
    UNSTUCK_MODE=observe unstuck run -- gemini -p 'fix the failing test'";

impl Run for RunArgs {
    fn run(&self) -> Result<ExitCode> {
        let Some((program, rest)) = self.command.split_first() else {
            bail!("give a command after `--`");
        };
        let name = program.to_string_lossy();
        let wiring = Wiring::of(&name, |name| env::var(name).ok(), codex())?;
        let guarded = Guarded::new(&self.config, &self.guard)?;
        let listen: Listen = Listen(([127, 0, 0, 1], 0).into());
        let targets = wiring.targets(&self.guard.upstream);
        let control = guarded.control();
        let proxy = Proxy::start(options(listen, &self.guard, targets), guarded.guard)?;
        let address = proxy.address();
        notes::detail(format_args!("unstuck: guards {name} at http://{address}"));
        let mut command = Command::new(program);
        command
            .args(wiring.arguments(address))
            .args(rest)
            .envs(wiring.variables(address))
            // Hooks of the agent record only, while this proxy guards its session.
            .envs(
                control
                    .as_ref()
                    .and_then(|it| Some((PROXY_VARIABLE, it.id()?))),
            );
        let status = supervised::run(command).with_context(|| format!("cannot run {name}"));
        proxy.stop();
        drop(control);
        Ok(exit_code(status?))
    }
}

/// What the user's settings of Codex say.
fn codex() -> CodexProvider {
    let home = env::var_os("CODEX_HOME").map(PathBuf::from).or_else(|| {
        let home = etcetera::home_dir().ok()?;
        Some(home.join(".codex"))
    });
    let settings = home.and_then(|home| fs::read_to_string(home.join("config.toml")).ok());
    CodexProvider::read(&settings.unwrap_or_default())
}

/// The exit code of a command; 128 and the signal's number, as shells have it.
fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let code = {
        use std::os::unix::process::ExitStatusExt as _;
        let signal = status.signal().map(|signal| 128 + signal);
        status.code().or(signal)
    };
    #[cfg(not(unix))]
    let code = status.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
