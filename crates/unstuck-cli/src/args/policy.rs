//! `policy`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

pub(super) const EXAMPLES: &str = r#"Examples:
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
      unstuck policy check policy.cedar --server db --call - --json"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyCommandArgs {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
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
pub(crate) struct PolicyCheckArgs {
    /// The policy file.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// A call as JSON; `-` reads it from standard input.
    #[arg(long, value_name = "JSON")]
    pub(crate) call: Option<String>,

    /// The server's name, where neither the call nor `--tool SERVER/TOOL` names it.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,

    /// The tool that is called.
    #[arg(long, value_name = "NAME", conflicts_with = "call")]
    pub(crate) tool: Option<String>,

    /// The arguments of `--tool`, as JSON; `-` reads them from standard input.
    #[arg(long, value_name = "JSON", requires = "tool")]
    pub(crate) arguments: Option<String>,

    /// The agent that calls.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// The session of that agent.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,

    /// The time of the call in milliseconds since 1970; now if there is none.
    #[arg(long, value_name = "MILLISECONDS", allow_negative_numbers = true)]
    pub(crate) at: Option<i64>,

    /// The most bytes of arguments that policies read, as for `unstuck mcp`.
    #[arg(long, value_name = "BYTES", default_value_t = unstuck_mcp::POLICY_ARGUMENTS)]
    pub(crate) max_policy_arguments: usize,

    /// Write JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
