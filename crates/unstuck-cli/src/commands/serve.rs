//! `unstuck serve`: the engine behind HTTP.

use std::{env, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use unstuck_config::Fail;
use unstuck_mcp_proxy::Listen;
use unstuck_redis::{Address, RedisOptions, RedisTallies};
use unstuck_serve::{ServiceOptions, Sidecar, SidecarOptions, Tokens, serve};
use unstuck_session::StateDir;
use unstuck_swarm::{
    DeadCallStore, DeadCalls, FileTallies, Keys, SharedOptions, SharedTallies, TallyLimits,
    TallyStore,
};
use unstuck_text::{Notice, Notify};

use super::Run;
use crate::{
    args::{Bytes, ConfigArgs, at_least_a_millisecond},
    configuration, notes,
    style::{WARNING, paint},
};

/// Guard agents of any language over HTTP.
///
/// Reads events and answers each with a decision, as `unstuck check` does, for any number of agents at the same time
/// (`POST /v1/events`). What an agent did outlives the process. Workers of a swarm share what they tried, also over several
/// machines with `--store`. `GET /v1/openapi.json` describes all requests.
///
/// Clients send the token of `UNSTUCK_SERVE_TOKEN`; without one only programs on this machine can connect. Listing and
/// resetting agents, and changing the mode, need the token of `UNSTUCK_SERVE_OPERATE_TOKEN`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Port or address to listen at, such as 8789 or 0.0.0.0:8789.
    #[arg(long, value_name = "ADDRESS", default_value = "8789")]
    listen: Listen,

    /// Name of this machine that clients may use in `Host`, such as `guard.example`. May be repeated.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Directory of the agents' state; only one process can use it. Without it `serve` in the state directory is used.
    #[arg(long, value_name = "DIRECTORY", value_hint = clap::ValueHint::DirPath)]
    state: Option<PathBuf>,

    /// Redis or Valkey for the tallies of swarms: `redis://HOST:PORT`, with commas between several nodes of a cluster, or
    /// `unix:///PATH`. Better set `UNSTUCK_STORE`, which other users of this machine cannot see. Without it they are in files.
    #[arg(long, value_name = "ADDRESS")]
    store: Option<String>,

    /// Longest wait for the tallies of swarms; a call is then judged with those of this process. Plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = at_least_a_millisecond)]
    store_timeout: Duration,

    /// Largest body of a request. Plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(16 << 20))]
    max_body: Bytes,

    /// Largest number of connections at once; half of them may be without a request that had the right token.
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: u32,

    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = r#"Examples:
  Judge an event:
    unstuck serve --listen 8789
    curl http://127.0.0.1:8789/v1/events \
      -d '{"event":"call","id":1,"tool":"read","args":{"path":"a.txt"}}'

  Share the tallies of swarms with other machines:
    export UNSTUCK_STORE=redis://cache.example UNSTUCK_SWARM_SECRET=secret
    unstuck serve"#;

/// Token of clients that send events.
const TOKEN: &str = "UNSTUCK_SERVE_TOKEN";

/// Token of clients that operate.
const OPERATE: &str = "UNSTUCK_SERVE_OPERATE_TOKEN";

/// Address of the store of tallies.
const STORE: &str = "UNSTUCK_STORE";

/// How long the store of tallies may take to answer when the server starts.
const AT_START: Duration = Duration::from_secs(1);

/// Secret under which a store knows swarms, calls and workers.
const SECRET: &str = "UNSTUCK_SWARM_SECRET";

impl Run for ServeArgs {
    fn run(&self) -> Result<ExitCode> {
        let configuration = configuration::load(&self.config)?;
        configuration::print_warnings(&configuration);
        let home = configuration::state_dir()?;
        let state = self.state.clone().unwrap_or_else(|| home.path("serve"));
        let secret = variable(SECRET).unwrap_or_else(|| configuration.settings.secret.clone());
        let is_closed = configuration.fail == Some(Fail::Closed);
        let (tallies, dead) = self.tallies(&home, &secret, state.join("waiting"))?;
        let mut sidecar = SidecarOptions::new(configuration.settings, tallies);
        sidecar.dead = Some(dead);
        sidecar.state = Some(state);
        sidecar.closed = is_closed;
        sidecar.hooks = Some(home);
        sidecar.notify = notify();

        let tokens = Tokens::new(token(TOKEN)?, token(OPERATE)?);
        let mut options = ServiceOptions::new(self.listen.0, tokens);
        options.names.clone_from(&self.allow_host);
        options.limits.body = self.max_body.to_usize();
        let least = unstuck_http::least(options.limits.body);
        options.limits.memory = options.limits.memory.max(least);
        options.limits.connections = self.max_connections as usize;
        options.notify = notify();
        serve(options, Sidecar::open(sidecar)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ServeArgs {
    /// What swarms share, with calls that wait for their store in `waiting`.
    fn tallies(
        &self,
        home: &StateDir,
        secret: &str,
        waiting: PathBuf,
    ) -> Result<(SharedTallies<Box<dyn TallyStore>>, DeadCalls)> {
        let address = self.store.clone().or_else(|| variable(STORE));
        let (store, dead): (Box<dyn TallyStore>, Box<dyn DeadCallStore>) = if let Some(address) =
            address
        {
            let address: Address = address.parse()?;
            if secret.is_empty() {
                notes::print(format_args!(
                    "unstuck: {} without {SECRET}, short arguments of calls can be guessed from what the store holds",
                    paint(WARNING, "warning:")
                ));
            }
            let store = Arc::new(RedisTallies::new(address, RedisOptions::default()));
            if let Err(error) = store.ping(AT_START) {
                notes::print(format_args!(
                    "unstuck: {} {error}; the server starts all the same",
                    paint(WARNING, "warning:")
                ));
            }
            (Box::new(Arc::clone(&store)), Box::new(store))
        } else {
            let store = FileTallies::open(home.path("swarms"), TallyLimits::default())?;
            (Box::new(store.clone()), Box::new(store))
        };
        let mut options = SharedOptions::default();
        options.within = self.store_timeout;
        options.spool = Some(waiting);
        let tallies = SharedTallies::new(store, Keys::new(secret.as_bytes()), options)?;
        Ok((tallies, DeadCalls::new(dead, self.store_timeout)))
    }
}

/// A variable of the environment that is set to something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn token(name: &str) -> Result<Option<String>> {
    let Some(token) = env::var_os(name).filter(|token| !token.is_empty()) else {
        return Ok(None);
    };
    let token = token.into_string().ok();
    let token = token.filter(|token| token.bytes().all(|byte| byte.is_ascii_graphic()));
    match token {
        Some(token) => Ok(Some(token)),
        None => bail!("{name}: a token has visible ASCII characters only"),
    }
}

/// Prints what happens while it runs.
fn notify() -> Notify {
    Notify::new(|notice| match notice {
        Notice::Warning(line) => {
            anstream::eprintln!("unstuck: {} {line}", paint(WARNING, "warning:"));
        }
        Notice::Line(line) => notes::print(format_args!("unstuck: {line}")),
        _ => {}
    })
}
