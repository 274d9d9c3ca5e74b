//! Running peers: to their end, or in the background until they are not needed.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Nothing here takes a tenth of it.
const LIMIT: Duration = Duration::from_mins(2);

/// A directory for one run, which every program of it takes for its home.
#[derive(Debug)]
pub(crate) struct Lab {
    pub(crate) root: PathBuf,
    /// How client and server talk, for the client to know.
    transport: &'static str,
}

impl Lab {
    /// An empty one.
    pub(crate) fn new(root: PathBuf, transport: &'static str) -> Result<Self> {
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::create_dir_all(root.join("home"))?;
        Ok(Self { root, transport })
    }

    /// Where scenarios put files: the same for the run that is compared, as its name is in results.
    pub(crate) fn directory(&self) -> PathBuf {
        self.root.join("directory")
    }

    /// The program with an environment that says nothing about the person who runs this.
    fn command(&self, words: &[String]) -> Result<Command> {
        let (program, arguments) = words.split_first().context("no program")?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.join("home"))
            .env("UNSTUCK_HOME", self.root.join("state"))
            .env("UNSTUCK_CONFIG_HOME", self.root.join("home"))
            .env("PEERS_DIRECTORY", self.directory())
            .env("PEERS_TRANSPORT", self.transport)
            .current_dir(&self.root)
            .stdin(Stdio::null());
        Ok(command)
    }

    /// Runs a program to its end and returns what it wrote to standard output.
    pub(crate) fn run(&self, name: &str, words: &[String]) -> Result<String> {
        let (code, out) = self.run_any(name, words)?;
        if code == 0 {
            return Ok(out);
        }
        let err = fs::read_to_string(self.err(name)).unwrap_or_default();
        let lines: Vec<_> = err.lines().collect();
        let last = lines[lines.len().saturating_sub(12)..].join("\n");
        bail!("{name} ended with {code}:\n{last}")
    }

    /// The same, whatever the exit code is.
    pub(crate) fn run_any(&self, name: &str, words: &[String]) -> Result<(i32, String)> {
        let out = self.root.join(format!("{name}.out"));
        let mut child = Running {
            child: self
                .command(words)?
                .stdout(File::create(&out)?)
                .stderr(File::create(self.err(name))?)
                .spawn()
                .with_context(|| format!("cannot run {}", words.join(" ")))?,
        };
        let code = child.wait().with_context(|| name.to_owned())?;
        Ok((code, read(&out)?))
    }

    /// Starts a program that listens on a port, and waits until it does.
    pub(crate) fn start(&self, name: &str, words: &[String], port: u16) -> Result<Running> {
        let log = File::create(self.err(name))?;
        let mut running = Running {
            child: self
                .command(words)?
                .env("PORT", port.to_string())
                .stdout(log.try_clone()?)
                .stderr(log)
                .spawn()
                .with_context(|| format!("cannot run {}", words.join(" ")))?,
        };
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = running.child.try_wait()? {
                bail!("{name} ended with {status}: {}", read(&self.err(name))?);
            }
            if start.elapsed() > LIMIT {
                bail!("{name} does not listen on port {port}");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }

    fn err(&self, name: &str) -> PathBuf {
        self.root.join(format!("{name}.err"))
    }
}

/// A program that ends with this value at the latest.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
}

impl Running {
    fn wait(&mut self) -> Result<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status.code().unwrap_or(-1));
            }
            if start.elapsed() > LIMIT {
                bail!("it did not end");
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Asks it to end, as a person would with Ctrl-C, and waits until it has.
    pub(crate) fn end(mut self) -> Result<()> {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        if asked.is_ok_and(|status| status.success()) {
            self.wait()?;
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that is free now.
pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
