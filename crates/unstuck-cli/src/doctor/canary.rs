//! A loop for the sake of the test, through the hooks that the user registered.
//!
//! Nothing from a repository is run, and nothing by a shell: only this very program, with the words of a hook.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, Result, bail};
use unstuck_hosts::{CanaryCall, Host};

use super::{About, Finding, Health};

/// More rounds than any guard should let pass.
const ROUNDS: usize = 40;

/// A hook that takes longer is none: hosts give up on it, too.
const LIMIT: Duration = Duration::from_secs(10);

/// Words that only a denial or a halt has.
const REFUSALS: [&str; 2] = ["was not run", "run is stopped"];

const MARKER: &str = "[unstuck]";

/// The answers that the loop got.
#[derive(Debug, Default)]
struct Heard {
    nudged: Option<usize>,
    refused: Option<usize>,
}

/// A hook that may be run: the event it is registered for, and the program with its words.
pub(super) struct Runnable {
    pub(super) event: String,
    pub(super) program: PathBuf,
    pub(super) words: Vec<String>,
}

pub(super) fn run(host: Host, commands: &[Runnable]) -> Finding {
    match listen(host, commands) {
        Ok(Heard { nudged, refused }) => {
            let nudged = nudged.map_or(String::new(), |round| {
                format!("was nudged at call {round} and ")
            });
            let Some(round) = refused else {
                let seen = format!("a canary loop {nudged}went on for {ROUNDS} calls");
                return Finding::new(About::SelfTest, Health::Bad, seen)
                    .todo("see `unstuck config show` and UNSTUCK_MODE: is the guard off here?");
            };
            let seen = format!("a canary loop {nudged}stopped at call {round}");
            Finding::new(About::SelfTest, Health::Good, seen)
        }
        Err(error) => Finding::new(About::SelfTest, Health::Bad, format!("{error:#}"))
            .todo(format!("unstuck install {host}")),
    }
}

fn listen(host: Host, commands: &[Runnable]) -> Result<Heard> {
    let state = tempfile::tempdir().context("no directory for the self-test")?;
    let directory = state.path().to_string_lossy().into_owned();
    let mut heard = Heard::default();
    for number in 1..=ROUNDS {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let call = CanaryCall {
            session: "canary",
            number,
            directory: &directory,
            at: now.unwrap_or_default().as_millis() as i64,
        };
        for (index, told) in unstuck_hosts::canary(host, &call).into_iter().enumerate() {
            let Some(command) = command_for(told.event, commands) else {
                bail!("no hook is registered for {}", told.event);
            };
            let said = hook(command, &told.input.to_string(), state.path())?;
            if !said.contains(MARKER) {
                continue;
            }
            let is_before = index == 0;
            if is_before && REFUSALS.iter().any(|words| said.contains(words)) {
                heard.refused = Some(number);
                return Ok(heard);
            }
            heard.nudged.get_or_insert(number);
        }
    }
    Ok(heard)
}

/// A plugin that handles all events names none.
fn command_for<'a>(event: &str, commands: &'a [Runnable]) -> Option<&'a Runnable> {
    let mut commands = commands.iter();
    commands.find(|command| command.event == event || command.event.is_empty())
}

/// Runs a hook with its state elsewhere, and returns what it says on either stream.
fn hook(command: &Runnable, input: &str, state: &Path) -> Result<String> {
    let shown = command.program.display();
    let mut child = Command::new(&command.program)
        .args(&command.words)
        .current_dir(state)
        .env("UNSTUCK_HOME", state.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{shown} cannot be started"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // The input fits into the pipe. A hook that does not read it is found out by its silence.
        let _ = stdin.write_all(input.as_bytes());
    }
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let out = thread::spawn(move || read(out));
    let err = thread::spawn(move || read(err));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("`{shown}` did not end within {} s", LIMIT.as_secs());
        }
        thread::sleep(Duration::from_millis(1));
    };
    let said = [out, err].map(|stream| stream.join().unwrap_or_default());
    // With 2 and 49 a hook denies and stops in some hosts.
    match status.code() {
        Some(0 | 2 | 49) => Ok(said.concat()),
        _ => bail!("`{shown}` failed: {status}: {}", said[1].trim()),
    }
}

fn read(stream: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    // What was read before an error still counts.
    let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
