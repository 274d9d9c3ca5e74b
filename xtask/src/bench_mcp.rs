//! `cargo xtask bench-mcp`: what `unstuck mcp` adds to a call.
//!
//! The same calls go to the same server directly, through a program that only passes bytes on, and through `unstuck mcp`
//! in several ways; and through proxies that others publish. What a way adds is printed beside what the byte pipe adds.
//!
//! Processes that take turns are quick where they share a core and slow where one has to wake another core, and the
//! system decides that anew for each run. So what is compared with the byte pipe is measured on one core as well.
//!
//! The server of all this does nothing but answer. What the proxy takes of the calls a second of a server that people
//! run is printed at the end, with one that is made with the official SDK.

mod public;
mod sdk;
mod table;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use unstuck_dev::{CmdExt as _, Shell, build_example, find};

use crate::load::Load;
use crate::round_trips::{Measured, Options};
use table::{DIRECT, GUARD, OTHER, PIPE, Table};

/// Calls of 100 bytes in a run unless the option says otherwise.
const CALLS: u32 = 20_000;

/// How many of the ways come first that need no other program.
const IN_PIPES: usize = 5;

/// On how many cores calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cores {
    All,
    One,
}

/// A way to the server.
#[derive(Debug)]
struct Way {
    name: &'static str,
    words: Vec<String>,
    /// Where it listens, if it does.
    port: Option<&'static str>,
    /// The most calls that are made; some take milliseconds for each.
    most: u32,
}

impl Way {
    fn new(name: &'static str, words: &[&str]) -> Self {
        Self {
            name,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            port: None,
            most: u32::MAX,
        }
    }

    fn listening(name: &'static str, port: &'static str, words: &[&str]) -> Self {
        Self {
            port: Some(port),
            ..Self::new(name, words).few()
        }
    }

    fn few(mut self) -> Self {
        self.most = 1_000;
        self
    }
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let calls_of_100 = options.calls.unwrap_or(CALLS);
    let unstuck = path(&options.unstuck(shell)?);
    let program = path(&build_example(shell, "mcp_round_trip")?);
    let directory = shell.root().join("target/bench-mcp");
    fs::create_dir_all(&directory)?;
    let mut ways = ways(&directory, &unstuck, &program)?;
    if let Some(other) = &options.beside {
        // Another build may write another form of audit.
        let directory = directory.join("other");
        fs::create_dir_all(&directory)?;
        let plain = plain_ways(&directory, &path(other), &program, &[&program, "echo"]);
        let other = plain.into_iter().filter(|way| way.name == GUARD);
        ways.splice(3..3, other.map(|way| Way { name: OTHER, ..way }));
    }
    let in_pipes = IN_PIPES + usize::from(options.beside.is_some());
    if !options.own {
        ways.extend(public::ways(shell, &directory, &[&program, "echo"]));
    }
    let load = options.busy.then(Load::on_every_core);
    let bench = Bench {
        shell,
        program: &program,
        runs: options.runs,
    };
    for (bytes, calls) in [(100, calls_of_100), (100_000, calls_of_100 / 20)] {
        let floor = bench.floor(bytes)?;
        println!(
            "\n{bytes} bytes each way: to read, canonicalise and hash call and result takes {floor:.1} µs"
        );
        for at_once in [1, 16] {
            let table = bench.table(&ways, calls, (at_once, bytes), Cores::All)?;
            print!("{}", table.render());
            println!("{}", table.sum_up(floor));
            if find(&["taskset"]).is_some() {
                let ours = &ways[..in_pipes];
                let table = bench.table(ours, calls, (at_once, bytes), Cores::One)?;
                print!("{}", table.render());
                println!("{}", table.sum_up(floor));
            }
        }
    }
    drop(load);
    if options.own {
        return Ok(ExitCode::SUCCESS);
    }
    match sdk::server(shell, &directory) {
        Ok(server) => {
            let server: Vec<&str> = server.iter().map(String::as_str).collect();
            let ways = plain_ways(&directory, &unstuck, &program, &server);
            println!("\nA server made with the official SDK");
            let floor = bench.floor(100)?;
            for at_once in [1, 16] {
                let table = bench.table(&ways, calls_of_100, (at_once, 100), Cores::All)?;
                print!("{}", table.render());
                println!("{}", table.sum_up(floor));
            }
        }
        Err(error) => println!("a server made with the official SDK is left out: {error:#}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// Directly, through the byte pipe, and through `unstuck` as it is.
fn plain_ways(directory: &Path, unstuck: &str, program: &str, server: &[&str]) -> Vec<Way> {
    let audit = path(&directory.join("audit.jsonl"));
    let guard = [
        unstuck,
        "mcp",
        "--no-config",
        "--name",
        "s",
        "--audit",
        &audit,
        "--",
    ];
    vec![
        Way::new(DIRECT, server),
        Way::new(PIPE, &[&[program, "pipe"], server].concat()),
        Way::new(GUARD, &[&guard, server].concat()),
    ]
}

fn ways(directory: &Path, unstuck: &str, program: &str) -> Result<Vec<Way>> {
    let policy = directory.join("policy.cedar");
    fs::write(
        &policy,
        "permit (principal, action, resource);\nforbid (principal, action, resource) when { context.tool == \"delete\" };\n",
    )?;
    let policy = path(&policy);
    let audit = path(&directory.join("audit.jsonl"));
    let echo = [program, "echo"];
    let guard = |options: &[&str]| {
        let words = ["mcp", "--no-config", "--name", "s", "--audit", &audit];
        [&[unstuck], &words[..], options, &["--"], &echo]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let guarded = |name: &'static str, options: &[&str]| {
        let words = guard(options);
        Way::new(name, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let mut ways = plain_ways(directory, unstuck, program, &echo);
    ways.extend([
        guarded("  --no-audit", &["--no-audit"]),
        guarded("  --preset ironcurtain", &["--preset", "ironcurtain"]),
        guarded("  --policy", &["--policy", &policy]),
        guarded("  --audit-sync line", &["--audit-sync", "line"]).few(),
    ]);
    // `--audit` and `--no-audit` exclude each other.
    let silent = &mut ways[3].words;
    let audit = silent.iter().position(|word| word == "--audit");
    if let Some(place) = audit {
        silent.drain(place..place + 2);
    }
    Ok(ways)
}

/// What calls are made with.
struct Bench<'a> {
    shell: &'a Shell,
    program: &'a str,
    runs: u32,
}

impl Bench<'_> {
    /// Runs take turns, so that what else the machine does meets all ways alike.
    fn table(
        &self,
        ways: &[Way],
        calls: u32,
        (at_once, bytes): (u32, u32),
        cores: Cores,
    ) -> Result<Table> {
        let mut rows: Vec<(&'static str, Vec<Measured>)> =
            ways.iter().map(|way| (way.name, Vec::new())).collect();
        for _ in 0..self.runs {
            for (way, (_, runs)) in ways.iter().zip(&mut rows) {
                let numbers = [calls.min(way.most), at_once, bytes];
                runs.push(self.measure(way, numbers, cores)?);
            }
        }
        Ok(Table {
            at_once,
            bytes,
            cores,
            rows,
        })
    }

    fn measure(&self, way: &Way, numbers: [u32; 3], cores: Cores) -> Result<Measured> {
        let numbers = numbers.map(|number| number.to_string());
        let driver = match cores {
            Cores::All => self.shell.program(self.program),
            // What a program starts stays there too.
            Cores::One => {
                let driver = self.shell.program("taskset");
                driver.args(["-c", "0", self.program])
            }
        };
        let driver = match way.port {
            None => driver.arg("drive").args(numbers),
            Some(port) => driver.arg("drive-http").args(numbers).arg(port),
        };
        let said = driver.args(&way.words).read_shown()?;
        Measured::parse(&said)
    }

    /// Microseconds.
    fn floor(&self, bytes: u32) -> Result<f64> {
        let driver = self.shell.program(self.program);
        let said = driver.args(["floor", &bytes.to_string()]).read_shown()?;
        let nanoseconds: f64 = said.trim().parse()?;
        Ok(nanoseconds / 1e3)
    }
}

fn path(path: &Path) -> String {
    path.display().to_string()
}
