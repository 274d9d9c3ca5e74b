//! One run of a program: how long it took and how much memory it had at most.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) seconds: f64,
    /// Zero where the system does not tell.
    pub(crate) peak_megabytes: u64,
}

/// Runs a program without showing its output; `None` if there is no such program.
pub(crate) fn measure(directory: &Path, words: &[String]) -> Result<Option<Measured>> {
    let [program, arguments @ ..] = words else {
        bail!("there is nothing to run");
    };
    let start = Instant::now();
    let child = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot run `{program}`")),
    };
    let status = format!("/proc/{}/status", child.id());
    let mut peak_megabytes = 0;
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak_megabytes = peak_megabytes.max(peak(&status));
        thread::sleep(Duration::from_millis(5));
    };
    let seconds = start.elapsed().as_secs_f64();
    // A shell says so when it finds no program of that name.
    if ended.code() == Some(127) {
        return Ok(None);
    }
    if !ended.success() {
        bail!("`{program}` failed: {ended}");
    }
    Ok(Some(Measured {
        seconds,
        peak_megabytes,
    }))
}

/// The largest resident size so far, in MB.
fn peak(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes.and_then(|text| text.parse().ok()).unwrap_or(0) / 1_000
}
