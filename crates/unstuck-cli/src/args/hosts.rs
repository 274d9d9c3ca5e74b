//! Names of agents, MCP clients and scopes, as arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use unstuck_hosts::{Host, McpClient, Scope};

/// Parses the name of an agent, and keeps it as text.
pub(crate) fn host_names() -> PossibleValuesParser {
    let names = Host::ALL.map(|host| PossibleValue::new(host.name()).help(host.title()));
    PossibleValuesParser::new(names)
}

/// Parses the name of an agent.
pub(crate) fn hosts() -> impl TypedValueParser<Value = Host> {
    host_names().try_map(|name| name.parse::<Host>())
}

/// Parses the name of an MCP client.
pub(crate) fn client() -> impl TypedValueParser<Value = McpClient> {
    let names =
        McpClient::all().map(|client| PossibleValue::new(client.name()).help(client.title()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<McpClient>())
}

/// Parses whose files are meant.
pub(crate) fn scopes() -> impl TypedValueParser<Value = Scope> {
    let help = |scope| match scope {
        Scope::User => "the user's own files",
        Scope::Project => "files in the project, for everyone who works on it",
    };
    let names = Scope::ALL.map(|scope| PossibleValue::new(scope.name()).help(help(scope)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Scope>())
}
