//! What is known of a host: all that the author of a host's file has to read.

use std::path::PathBuf;

use crate::{
    answer::{Answer, Output},
    hook::{DecodeError, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{CanaryCall, CanaryInput, Evidence, Plan, PlannedFile, Scope, Surroundings, Trust},
};

/// Looks up an environment variable of the hook's process.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Everything about one host. Every field has to be set: a host without something says so.
pub(crate) struct HostSpec {
    /// Name on the command line, in kebab-case.
    pub(crate) name: &'static str,
    /// Name as people write it.
    pub(crate) title: &'static str,
    /// Names under which its program is found on `PATH`.
    pub(crate) programs: &'static [&'static str],
    /// Names of the processes that run the agent's commands.
    pub(crate) processes: &'static [&'static str],
    /// Environment variables that the agent sets for the commands that it runs.
    pub(crate) variables: &'static [&'static str],
    /// Reading and answering its hooks.
    pub(crate) hooks: Hooks,
    /// Registering its hooks.
    pub(crate) install: Install,
    /// The files in which it lists MCP servers; where several list the same server, the first counts. `None` if it has none
    /// that are understood.
    pub(crate) server_files: Option<fn(&Surroundings<'_>) -> Vec<ServerFile>>,
    /// Where it records its sessions.
    pub(crate) recordings: Recordings,
}

/// Inputs and answers of a host's hooks.
pub(crate) struct Hooks {
    /// Events to register, as the host names them.
    pub(crate) events: &'static [&'static str],
    /// What sends the inputs.
    pub(crate) sender: Sender,
    /// Whether an input is this host's, whichever host the hook was registered for.
    pub(crate) recognises: fn(&Payload<'_>, Environment<'_>) -> Recognition,
    /// Reads an input. The text is the event that is named on the command line, for hosts whose input does not name it.
    pub(crate) decode: fn(&Payload<'_>, Option<&str>, Environment<'_>) -> Result<Hook, DecodeError>,
    /// Moments at which text can be put in front of the model without stopping anything.
    pub(crate) text_at: &'static [Moment],
    /// What a denial does.
    pub(crate) denial: Denial,
    /// When the host lets a hook end the run.
    pub(crate) halt: Halt,
    /// Whether the host reports results of calls.
    pub(crate) results: Results,
    /// Writes an answer that is more than "continue".
    pub(crate) encode: fn(&Hook, &Answer) -> Output,
    /// Standard output that means "continue".
    pub(crate) go_on: &'static str,
}

/// What sends the inputs of hooks that were registered for a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// The host, or another one that reads the host's files.
    Agent,
    /// A plugin of ours: the input is this host's, whatever it looks like.
    OurPlugin,
}

/// How surely an input is a host's. The surest host wins; between equally sure ones the first in the list of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Recognition {
    /// It may be any host's.
    Unknown,
    /// It looks like this host's, and relatives of the host write similar inputs.
    Likely,
    /// It has fields or names that only this host combines.
    Typical,
    /// It has a field that only this host has.
    Certain,
}

/// What a denial does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    /// It stops one call, and the run continues.
    StopsTheCall,
    /// There is none.
    Unavailable,
}

/// When the host lets a hook end the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// At any hook, or at none: then every further call is denied.
    Anywhere,
    /// Only when it asks for permission.
    WhenAsked,
}

/// Whether results of calls are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Results {
    /// They are.
    Reported,
    /// Only calls are.
    Unreported,
}

/// Registration of a host's hooks.
pub(crate) struct Install {
    /// How it is known that the hooks work.
    pub(crate) evidence: Evidence,
    /// Files to write or change.
    pub(crate) files: fn(Scope, &Surroundings<'_>, &Invocation) -> Vec<PlannedFile>,
    /// Every file that may hold our hooks: also those that `files` would not choose now.
    pub(crate) all_files: fn(Scope, &Surroundings<'_>, &Invocation) -> Vec<PlannedFile>,
    /// Steps for a person, with the scopes that they belong to.
    pub(crate) by_hand: &'static [(&'static [Scope], &'static str)],
    /// Whether the host runs the hooks that are registered.
    pub(crate) trust: fn(&Plan, &Surroundings<'_>) -> Trust,
    /// Directories that exist where the host was used.
    pub(crate) directories: fn(&Surroundings<'_>) -> Vec<PathBuf>,
    /// Inputs of the hooks before and after a call.
    pub(crate) canary: fn(&CanaryCall<'_>) -> Vec<CanaryInput>,
    /// What `files` writes behind our command, for POSIX shells and for those of Windows.
    pub(crate) command_endings: &'static [&'static str],
    /// Where the manifest lies in a folder that the host takes as a plugin.
    pub(crate) plugin_manifest: Option<&'static str>,
}

/// Where a host records its sessions.
pub(crate) enum Recordings {
    /// In the places of this transcript format, by its name.
    Read(&'static str),
    /// In these places, in a format that is not known.
    Unread(fn(&Surroundings<'_>) -> Vec<PathBuf>),
}

/// Trust in hooks, for hosts that run whatever is registered.
pub(crate) fn no_trust_needed(_: &Plan, _: &Surroundings<'_>) -> Trust {
    Trust::Granted
}

/// Recognition of a host that leaves no mark: its hooks are those that were registered for it.
pub(crate) fn by_registration(_: &Payload<'_>, _: Environment<'_>) -> Recognition {
    Recognition::Unknown
}
