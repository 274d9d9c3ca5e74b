//! Running an agent to its end, or ending it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::agent::Lab;

/// Nothing here takes a tenth of it.
const LIMIT: Duration = Duration::from_mins(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// `None`: it had to be ended.
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
}

/// Only what is named here reaches a program: no settings, keys or agents of the person who runs this.
pub(crate) fn isolate<'a>(command: &'a mut Command, lab: &Lab) -> &'a mut Command {
    let own: Vec<_> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .env_clear()
        .envs(own)
        .env("PATH", path)
        .env("HOME", &lab.home)
        .env("TMPDIR", lab.root.join("tmp"))
        .current_dir(&lab.work)
        .stdin(Stdio::null())
}

pub(crate) fn run(mut command: Command, lab: &Lab, name: &str) -> Result<Ended> {
    let (out, err) = (
        lab.root.join(format!("{name}.out")),
        lab.root.join(format!("{name}.err")),
    );
    let shown = command.get_program().to_string_lossy().into_owned();
    isolate(&mut command, lab)
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?);
    // With all that it starts, so that it can be ended with all of that.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {shown}"))?;
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status.code().unwrap_or(-1));
        }
        if start.elapsed() > LIMIT {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            // Where there are no groups, at least itself.
            let _ = child.kill();
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    Ok(Ended {
        code,
        output: text(&out)? + &text(&err)?,
    })
}

fn text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
