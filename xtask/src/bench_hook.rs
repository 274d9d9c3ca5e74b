//! `cargo xtask bench-hook`: what a hook costs, from the start of its process to its end.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use unstuck_dev::{CmdExt as _, Install, Profile, Shell, build};

use crate::load::Load;
use crate::release_files;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of times each program is started
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN.saturating_add(399))]
    rounds: NonZeroUsize,
    /// Number of sessions on the disk
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    sessions: usize,
    /// Give every core other work meanwhile
    #[arg(long)]
    busy: bool,
    /// Directory with `unstuck` and `unstuck-hook`, measured in place of a build of this tree
    #[arg(long, value_name = "DIR")]
    installed: Option<PathBuf>,
}

const HOOK: &[&str] = &["hook", "claude-code"];
const TRUE: &str = "true";

/// A program that is started again and again.
struct Contender {
    name: &'static str,
    program: PathBuf,
    args: &'static [&'static str],
    /// Where it finds the user's settings.
    config: &'static str,
    times: Vec<Duration>,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let target = release_files::default_target(shell, Install::Missing)?;
    let directory = shell.root().join("target").join("bench-hook");
    if directory.join("state").exists() {
        fs::remove_dir_all(directory.join("state"))?;
    }
    fs::create_dir_all(directory.join("with-config"))?;
    fs::create_dir_all(directory.join("without-config"))?;
    let settings = "attendance = \"attended\"\n[rules.exact-repeat]\nnudge = 4\n[[tools]]\ntool = \"*__sleep\"\nexempt = true\n";
    fs::write(directory.join("with-config").join("unstuck.toml"), settings)?;
    let (command, hook) = match &options.installed {
        Some(directory) => ["unstuck", "unstuck-hook"]
            .map(|name| directory.join(executable(name)))
            .into(),
        None => installed(shell)?,
    };
    let released = release_files::static_program(shell, &target, "dist")?;
    let empty = static_empty(shell, &directory, &target)?;
    let mut contenders = vec![
        contender("empty static Rust program", empty, &[]),
        contender("unstuck-hook, static, as released", released.clone(), HOOK),
        Contender {
            config: "with-config",
            ..contender("the same with an unstuck.toml", released, HOOK)
        },
        contender("unstuck-hook of `cargo build --release`", hook, HOOK),
        contender("unstuck hook of `cargo build --release`", command, HOOK),
    ];
    for (name, program, args) in [
        (TRUE, "/usr/bin/true", &[][..]),
        ("python3 -c pass", "python3", &["-c", "pass"][..]),
        ("node -e 0", "node", &["-e", "0"][..]),
    ] {
        if shell.program(program).arg("--version").succeeds() {
            contenders.push(contender(name, program.into(), args));
        } else {
            println!("{program} is not installed: not measured");
        }
    }
    println!("{} sessions are put on the disk", options.sessions);
    for number in 0..options.sessions {
        let session = format!("session-{number}");
        once(&contenders[1], &directory, &before(&session, 0))?;
    }
    // The measured sessions have a history.
    for contender in &contenders[1..=2] {
        for call in 0..200 {
            once(contender, &directory, &before(contender.config, call))?;
            once(contender, &directory, &after(contender.config, call))?;
        }
    }
    let load = options.busy.then(Load::on_every_core);
    for round in 0..options.rounds.get() {
        // Before a call and after it in turns, and every program in every round: what disturbs one disturbs all.
        let call = 1_000 + round / 2;
        for at in 0..contenders.len() {
            let at = (at + round) % contenders.len();
            // The session is called as its settings are.
            let session = contenders[at].config;
            let input = if round % 2 == 0 {
                before(session, call)
            } else {
                after(session, call)
            };
            let took = once(&contenders[at], &directory, &input)?;
            contenders[at].times.push(took);
        }
    }
    drop(load);
    let state = if options.busy { "busy" } else { "as it is" };
    println!(
        "{} rounds, {target}, machine {state}\n",
        options.rounds.get()
    );
    print!("{}", table(&mut contenders));
    Ok(ExitCode::SUCCESS)
}

fn contender(name: &'static str, program: PathBuf, args: &'static [&'static str]) -> Contender {
    Contender {
        name,
        program,
        args,
        config: "without-config",
        times: Vec::new(),
    }
}

/// Start to end of one process, with its input written.
fn once(contender: &Contender, directory: &Path, input: &str) -> Result<Duration> {
    let mut command = Command::new(&contender.program);
    command
        .args(contender.args)
        .current_dir(directory)
        .env("UNSTUCK_HOME", directory.join("state"))
        .env("UNSTUCK_CONFIG_HOME", directory.join(contender.config))
        .env_remove("UNSTUCK_MODE")
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let start = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", contender.name))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads nothing may be gone already.
        let _ = stdin.write_all(input.as_bytes());
    }
    let status = child.wait()?;
    let took = start.elapsed();
    if !status.success() {
        bail!("{} ended with {status}", contender.name);
    }
    Ok(took)
}

fn before(session: &str, call: usize) -> String {
    format!(
        r#"{{"session_id":"{session}","transcript_path":"/home/user/t.jsonl","cwd":"/home/user/project","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"cargo test --package p{call}","description":"Run the tests"}},"tool_use_id":"toolu_{call}"}}"#
    )
}

fn after(session: &str, call: usize) -> String {
    let output = format!("test t{call} ... ok\\n").repeat(40);
    format!(
        r#"{{"session_id":"{session}","transcript_path":"/home/user/t.jsonl","cwd":"/home/user/project","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"cargo test --package p{call}","description":"Run the tests"}},"tool_response":{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false}},"tool_use_id":"toolu_{call}"}}"#
    )
}

/// A table of Markdown. All are compared with the first contender, and with `true` where it was measured.
fn table(contenders: &mut [Contender]) -> String {
    let mut text = String::from(
        "| | p50 | p99 | p50, x empty | p99, x empty | p50, x `true` |\n|---|---|---|---|---|---|\n",
    );
    for contender in &mut *contenders {
        contender.times.sort();
    }
    let middle = |contender: &Contender| at(&contender.times, 50);
    let base = contenders
        .first()
        .map(|first| (middle(first), at(&first.times, 99)));
    let (base50, base99) = base.unwrap_or((f64::NAN, f64::NAN));
    let real = contenders.iter().find(|contender| contender.name == TRUE);
    let real50 = real.map_or(f64::NAN, middle);
    for contender in contenders {
        let (p50, p99) = (middle(contender), at(&contender.times, 99));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {:.2} ms | {:.2} ms | {:.1} | {:.1} | {:.1} |",
            contender.name,
            p50 * 1e3,
            p99 * 1e3,
            p50 / base50,
            p99 / base99,
            p50 / real50
        );
    }
    text
}

/// A percentile of sorted times, in seconds.
fn at(sorted: &[Duration], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    let time = sorted.get(rank.saturating_sub(1)).copied();
    time.unwrap_or_default().as_secs_f64().max(1e-9)
}

/// The command and the program for hooks as a person builds them.
fn installed(shell: &Shell) -> Result<(PathBuf, PathBuf)> {
    shell
        .cargo(["build", "--release", "--package", "unstuck-hook"])
        .run()?;
    let command = build(shell, Profile::Release)?;
    let hook = command.with_file_name(executable("unstuck-hook"));
    Ok((command, hook))
}

fn static_empty(shell: &Shell, directory: &Path, target: &str) -> Result<PathBuf> {
    let source = directory.join("empty.rs");
    fs::write(&source, "fn main() {}\n")?;
    let program = directory.join(executable("empty"));
    shell
        .program("rustc")
        .args([
            "-O",
            "-C",
            "target-feature=+crt-static",
            "-C",
            "strip=debuginfo",
        ])
        .args(["--target", target, "--edition", "2024", "-o"])
        .arg(&program)
        .arg(&source)
        .run()?;
    Ok(program)
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
#[path = "bench_hook_tests.rs"]
mod tests;
