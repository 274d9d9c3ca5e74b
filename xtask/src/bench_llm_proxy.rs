//! `cargo xtask bench-llm-proxy`: what `unstuck proxy` adds to requests to a model.
//!
//! The benchmark of `unstuck-llm-proxy` measures a direct connection, a program that only copies bytes and the proxy in turn; with
//! `--litellm` also the proxy of that name, which pip installs under target/bench-llm.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use unstuck_dev::{CmdExt as _, Install, Shell};

use crate::venv::Venv;

/// The public proxy that is measured beside ours.
const LITELLM: &str = "litellm[proxy]==1.106.2";

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_mins(3);

#[derive(Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct Options {
    /// Measure `LiteLLM`'s proxy from `PyPI` in the same rounds
    #[arg(long)]
    litellm: bool,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let mut bench = shell.cargo([
        "bench",
        "--quiet",
        "--package",
        "unstuck-llm-proxy",
        "--bench",
        "latency",
    ]);
    let mut beside = None;
    if options.litellm {
        let api = free_port()?;
        let started = Beside::start(shell, api)?;
        bench = bench.env("UNSTUCK_BENCH_API", api.to_string()).env(
            "UNSTUCK_BENCH_BESIDE",
            format!("litellm={}", started.address),
        );
        beside = Some(started);
    }
    let code = bench.run_where_called();
    drop(beside);
    code
}

/// A proxy that runs beside ours. It ends when this is dropped.
struct Beside {
    child: Child,
    address: SocketAddr,
}

impl Beside {
    fn start(shell: &Shell, api: SocketAddr) -> Result<Self> {
        let directory = shell.root().join("target/bench-llm");
        fs::create_dir_all(&directory)?;
        let venv = Venv::with(shell, &directory.join("venv"), &[LITELLM], Install::Missing)?;
        let address = free_port()?;
        let settings = directory.join("litellm.yaml");
        fs::write(&settings, configuration(api))?;
        let child = serve(&venv, &settings, address)?;
        let mut started = Self { child, address };
        started.wait()?;
        Ok(started)
    }

    fn wait(&mut self) -> Result<()> {
        let begin = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the public proxy ended with {status}");
            }
            if begin.elapsed() > PATIENCE {
                bail!("the public proxy does not listen");
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(venv: &Venv, settings: &Path, address: SocketAddr) -> Result<Child> {
    let mut command = Command::new(venv.program("litellm"));
    command
        .args(["--host", "127.0.0.1", "--num_workers", "1", "--port"])
        .arg(address.port().to_string())
        .arg("--config")
        .arg(settings)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
        .spawn()
        .context("the public proxy cannot be started")
}

/// Settings that send requests for the model of the benchmark to its API.
fn configuration(api: SocketAddr) -> String {
    format!(
        "model_list:\n  - model_name: m1\n    litellm_params:\n      model: anthropic/m1\n      api_base: http://{api}\n      api_key: sk-bench\nlitellm_settings:\n  telemetry: false\ngeneral_settings:\n  dangerously_permit_weak_or_unset_master_key: true\n"
    )
}

/// A port of this machine that nothing listens at.
fn free_port() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_proxy_sends_requests_to_the_benchmark() {
        let text = configuration(([127, 0, 0, 1], 7).into());
        assert!(text.contains("api_base: http://127.0.0.1:7\n"), "{text}");
    }
}
