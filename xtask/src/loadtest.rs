//! `cargo xtask loadtest`: many sessions through sidecars and one store, with faults.

mod client;
mod programs;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use unstuck_dev::{Install, Missing, Profile, REDIS, Shell, build};

use client::Client;
use programs::{Program, free_port};

/// Events of one request: a call, its result, the end of the turn.
const EVENTS: u64 = 3;

#[derive(Debug, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Program to load, in place of the one that is shipped
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Sessions, spread over the connections
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    sessions: u64,
    /// Connections that send requests at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 16)]
    connections: u64,
    /// Sidecars, each with a part of the sessions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    sidecars: usize,
    /// Rounds: requests for each session
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    rounds: u64,
    /// Tallies of swarms in a Redis that is started here, in place of files
    #[arg(long)]
    redis: bool,
    /// Kill the store and start it again while it is used
    #[arg(long, requires = "redis")]
    restart_store: bool,
    /// Kill each sidecar and start it again while it is used
    #[arg(long)]
    kill_sidecars: bool,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => build(shell, Profile::Dist)?,
    };
    ensure!(
        options.sidecars > 0 && options.connections > 0,
        "there is nothing to load"
    );
    let home = shell.root().join("target/loadtest");
    if home.exists() {
        std::fs::remove_dir_all(&home)?;
    }
    std::fs::create_dir_all(&home)?;
    let mut store = None;
    let mut environment = vec![("UNSTUCK_SWARM_SECRET".to_owned(), "loadtest".to_owned())];
    if options.redis {
        if let Err(Missing(why)) = REDIS.ensure(shell, Install::Missing) {
            anyhow::bail!(why);
        }
        let port = free_port()?;
        store = Some(Program::redis(&home, port)?);
        environment.push((
            "UNSTUCK_STORE".to_owned(),
            format!("redis://127.0.0.1:{port}"),
        ));
    }
    environment.push((
        "UNSTUCK_SERVE_OPERATE_TOKEN".to_owned(),
        "operate".to_owned(),
    ));
    let sidecars = (0..options.sidecars).map(|number| {
        let home = home.join(format!("sidecar-{number}"));
        Program::sidecar(&program, &home, free_port()?, &environment)
    });
    let sidecars: Vec<_> = sidecars.collect::<Result<_>>()?;
    let ports: Vec<_> = sidecars.iter().map(|sidecar| sidecar.port).collect();
    let empty: u64 = sidecars.iter().map(Program::resident).sum();

    let load = Load::default();
    let start = Instant::now();
    thread::scope(|scope| -> Result<()> {
        let threads: Vec<_> = (0..options.connections)
            .map(|connection| {
                let (load, ports) = (&load, &ports);
                scope.spawn(move || load.run(options, ports, connection))
            })
            .collect();
        faults(options, &load, store.as_ref(), &sidecars)?;
        for thread in threads {
            thread
                .join()
                .map_err(|_| anyhow::anyhow!("a connection panicked"))??;
        }
        Ok(())
    })?;
    let elapsed = start.elapsed();
    let full: u64 = sidecars.iter().map(Program::resident).sum();
    load.print(options, elapsed, full.saturating_sub(empty));
    let missing = load.missing(options, &ports)?;
    println!("events that were answered and are missing: {missing}");
    for port in &ports {
        let metrics = Client::connect(*port)?.get("/metrics")?;
        for line in metrics
            .lines()
            .filter(|line| line.starts_with("unstuck_tallies"))
        {
            println!("{port} {line}");
        }
    }
    ensure!(
        missing == 0,
        "{missing} events that were answered are missing"
    );
    Ok(ExitCode::SUCCESS)
}

/// Kills what the options name, once while a third of the requests is done and once at two thirds.
fn faults(
    options: &Options,
    load: &Load,
    store: Option<&Program>,
    sidecars: &[Program],
) -> Result<()> {
    if !options.restart_store && !options.kill_sidecars {
        return Ok(());
    }
    let all = options.sessions * options.rounds;
    for third in [all / 3, all * 2 / 3] {
        while load.requests.load(Relaxed) < third {
            thread::sleep(Duration::from_millis(20));
        }
        if options.restart_store
            && let Some(store) = store
        {
            println!("kills the store and starts it again");
            store.restart()?;
        }
        if options.kill_sidecars {
            for sidecar in sidecars {
                println!("kills the sidecar at {} and starts it again", sidecar.port);
                sidecar.restart()?;
            }
        }
    }
    Ok(())
}

/// What the connections have done.
#[derive(Default)]
struct Load {
    requests: AtomicU64,
    /// Requests that were not answered, because the sidecar was killed.
    broken: AtomicU64,
    /// Microseconds of each answered request.
    times: Mutex<Vec<u64>>,
    /// Answered events of each session.
    answered: Mutex<Vec<(u64, u64)>>,
}

impl Load {
    fn run(&self, options: &Options, ports: &[u16], connection: u64) -> Result<()> {
        let own = (connection..options.sessions).step_by(options.connections as usize);
        let mut sessions: Vec<(u64, u64)> = own.map(|session| (session, 0)).collect();
        let mut times = Vec::new();
        let mut clients: Vec<Option<Client>> = ports.iter().map(|_| None).collect();
        for round in 0..options.rounds {
            for (session, answered) in &mut sessions {
                let at = *session as usize % ports.len();
                let body = request(*session, round);
                let start = Instant::now();
                let client = match clients[at].take() {
                    Some(client) => Ok(client),
                    None => Client::connect(ports[at]),
                };
                let sent = client.and_then(|mut client| {
                    let answer = client.post("/v1/events", &body)?;
                    // A call that is known to fail is denied before the engine sees it.
                    let unseen = answer.matches(r#""rule":"known-dead""#).count() as u64;
                    Ok((client, EVENTS - unseen))
                });
                self.requests.fetch_add(1, Relaxed);
                match sent {
                    Ok((client, seen)) => {
                        clients[at] = Some(client);
                        times.push(start.elapsed().as_micros() as u64);
                        *answered += seen;
                    }
                    Err(_) if options.kill_sidecars => {
                        self.broken.fetch_add(1, Relaxed);
                        thread::sleep(Duration::from_millis(20));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        self.times
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .append(&mut times);
        let mut all = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(&mut sessions);
        Ok(())
    }

    fn print(&self, options: &Options, elapsed: Duration, resident: u64) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.sort_unstable();
        let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(0);
        let requests = times.len() as u64;
        let milliseconds = u64::try_from(elapsed.as_millis())
            .unwrap_or(u64::MAX)
            .max(1);
        println!("sessions: {}", options.sessions);
        println!(
            "requests answered: {requests}, not answered: {}",
            self.broken.load(Relaxed)
        );
        println!(
            "events per second: {}",
            requests * EVENTS * 1_000 / milliseconds
        );
        println!(
            "request of {EVENTS} events: p50 {} µs, p99 {} µs",
            at(50),
            at(99)
        );
        println!(
            "resident memory for each session: {} bytes",
            resident / options.sessions.max(1)
        );
    }

    /// Answered events that the sidecars do not know.
    fn missing(&self, options: &Options, ports: &[u16]) -> Result<u64> {
        let mut missing = 0;
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut clients: Vec<_> = ports
            .iter()
            .map(|port| Client::connect(*port))
            .collect::<Result<_>>()?;
        let step = (options.sessions / 2_000).max(1) as usize;
        for (session, expected) in answered.iter().step_by(step) {
            let client = &mut clients[*session as usize % ports.len()];
            let text = client.get(&format!("/v1/sessions/s{session}"))?;
            let value: Value = serde_json::from_str(&text)?;
            let events = value["agents"][0]["events"].as_u64();
            let events = events.with_context(|| format!("session s{session}: {text}"))?;
            missing += expected.saturating_sub(events);
        }
        Ok(missing)
    }
}

/// A healthy call, and now and then one that fails for the whole swarm.
fn request(session: u64, round: u64) -> String {
    let (tool, argument, status) = if session.is_multiple_of(10) {
        ("web_fetch", "https://a.example/dead".to_owned(), "error")
    } else {
        ("read_file", format!("src/{session}/{round}.rs"), "ok")
    };
    let names = format!(r#""session":"s{session}","swarm":"crew-{}""#, session / 100);
    let id = round;
    format!(
        r#"{{"event":"call","id":{id},"tool":"{tool}","args":{{"path":"{argument}"}},{names}}}
{{"event":"result","id":{id},"status":"{status}","output":"line {round}",{names}}}
{{"event":"turn",{names}}}"#
    )
}
