//! `cargo xtask bench-mcp-http`: what `unstuck mcp --listen` adds to a call.
//!
//! The same calls go to the same server directly and through the proxy, to a server by HTTP and to one that the proxy
//! starts itself.

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use unstuck_dev::{CmdExt as _, Shell, build_example};

use crate::load::Load;
use crate::round_trips::{Measured, Options};

/// Calls of 100 bytes in a run unless the option says otherwise.
const CALLS: u32 = 10_000;

/// The most that may be added to the slowest call in a hundred of 100 bytes, in microseconds.
const MOST_ADDED: f64 = 5_000.0;

/// Smallest part of the direct server's calls per second that is left with 16 calls of 100 bytes at once, in percent, in
/// front of a server that is reached by HTTP.
const LEAST_RATE: f64 = 25.0;

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let calls_of_100 = options.calls.unwrap_or(CALLS);
    let unstuck = options.unstuck(shell)?;
    let program = build_example(shell, "mcp_http_round_trip")?;
    let stdio = build_example(shell, "mcp_round_trip")?;
    let directory = shell.root().join("target/bench-mcp");
    fs::create_dir_all(&directory)?;

    let mut echo = Command::new(&program);
    let echo = Running::start(echo.arg("echo").stdout(Stdio::piped()))?;
    let direct = echo.address.clone();
    let proxy = |unstuck: &Path, name: &str| {
        let mut command = Command::new(unstuck);
        command.args([
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--no-config",
            "--name",
            "s",
        ]);
        command.arg("--audit").arg(directory.join(name));
        command.stderr(Stdio::piped());
        command
    };
    let url = format!("http://{direct}/mcp");
    let start = |unstuck: &Path, name: &str| -> Result<[Running; 2]> {
        let [http, stdio_log] = ["http", "stdio"].map(|kind| format!("{name}{kind}.jsonl"));
        Ok([
            Running::start(proxy(unstuck, &http).args(["--upstream", &url]))?,
            Running::start(proxy(unstuck, &stdio_log).arg("--").arg(&stdio).arg("echo"))?,
        ])
    };
    let [http, process] = start(&unstuck, "")?;
    let other = match &options.beside {
        Some(other) => Some(start(other, "other-")?),
        None => None,
    };

    let mut ways = vec![
        ("direct", &direct),
        ("unstuck mcp -> HTTP", &http.address),
        ("unstuck mcp -> stdio", &process.address),
    ];
    if let Some([http, process]) = &other {
        ways.push(("other build -> HTTP", &http.address));
        ways.push(("other build -> stdio", &process.address));
    }
    let load = options.busy.then(Load::on_every_core);
    let mut worst: f64 = 0.0;
    let mut share = None;
    for (bytes, calls) in [(100, calls_of_100), (100_000, calls_of_100 / 20)] {
        for at_once in [1, 16] {
            println!(
                "\n{bytes} bytes, {at_once} at once; µs, the best of {} runs",
                options.runs
            );
            println!(
                "{:<22} {:>9} {:>9} {:>10} {:>10} {:>9} {:>11}",
                "", "median", "99 %", "calls/s", "of direct", "added", "added, 99 %"
            );
            let mut first = None;
            for (name, address) in &ways {
                let mut best: Option<Measured> = None;
                let mut rate: f64 = 0.0;
                for _ in 0..options.runs {
                    let numbers = [calls.max(100), at_once, bytes].map(|number| number.to_string());
                    let driver = shell
                        .program(&program)
                        .arg("drive")
                        .args(numbers)
                        .arg(address);
                    let said = driver.read_shown()?;
                    let now = Measured::parse(&said)?;
                    if best.is_none_or(|best| now.median < best.median) {
                        best = Some(now);
                    }
                    rate = rate.max(now.rate);
                }
                let Some(best) = best else { continue };
                let (base, direct_rate): (Measured, f64) = *first.get_or_insert((best, rate));
                let added = best.slow - base.slow;
                let of_direct = 100.0 * rate / direct_rate;
                if bytes == 100 {
                    worst = worst.max(added);
                    if at_once == 16 && **address == http.address {
                        share = Some(of_direct);
                    }
                }
                println!(
                    "{name:<22} {:>9.1} {:>9.1} {rate:>10.0} {of_direct:>8.0} % {:>9.1} {added:>11.1}",
                    best.median,
                    best.slow,
                    best.median - base.median
                );
            }
        }
    }
    drop(load);
    println!(
        "\nat 100 bytes at most {worst:.0} µs are added to the slowest call in a hundred; {MOST_ADDED:.0} may be"
    );
    let share = share.context("16 calls at once were not measured")?;
    println!(
        "with 16 at once, {share:.0} % of the direct server's calls per second; {LEAST_RATE:.0} % at least"
    );
    Ok(if worst < MOST_ADDED && share >= LEAST_RATE {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A server that is ended when it is no longer needed.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    /// Starts a server, and waits until it says where it listens.
    fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).spawn()?;
        let said: Box<dyn Read + Send> = match (child.stdout.take(), child.stderr.take()) {
            (Some(out), _) => Box::new(out),
            (None, Some(err)) => Box::new(err),
            (None, None) => bail!("no output of {command:?} is read"),
        };
        let mut lines = BufReader::new(said).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| address(&line));
        // Whatever else it says must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            child,
            address: address.with_context(|| format!("{command:?} does not listen"))?,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in `unstuck: s at http://127.0.0.1:80/mcp`, or in a line of its own.
fn address(line: &str) -> Option<String> {
    let behind = line
        .split_once("http://")
        .map_or(line, |(_, behind)| behind);
    let address = behind.split('/').next()?.trim();
    address
        .starts_with("127.0.0.1:")
        .then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_what_servers_say() {
        let found = Some("127.0.0.1:80".to_owned());
        assert_eq!(address("unstuck: s at http://127.0.0.1:80/mcp"), found);
        assert_eq!(address("127.0.0.1:80\n"), found);
        assert_eq!(address("unstuck: no policies"), None);
    }
}
