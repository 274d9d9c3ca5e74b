//! `unstuck install mcp` and `unstuck uninstall mcp`: one server of a client behind the proxy, and back.

use std::{io::Write as _, path::PathBuf, process::ExitCode};

use anyhow::{Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueHint};
use unstuck_config::nearest;
use unstuck_hosts::{
    Access, EditError, Launch, ListedServer, McpClient, Scope, ServerFile, Wrapper,
};

use super::{ask, copy_step, declined, due_copy, note_unfit, receipts, replaces};
use crate::{
    args::{self, client, scopes},
    commands::Run,
    install::{
        Applied, Backup, Change, Direction, Place, Replaces, ServerReceipt, apply, command, read,
    },
    notes, person,
    style::{CODE, HEADING, paint},
};

/// Put an MCP server of a client behind the proxy.
///
/// Changes the server's entry in the client's configuration so that `unstuck mcp` starts it: the command becomes
/// unstuck, and the command that stood there goes behind `--`. Comments, layout, environment and the server's name
/// stay. The change is shown first, and you are asked; without a terminal, add `--yes`. A backup is kept. Restart the
/// client afterwards.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(super) struct InstallMcpArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Program that the client is to run, if not this one. A bare name such as `unstuck` is looked for on PATH.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    binary: Option<PathBuf>,

    /// Options for `unstuck mcp`, behind `--`, such as `-- --policy db.cedar`.
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// A server of a client, and what to do about its entry.
#[derive(Debug, ClapArgs)]
pub(crate) struct ServerArgs {
    /// MCP client that starts the server, such as `cursor`.
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: McpClient,

    /// Name of the server in the client's configuration.
    #[arg(value_name = "SERVER")]
    server: String,

    /// Whose files are changed: only yours, or only those of this project; both are searched unless given.
    #[arg(long, value_name = "SCOPE", value_parser = scopes())]
    scope: Option<Scope>,

    /// Make the changes without asking. Required where there is no terminal to ask on.
    #[arg(long, short)]
    yes: bool,

    /// Show what would be changed, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  The server `files` of Cursor, wherever Cursor lists it:
    unstuck install mcp cursor files

  For everyone in this project, with another preset and policies:
    unstuck install mcp claude-code db --scope project -- \\
      --preset ironcurtain --policy db.cedar

  See what would be changed:
    unstuck install mcp codex files --dry-run

A server that the client reaches by a URL is not started by the client, so there
is no command to change. Run the proxy yourself, and give the client its
address:
    unstuck mcp --name files --listen 8790 --upstream https://example.com/mcp
    http://127.0.0.1:8790/mcp";

impl Run for InstallMcpArgs {
    fn run(&self) -> Result<ExitCode> {
        install(self)
    }
}

/// Options of the proxy that name a file.
const PATHS: [&str; 3] = ["--policy", "--audit", "--config"];

/// A place that was looked at, with what it lists.
struct Looked {
    file: ServerFile,
    text: String,
    servers: Vec<ListedServer>,
}

fn install(args: &InstallMcpArgs) -> Result<ExitCode> {
    let place = Place::here()?;
    let ServerArgs { client, server, .. } = &args.server;
    let looked = find(&args.server, &place)?;
    let file = place.short(&looked.file.path);
    let title = title(*client, server);
    match looked.launch(server) {
        Some(Launch::Wrapped { program }) => {
            writeln!(
                anstream::stdout().lock(),
                "{title}: runs behind {program} already, by {file}"
            )?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Launch::Url(url)) => bail!("{}", by_url(*client, server, url, &file)),
        Some(Launch::Plain) => {}
        _ => bail!("{file}: the entry of `{server}` has no command that could be run by another"),
    }
    let (scope, chosen) = (looked.file.scope, args.binary.as_deref());
    if let Some(chosen) = chosen {
        note_unfit(chosen, &place);
    }
    // The program for hooks is not a proxy.
    let invocation = command(&place, scope, chosen)?;
    let wrapper = Wrapper {
        program: invocation.program.clone(),
        options: options(&args.options, looked.file.scope)?,
    };
    let wrapped = looked.file.wrap(&looked.text, server, &wrapper);
    let wrapped = wrapped.map_err(|error| refused(&looked.file, &error))?;
    let wrapped =
        wrapped.ok_or_else(|| anyhow!("{file}: the entry of `{server}` is not understood"))?;
    let receipts = receipts()?;
    let receipt = ServerReceipt {
        path: looked.file.path.clone(),
        client: client.name().to_owned(),
        server: server.clone(),
        changes: wrapped.changes,
    };
    // The backup that is worth most is the one without any proxy in it.
    let is_first = !looked.servers.iter().any(is_wrapped);
    let change = Change {
        path: looked.file.path,
        before: Some(looked.text),
        after: Some(wrapped.text),
        access: Access::Data,
        backup: if is_first {
            Backup::Keep
        } else {
            Backup::Needless
        },
        direction: Direction::Wrap(receipt),
        replaces: Replaces::Nothing,
    };
    let changes = [change];
    let due = due_copy(&place, scope, chosen)?;
    if replaces(&changes, due.as_ref(), &place, &receipts) && !args.server.dry_run {
        person::ensure()?;
    }
    let step = copy_step(due.as_ref(), &invocation, &changes, &place, &receipts);
    let ask = ask(args.server.yes, args.server.dry_run);
    match apply(&changes, step, &receipts, &place, ask)? {
        Applied::Declined => return declined(),
        Applied::Shown => {}
        Applied::Done => {
            let undo = paint(CODE, &format!("unstuck uninstall mcp {client} {server}"));
            notes::confirm(format_args!(
                "{title}: runs behind the proxy from its next start on\nTake it out again: {undo}"
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn uninstall(args: &ServerArgs) -> Result<ExitCode> {
    if !args.dry_run {
        person::ensure()?;
    }
    let place = Place::here()?;
    let looked = find(args, &place)?;
    let receipts = receipts()?;
    let receipt = receipts.find_server(&looked.file.path, &args.server);
    let changes = receipt.as_ref().map(|receipt| &receipt.changes);
    let unwrapped = looked.file.unwrap(&looked.text, &args.server, changes);
    let title = title(args.client, &args.server);
    let Some(text) = unwrapped.map_err(|error| refused(&looked.file, &error))? else {
        let file = place.short(&looked.file.path);
        writeln!(
            anstream::stdout().lock(),
            "{title}: is not behind the proxy in {file}"
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    let change = Change {
        path: looked.file.path,
        before: Some(looked.text),
        after: Some(text),
        access: Access::Data,
        backup: Backup::Keep,
        direction: Direction::Unwrap {
            server: args.server.clone(),
        },
        replaces: Replaces::Guard,
    };
    let changes = [change];
    let step = place.copy().step_after(&changes, &place, &receipts);
    match apply(
        &changes,
        step,
        &receipts,
        &place,
        ask(args.yes, args.dry_run),
    )? {
        Applied::Declined => return declined(),
        Applied::Shown => {}
        Applied::Done => notes::confirm(format_args!(
            "{title}: runs without the proxy from its next start on"
        ))?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Looked {
    fn launch(&self, server: &str) -> Option<&Launch> {
        // The last one of a name is the one that readers take.
        let mut servers = self.servers.iter().rev();
        let found = servers.find(|listed| listed.name == server)?;
        Some(&found.launch)
    }
}

/// The place that lists the server.
fn find(args: &ServerArgs, place: &Place) -> Result<Looked> {
    let ServerArgs { client, server, .. } = args;
    let mut files = place.with(|around| client.files(around));
    files.retain(|file| args.scope.is_none_or(|scope| scope == file.scope));
    let mut paths: Vec<_> = files.iter().map(|file| place.short(&file.path)).collect();
    paths.dedup();
    let paths = paths.join(", ");
    let title = client.title();
    if files.is_empty() {
        let scope = args.scope.map_or("any", Scope::name);
        bail!("{title} lists no servers by {scope}; leave --scope out");
    }
    let mut all = Vec::new();
    for file in files {
        let Some(text) = read(&file.path)? else {
            continue;
        };
        let servers = file.servers(&text);
        let servers = servers.map_err(|error| refused(&file, &error))?;
        all.push(Looked {
            file,
            text,
            servers,
        });
    }
    if all.is_empty() {
        bail!("no configuration of {title} is here; looked for {paths}");
    }
    let names = all.iter().flat_map(|looked| &looked.servers);
    let names: Vec<_> = names.map(|listed| listed.name.clone()).collect();
    all.retain(|looked| looked.launch(server).is_some());
    if all.len() > 1 && args.scope.is_none() {
        let places: Vec<_> = all
            .iter()
            .map(|looked| format!("{} ({})", place.short(&looked.file.path), looked.file.scope))
            .collect();
        let places = places.join(" and ");
        bail!("`{server}` is listed in {places}; say which one is meant with --scope");
    }
    // The first one counts for the client, too.
    let Some(found) = all.into_iter().next() else {
        if names.is_empty() {
            bail!("{title} lists no servers; looked into {paths}");
        }
        let hint = nearest(server, names.iter().map(String::as_str));
        let hint = hint.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        let names = names.join(", ");
        bail!("{title} lists no server `{server}`{hint}\nThere are: {names}; looked into {paths}");
    };
    Ok(found)
}

/// Options of the proxy, which are read now, before a client starts it with them. A path in a user's own file means the one
/// that is meant here: the client starts servers somewhere else.
fn options(given: &[String], scope: Scope) -> Result<Vec<String>> {
    let words = ["unstuck", "mcp"].into_iter();
    let words = words
        .chain(given.iter().map(String::as_str))
        .chain(["--", "server"]);
    if let Err(error) = args::command().try_get_matches_from(words) {
        let error = error.to_string();
        let error = error.trim_start_matches("error: ");
        bail!("these are not options of `unstuck mcp`: {error}");
    }
    if scope == Scope::Project {
        return Ok(given.to_vec());
    }
    let mut options = Vec::new();
    let mut is_path = false;
    for word in given {
        let (flag, path) = match word.split_once('=') {
            Some((flag, path)) if PATHS.contains(&flag) => (format!("{flag}="), path),
            _ => (String::new(), word.as_str()),
        };
        if is_path || !flag.is_empty() {
            let path = std::path::absolute(path)?;
            options.push(format!("{flag}{}", path.display()));
        } else {
            options.push(word.clone());
        }
        is_path = PATHS.contains(&word.as_str());
    }
    Ok(options)
}

fn is_wrapped(listed: &ListedServer) -> bool {
    matches!(listed.launch, Launch::Wrapped { .. })
}

/// What to do about a server that the client does not start.
fn by_url(client: McpClient, server: &str, url: &str, file: &str) -> String {
    let title = client.title();
    let address = without_secrets(url);
    format!(
        "{title} reaches `{server}` by a URL ({address}), so there is no command to change\n\
         Run the proxy yourself:\n  \
         unstuck mcp --name {server} --listen 127.0.0.1:8790 --upstream {address}\n\
         and put its address into {file}: http://127.0.0.1:8790/mcp"
    )
}

/// A URL may carry keys as a name and password, or behind `?`.
fn without_secrets(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = host.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

/// Says where a file is not understood.
fn refused(file: &ServerFile, error: &EditError) -> anyhow::Error {
    anyhow!(
        "{}:{}:{}: {error}\nnothing was changed; correct the file first",
        file.path.display(),
        error.line,
        error.column
    )
}

fn title(client: McpClient, server: &str) -> String {
    paint(HEADING, &format!("{server} of {}", client.title()))
}
