//! Repository tasks: `cargo xtask help`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command talks on the terminal"
)]

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::shell::Shell;

mod args;
mod attacks;
mod bench;
mod bench_hook;
mod bench_mcp;
mod bench_mcp_http;
mod bench_scan;
mod browser;
mod cli;
mod conformance;
mod e2e;
mod eval;
mod fuzz;
mod generate;
mod help;
mod mcp_peers;
mod round_trips;
mod same;
mod sarif;
mod screenshot;
mod shell;
mod site;
mod step;
mod test;
mod tools;

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut words: Vec<String>) -> Result<ExitCode> {
    let asks = |word: &String| word == "--help" || word == "-h";
    // `eval` has a help of its own.
    let is_eval = words.first().is_some_and(|word| word == "eval");
    if words.is_empty() || (!is_eval && words.iter().any(asks)) {
        return Ok(help::run());
    }
    let command = words.remove(0);
    let shell = Shell::at_repository_root()?;
    match command.as_str() {
        "attacks" => attacks::run(&shell, &attacks::Options::parse(Args::new(words))?),
        "bench" => bench::run(&shell, &words),
        "bench-mcp" => bench_mcp::run(
            &shell,
            &round_trips::Options::parse(&command, 20_000, Args::new(words))?,
        ),
        "bench-mcp-http" => bench_mcp_http::run(
            &shell,
            &round_trips::Options::parse(&command, 10_000, Args::new(words))?,
        ),
        "bench-hook" => bench_hook::run(&shell, &bench_hook::Options::parse(Args::new(words))?),
        "bench-scan" => bench_scan::run(&shell, &bench_scan::Options::parse(Args::new(words))?),
        "browser" => browser::run(&shell, browser::Options::parse(Args::new(words))?),
        "conformance" => conformance::run(&shell, conformance::Options::parse(Args::new(words))?),
        "e2e" => e2e::run(&shell, &e2e::Options::parse(Args::new(words))?),
        "eval" => eval::run(&shell, &words),
        "fuzz" => fuzz::run(&shell, &fuzz::Options::parse(Args::new(words))?),
        "generate" => generate::run(&shell, generate::Options::parse(Args::new(words))?),
        "help" => Ok(help::run()),
        "mcp-peers" => mcp_peers::run(&shell, &mcp_peers::Options::parse(Args::new(words))?),
        "same" => same::run(&shell, &same::Options::parse(Args::new(words))?),
        "sarif" => sarif::run(&shell),
        "screenshot" => screenshot::run(&shell),
        "site" => site::run(&shell, site::Options::parse(Args::new(words))?),
        "test" => test::run(&shell, &test::Options::parse(Args::new(words))?),
        _ => bail!("unknown command `{command}`; `cargo xtask help` lists them"),
    }
}
