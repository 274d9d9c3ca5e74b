//! Repository tasks: `cargo xtask --help`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command prints on the terminal"
)]

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use unstuck_dev::Shell;
use unstuck_e2e::{agents, peers};

mod adapters;
mod attacks;
mod bench;
mod bench_bindings;
mod bench_hook;
mod bench_llm_proxy;
mod bench_mcp;
mod bench_mcp_http;
mod bench_scan;
mod browser;
mod changed;
mod conformance;
mod dependencies;
mod doc;
mod engines;
mod eval;
mod fuzz;
mod generate;
mod lanes;
mod lint;
mod llm_sdks;
mod load;
mod loadtest;
mod openapi;
mod package;
mod packaging;
mod release_files;
mod round_trips;
mod same;
mod sarif;
mod screenshot;
mod site;
mod step;
mod stores;
mod test;
mod venv;
mod version;

/// Tasks of this repository
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run everything that CI runs
    ///
    /// A step whose subject has not changed since the base is skipped, and the summary names the reason. The base is the
    /// last commit that this branch shares with `origin/main`; where there is none, and on a commit of `origin/main`,
    /// every step runs.
    Test(test::Options),
    /// Run the adapters for agent frameworks, with the frameworks from their registries and a scripted model
    ///
    /// Versions are pinned beside the tests of each language, and docs/adapters.md says what was shown. Not a part of `test`: it
    /// downloads several gigabytes, and takes minutes for each framework.
    Adapters(adapters::Options),
    /// Check the vectors under conformance/ against the release build
    Conformance(conformance::Options),
    /// Rewrite the committed generated files
    ///
    /// Schema, rule pages, configuration page, completions, man pages, plugins, and the generated parts of documents.
    Generate(generate::Options),
    /// Run the attacks that SECURITY.md lists by number, as a table
    ///
    /// A part of `test`, against the development build.
    Attacks(attacks::Options),
    /// Run real agents from npm, in a loop and at work, guarded by unstuck
    ///
    /// `unstuck install` guards them, and a scripted model on loopback drives them: an endless loop must be nudged, denied
    /// and ended, 40 healthy calls must be left alone. Not a part of `test`: it downloads 1.5 GB once, and takes minutes.
    E2e(agents::Options),
    /// Run the Arrow function of the Python package in five engines of data teams
    ///
    /// The rows must be those of `unstuck scan -o FILE.parquet`. Not a part of `test`: it downloads half a gigabyte once.
    Engines(engines::Options),
    /// Score settings on labelled recordings
    ///
    /// `eval --help` lists the options; `eval` alone explains what a corpus is and where to get one.
    #[command(disable_help_flag = true)]
    Eval {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Build the packages of other languages
    ///
    /// The wheel for Python, with the module and the native command. Tools that are missing are installed into target/package.
    Package(package::Options),
    /// Build the programs of a release and pack them: archive, bill of materials, checksums
    ///
    /// On Linux the programs are linked statically, with musl where its target and a C compiler can be had. The same commit
    /// gives the same bytes. Files go to target/release-files.
    ReleaseFiles(release_files::Options),
    /// Compare the decisions of two programs on the same streams of events, byte for byte
    ///
    /// The check for changes that must not change behaviour. Each stream is replayed for every preset, enforced and
    /// observed, and both again while OTHER snapshots its engine, drops it and restores it after every few events. The
    /// first difference of each stream is printed with its event, both decisions and the fields; the exit code is then 1.
    Same(same::Options),
    /// Test the HTML report in Chromium
    ///
    /// Pictures of it go to target/browser/pictures. A missing Chromium or Node.js is installed by apt-get, playwright-core
    /// by npm into target/browser. The variable CHROMIUM names another browser of that kind.
    Browser(browser::Options),
    /// Run the fuzz targets; fails on a finding
    Fuzz(fuzz::Options),
    /// Run the benchmarks of the engine, by the clock and by instructions
    ///
    /// Instructions are counted without ARGS, and where valgrind is installed. `bench --bench cost` prints the table of
    /// ratios and memory, `bench --bench worst -- --check` that of the worst inputs, and fails where their cost grows
    /// faster than they do.
    Bench {
        /// Arguments for `cargo bench`
        #[arg(
            value_name = "ARGS",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<String>,
    },
    /// Measure what a guarded call costs in other languages
    ///
    /// Beside literal implementations of the founding classes in the same rounds. Fails where a bound on the times, or on
    /// memory over a million events, is broken.
    BenchBindings(bench_bindings::Options),
    /// Measure what a hook costs, from the start of its process to its end
    ///
    /// The program for hooks as `cargo build --release` makes it and as it is released, and `unstuck hook`, beside an
    /// empty program, `true`, Python and Node in the same rounds.
    BenchHook(bench_hook::Options),
    /// Measure how fast `unstuck scan` reads and judges transcripts
    ///
    /// With one thread and with two, beside `wc -l`, a plain `serde_json` parse and `jq`.
    BenchScan(bench_scan::Options),
    /// Measure what `unstuck proxy` adds to a request
    ///
    /// The first byte of an answer, each event of a stream, and histories that are sent again, beside a program that only copies
    /// bytes and, with `--litellm`, beside a public proxy from `PyPI`. Fails where a bound is broken.
    BenchLlmProxy(bench_llm_proxy::Options),
    /// Measure what `unstuck mcp` adds to a call on stdio
    ///
    /// Calls of 100 bytes and of 100 KB, alone and with 16 at once, beside a program that only copies bytes and beside two
    /// public proxies, which npm and pip install under target/bench-mcp.
    BenchMcp(round_trips::Options),
    /// Measure what `unstuck mcp --listen` adds to a call over HTTP
    ///
    /// Fails where the slowest call in a hundred of 100 bytes takes 5 ms longer, or where less than a quarter of the calls per second
    /// is left with 16 at once.
    BenchMcpHttp(round_trips::Options),
    /// Load `unstuck serve` with many sessions, and count what is missing after faults
    ///
    /// Prints events per second, times of requests and memory for each session. Fails if an event is missing that was
    /// answered. `--redis` starts a store of its own; a missing redis-server is installed by apt-get.
    Loadtest(loadtest::Options),
    /// Run the official MCP clients and servers, directly and through the proxy
    ///
    /// Results must be equal, and the audit log whole. They come from npm and `PyPI` and are kept under target/mcp-peers. A
    /// part of it is the step `mcp-peers` of `test`.
    McpPeers(peers::Options),
    /// Check the SARIF of a scan with Microsoft's validator and the rules of GitHub code scanning
    ///
    /// npm installs the validator under target/sarif. Linux only.
    Sarif,
    /// Make the pictures of the README
    ///
    /// docs/images/scan.svg and docs/images/report.png. A missing Chromium is installed by apt-get.
    Screenshot,
    /// Build the documentation as a book, in target/site
    ///
    /// Fails if a relative link leads nowhere, or if docs/SUMMARY.md does not list a page of docs/. mdBook is built into
    /// target/tools where it is missing.
    Site(site::Options),
    /// Move every package to a version, or check that all have the same
    ///
    /// Cargo manifests and lock files, internal dependencies, Python and npm packages, plugins, the GitHub Action, manual
    /// pages. A place with the present version of which it is not known whose version it is, is an error.
    Version(version::Options),
}

fn main() -> ExitCode {
    let result = doc::in_place_of_rustdoc().unwrap_or_else(|| run(&Cli::parse().task));
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Result<ExitCode> {
    let shell = Shell::at_repository_root()?;
    match task {
        Task::Adapters(options) => adapters::run(&shell, options),
        Task::Attacks(options) => attacks::run(&shell, options),
        Task::Bench { words } => bench::run(&shell, words),
        Task::BenchBindings(options) => bench_bindings::run(&shell, options),
        Task::BenchHook(options) => bench_hook::run(&shell, options),
        Task::BenchLlmProxy(options) => bench_llm_proxy::run(&shell, options),
        Task::BenchMcp(options) => bench_mcp::run(&shell, options),
        Task::BenchMcpHttp(options) => bench_mcp_http::run(&shell, options),
        Task::BenchScan(options) => bench_scan::run(&shell, options),
        Task::Browser(options) => browser::run(&shell, *options),
        Task::Conformance(options) => conformance::run(&shell, options),
        Task::E2e(options) => agents::run(&shell, options),
        Task::Engines(options) => engines::run(&shell, options),
        Task::Eval { words } => eval::run(&shell, words),
        Task::Fuzz(options) => fuzz::run(&shell, options),
        Task::Generate(options) => generate::run(&shell, *options),
        Task::Loadtest(options) => loadtest::run(&shell, options),
        Task::McpPeers(options) => peers::run(&shell, options),
        Task::Package(options) => package::run(&shell, options),
        Task::ReleaseFiles(options) => release_files::run(&shell, options),
        Task::Same(options) => same::run(&shell, options),
        Task::Sarif => sarif::run(&shell),
        Task::Screenshot => screenshot::run(&shell),
        Task::Site(options) => site::run(&shell, *options),
        Task::Test(options) => test::run(&shell, options),
        Task::Version(options) => version::run(&shell, options),
    }
}

/// Options of a task, from the words of a command line.
#[cfg(test)]
fn parsed<A: clap::Args>(words: &[&str]) -> Result<A, clap::Error> {
    #[derive(Parser)]
    struct Line<A: clap::Args> {
        #[command(flatten)]
        options: A,
    }
    let line = Line::try_parse_from(["task"].iter().chain(words))?;
    Ok(line.options)
}

#[cfg(test)]
#[path = "main_tests.rs"]
mod tests;
