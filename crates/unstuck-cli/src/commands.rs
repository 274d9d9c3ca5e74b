//! The commands. Each is a file with its arguments and what it does, and a row here.

pub(crate) mod allow;
mod audit;
mod check;
pub(crate) mod completions;
mod config;
mod doctor;
pub(crate) mod explain;
mod generate;
mod hook;
mod init;
mod install;
mod man;
mod mcp;
mod mcp_control;
pub(crate) mod mode;
mod policy;
mod proxies;
mod proxy;
mod reset;
mod rules;
mod run;
pub(crate) mod scan;
mod schema;
mod serve;
pub(crate) mod sessions;
mod status;
mod statusline;
mod top;
mod tune;
mod uninstall;

use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, Args, Command};

/// The commands, in the order in which help lists them.
pub(crate) static ALL: &[Row] = &[
    Row::of::<scan::ScanArgs>("scan", Group::Find),
    Row::of::<top::TopArgs>("top", Group::Find),
    Row::of::<tune::TuneArgs>("tune", Group::Find),
    Row::of::<init::InitArgs>("init", Group::Guard),
    Row::of::<install::InstallArgs>("install", Group::Guard),
    Row::of::<uninstall::UninstallArgs>("uninstall", Group::Guard),
    Row::of::<doctor::DoctorArgs>("doctor", Group::Guard),
    Row::of::<status::StatusArgs>("status", Group::Guard),
    Row::of::<sessions::SessionsArgs>("sessions", Group::Guard),
    Row::of::<reset::ResetArgs>("reset", Group::Guard),
    Row::of::<allow::AllowArgs>("allow", Group::Guard),
    Row::of::<mode::ModeArgs>("mode", Group::Guard),
    Row::of::<run::RunArgs>("run", Group::Guard),
    Row::of::<proxy::ProxyArgs>("proxy", Group::Guard),
    Row::of::<serve::ServeArgs>("serve", Group::Guard),
    Row::of::<check::CheckArgs>("check", Group::Guard),
    Row::of::<mcp::McpArgs>("mcp", Group::Mcp),
    Row::of::<audit::AuditArgs>("audit", Group::Mcp),
    Row::of::<policy::PolicyArgs>("policy", Group::Mcp),
    Row::of::<mcp_control::ControlArgs>("mcp-control", Group::Mcp),
    Row::of::<rules::RulesArgs>("rules", Group::Settings),
    Row::of::<explain::ExplainArgs>("explain", Group::Settings),
    Row::of::<config::ConfigCommandArgs>("config", Group::Settings),
    Row::of::<schema::SchemaArgs>("schema", Group::Settings),
    Row::of::<hook::HookArgs>("hook", Group::Plumbing),
    Row::of::<statusline::StatuslineArgs>("statusline", Group::Plumbing),
    Row::of::<completions::CompletionsArgs>("completions", Group::Plumbing),
    Row::of::<man::ManArgs>("man", Group::Plumbing),
    Row::of::<generate::GenerateArgs>("generate", Group::Internal),
];

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Loops in what agents did.
    Find,
    /// Coding agents, and their hooks.
    Guard,
    /// MCP servers behind the proxy.
    Mcp,
    /// Rules and configuration.
    Settings,
    /// Run by other programs: help names them in one line.
    Plumbing,
    /// Run by the build of this project.
    Internal,
}

/// Arguments of a command, and what it does with them.
pub(crate) trait Run: Args {
    fn run(&self) -> Result<ExitCode>;
}

/// A command.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    define: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode>,
}

impl Group {
    /// The groups that help lists, with their headings.
    pub(crate) const LISTED: [(Self, &'static str); 4] = [
        (Self::Find, "Find loops"),
        (Self::Guard, "Guard agents"),
        (Self::Mcp, "Guard MCP servers"),
        (Self::Settings, "Rules and settings"),
    ];
}

impl Row {
    const fn of<T: Run>(name: &'static str, group: Group) -> Self {
        Self {
            name,
            group,
            define: T::augment_args,
            run: |matches| T::from_arg_matches(matches)?.run(),
        }
    }

    /// The command's definition.
    pub(crate) fn command(&self) -> Command {
        let is_listed = !matches!(self.group, Group::Plumbing | Group::Internal);
        (self.define)(Command::new(self.name)).hide(!is_listed)
    }

    /// Runs the command with arguments that were parsed by its definition.
    pub(crate) fn run(&self, matches: &ArgMatches) -> Result<ExitCode> {
        (self.run)(matches)
    }
}
