//! The step `openapi` of `cargo xtask test`: requests made from the document of `unstuck serve` against the program.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Outcome, Shell};

use crate::venv::Venv;

/// Makes requests that fit the document and requests that do not, and checks the answers.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Both tokens are this one: every operation is reached.
const TOKEN: &str = "operate";

pub(crate) fn check(shell: &Shell, program: &Path, install: Install) -> Result<Outcome> {
    let place = shell.tools().join("schemathesis");
    let venv = match Venv::with(shell, &place, &[SCHEMATHESIS], install) {
        Ok(venv) => venv,
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    };
    let home = shell.root().join("target/openapi");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    fs::create_dir_all(&home)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let _served = Served(
        Command::new(program)
            .args([
                "serve",
                "--no-config",
                "--listen",
                &format!("127.0.0.1:{port}"),
            ])
            .env("UNSTUCK_HOME", home.join("state"))
            .env("UNSTUCK_SERVE_TOKEN", "for-reporting")
            .env("UNSTUCK_SERVE_OPERATE_TOKEN", TOKEN)
            .stderr(Stdio::null())
            .spawn()
            .context("unstuck serve does not start")?,
    );
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if start.elapsed() > Duration::from_secs(30) {
            bail!("unstuck serve does not listen");
        }
        thread::sleep(Duration::from_millis(50));
    }
    let address = format!("http://127.0.0.1:{port}");
    // It keeps what it found in the present directory.
    let status = Command::new(venv.program("schemathesis"))
        .args(["run", &format!("{address}/v1/openapi.json"), "--seed", "1"])
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "20",
        ])
        .args(["--header", &format!("Authorization: Bearer {TOKEN}")])
        .current_dir(&home)
        .status()
        .context("schemathesis does not start")?;
    if !status.success() {
        bail!("answers of unstuck serve do not fit its document");
    }
    Ok(Outcome::Passed)
}

/// A program that is killed when this is dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
