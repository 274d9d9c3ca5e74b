//! `unstuck mcp --listen`: the guard between clients that come by HTTP and one server or several.

use std::{collections::BTreeMap, env, path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use unstuck_mcp_proxy::{
    Backend, Credentials, HttpOptions, Launch, Limits, Listen, PassedHeaders, SessionLimits,
    TOKEN_VARIABLE, read_servers, serve,
};

use super::{McpArgs, name_of, notify, policies, reach, shared};
use crate::configuration;

pub(super) fn run(args: &McpArgs, listen: Listen) -> Result<ExitCode> {
    let token = token(args)?;
    let (servers, settings_file) = servers(args)?;
    let mut config = args.config.clone();
    config.config = settings_file;
    let configuration = configuration::load(&config)?;
    configuration::print_warnings(&configuration);
    let (file, policy) = policies(args)?;
    let mut reach = reach(&configuration, servers.keys().cloned().collect());
    let mut guarded = Vec::new();
    let mut timeline = None;
    for (name, behind) in servers {
        let shared = shared(
            args,
            &name,
            (
                configuration.settings.clone(),
                configuration.fail,
                &mut timeline,
            ),
            policy.clone(),
        )?;
        guarded.push((name, behind, shared));
    }
    let listener = HttpOptions {
        address: listen.0,
        token,
        hosts: args.http.allow_host.clone(),
        credentials: credentials(args),
        passed: passed(args)?,
        limits: Limits {
            message: args.max_message.to_usize(),
            memory: args.http.max_memory.to_usize(),
            connections: args.http.max_connections as usize,
            sessions: SessionLimits {
                most: args.http.max_sessions as usize,
                per_peer: args.http.sessions_per_peer.map(|most| most as usize),
                idle: args.http.session_idle,
            },
            read: args.http.read_timeout,
            answer: args.http.answer_timeout,
        },
        notify: notify(),
    };
    reach.look(guarded.iter().map(|(name, _, shared)| (&**name, shared)));
    serve(&listener, guarded, file, reach)
}

fn credentials(args: &McpArgs) -> Credentials {
    if args.http.forward_authorization {
        Credentials::Forward
    } else {
        Credentials::Keep
    }
}

/// Headers that servers get beside the usual ones.
fn passed(args: &McpArgs) -> Result<PassedHeaders> {
    let mut passed = PassedHeaders::new(credentials(args));
    for name in &args.http.pass_header {
        passed.add(name)?;
    }
    Ok(passed)
}

/// The servers by name, and the file with settings.
fn servers(args: &McpArgs) -> Result<(BTreeMap<String, Backend>, Option<PathBuf>)> {
    let http = &args.http;
    let is_list = |path: &&PathBuf| path.extension().is_some_and(|end| end == "json");
    let list = args.config.config.as_ref().filter(is_list);
    let settings = args.config.config.clone().filter(|path| Some(path) != list);
    let ways = [
        http.upstream.is_some(),
        http.servers.is_some(),
        list.is_some(),
        !args.command.is_empty(),
    ];
    if ways.iter().filter(|given| **given).count() != 1 {
        bail!("give one of --upstream URL, --servers FILE, or a command after `--`");
    }
    if let Some(file) = http.servers.as_ref().or(list) {
        if args.name.is_some() {
            bail!("--name is for one server; {} names them", file.display());
        }
        return Ok((read_servers(file)?, settings));
    }
    let (name, behind) = if let Some(url) = &http.upstream {
        let url = unstuck_http::url(url)?;
        let host = url.host().unwrap_or_default();
        let host = host.trim_matches(['[', ']']).to_owned();
        (host, Backend::url(url, &http.upstream_header)?)
    } else {
        let launch = Launch {
            words: args.command.clone(),
            environment: Vec::new(),
            directory: None,
        };
        (name_of(&args.command), Backend::Command(launch))
    };
    let name = args.name.clone().unwrap_or(name);
    Ok((BTreeMap::from([(name, behind)]), settings))
}

fn token(args: &McpArgs) -> Result<Option<String>> {
    let token = match &args.http.token {
        Some(token) => Some(token.clone()),
        None => env::var(TOKEN_VARIABLE).ok(),
    };
    let Some(token) = token else { return Ok(None) };
    if args.http.forward_authorization {
        bail!("with a token of its own, `unstuck mcp` cannot pass Authorization on");
    }
    let plain = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    if !plain {
        bail!("a token has visible ASCII characters only, and at least one");
    }
    Ok(Some(token))
}
