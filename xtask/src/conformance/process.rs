//! The binary under test.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use unstuck_conformance::start_of;

const TIMEOUT: Duration = Duration::from_mins(10);

/// `unstuck check`.
#[derive(Debug)]
pub(super) struct Guard<'a> {
    binary: &'a Path,
}

/// What it answered.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// One a line; a line that is not JSON is kept as an error.
    pub(super) decisions: Vec<Value>,
    /// How the process misbehaved.
    pub(super) remarks: Vec<String>,
}

impl<'a> Guard<'a> {
    pub(super) fn new(binary: &'a Path) -> Self {
        Self { binary }
    }

    pub(super) fn decide(&self, preset: &str, lines: &[String]) -> Reply {
        let mut input = lines.join("\n");
        input.push('\n');
        match self.talk(preset, input) {
            Ok(output) => Reply::read(&output, lines.len()),
            Err(error) => Reply {
                decisions: Vec::new(),
                remarks: vec![format!("cannot run {}: {error}", self.binary.display())],
            },
        }
    }

    fn talk(&self, preset: &str, input: String) -> io::Result<Output> {
        let mut child = Command::new(self.binary)
            .args(["check", "--preset", preset])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // All three pipes at once, or a full one would block the others for ever.
        let stdin = child.stdin.take();
        let writer = thread::spawn(move || {
            // A process that stops reading has fewer decisions than events, and that is reported.
            let _ = stdin.map(|mut pipe| pipe.write_all(input.as_bytes()));
        });
        let stdout = read_all(child.stdout.take());
        let stderr = read_all(child.stderr.take());
        let status = wait(&mut child)?;
        let broken = |_| io::Error::other("a pipe could not be served");
        writer.join().map_err(broken)?;
        Ok(Output {
            status,
            stdout: stdout.join().map_err(broken)??,
            stderr: stderr.join().map_err(broken)??,
        })
    }
}

#[derive(Debug)]
struct Output {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<io::Result<String>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes)?;
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!(
                "no end after {} s",
                TIMEOUT.as_secs()
            )));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

impl Reply {
    fn read(output: &Output, events: usize) -> Self {
        let decisions: Vec<Value> = output.stdout.lines().map(parse).collect();
        let mut remarks = Vec::new();
        if decisions.len() != events {
            remarks.push(format!("{events} events, {} decisions", decisions.len()));
        }
        let wanted = wanted_exit_code(&decisions);
        if output.status.code() != Some(wanted) {
            let last = output.stderr.trim_end().lines().last().unwrap_or_default();
            let mut remark = format!("{}, expected {wanted}", output.status);
            if !last.is_empty() {
                remark.push_str(": ");
                remark.push_str(start_of(last, 200));
            }
            remarks.push(remark);
        }
        remarks.extend(misnumbered(&decisions));
        Self { decisions, remarks }
    }
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line)
        .unwrap_or_else(|_| json!({"error": format!("not JSON: {}", start_of(line, 120))}))
}

/// 2 when a line was broken, else 0.
fn wanted_exit_code(decisions: &[Value]) -> i32 {
    let broken = decisions
        .iter()
        .any(|decision| decision.get("error").is_some());
    if broken { 2 } else { 0 }
}

/// The first decision with the number of another line.
fn misnumbered(decisions: &[Value]) -> Option<String> {
    (1_u64..).zip(decisions).find_map(|(number, decision)| {
        let line = decision.get("line")?;
        (line.as_u64() != Some(number)).then(|| format!("decision {number} carries line {line}"))
    })
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
