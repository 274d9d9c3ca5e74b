//! Programs that serve, killed when they are dropped.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

pub(super) struct Program {
    pub(super) port: u16,
    executable: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    home: PathBuf,
    child: Mutex<Child>,
}

impl Program {
    /// A Redis that keeps what it has acknowledged.
    pub(super) fn redis(home: &Path, port: u16) -> Result<Self> {
        let arguments = [
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--port",
        ];
        let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
        arguments.push(port.to_string());
        Self::start(
            "redis-server".into(),
            arguments,
            Vec::new(),
            home.join("redis"),
            port,
        )
    }

    pub(super) fn sidecar(
        program: &Path,
        home: &Path,
        port: u16,
        environment: &[(String, String)],
    ) -> Result<Self> {
        let listen = format!("127.0.0.1:{port}");
        let arguments = ["serve", "--no-config", "--listen", &listen];
        let arguments = arguments.map(str::to_owned).into();
        let mut environment = environment.to_vec();
        environment.push(("UNSTUCK_HOME".to_owned(), home.display().to_string()));
        Self::start(
            program.to_owned(),
            arguments,
            environment,
            home.to_owned(),
            port,
        )
    }

    fn start(
        executable: PathBuf,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        home: PathBuf,
        port: u16,
    ) -> Result<Self> {
        fs::create_dir_all(&home)?;
        let child = spawn(&executable, &arguments, &environment, &home)?;
        let started = Self {
            port,
            executable,
            arguments,
            environment,
            home,
            child: Mutex::new(child),
        };
        started.wait()?;
        Ok(started)
    }

    /// Kills it and starts it again.
    pub(super) fn restart(&self) -> Result<()> {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        child.kill()?;
        child.wait()?;
        *child = spawn(
            &self.executable,
            &self.arguments,
            &self.environment,
            &self.home,
        )?;
        drop(child);
        self.wait()
    }

    /// Bytes of memory that it uses. 0 where the system does not show them.
    pub(super) fn resident(&self) -> u64 {
        let id = self
            .child
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .id();
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        kilobytes.unwrap_or(0_u64) * 1_024
    }

    fn wait(&self) -> Result<()> {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if start.elapsed() > Duration::from_mins(1) {
                bail!("{} does not listen", self.executable.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn spawn(
    program: &Path,
    arguments: &[String],
    environment: &[(String, String)],
    home: &Path,
) -> Result<Child> {
    let log = File::options()
        .append(true)
        .create(true)
        .open(home.join("log"))?;
    Command::new(program)
        .args(arguments)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))
}

/// A port that was free a moment ago.
pub(super) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
