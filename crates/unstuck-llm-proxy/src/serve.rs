//! Runs a proxy.

use std::{net::SocketAddr, sync::Arc, thread, time::Duration};

use anyhow::{Context as _, Result, bail};
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
    task::JoinHandle,
};
use unstuck_http::{Attempts, Gate, Listener, Memory, ServeOptions, least};

use crate::{front::Front, guard::Guard, options::ProxyOptions, upstreams::Upstreams};

/// Threads that serve requests, at most.
const MOST_THREADS: usize = 8;

/// A proxy that runs. It ends when this is dropped.
pub struct Proxy {
    runtime: Runtime,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy. Only programs on this machine can reach it: what they send has their credentials with it, so there is
    /// no token that a proxy could ask others for.
    pub fn start(options: ProxyOptions, guard: Arc<Guard>) -> Result<Self> {
        let address = options.address;
        if !address.ip().is_loopback() {
            bail!(
                "{address} can be reached by others; listen at an address of this machine, such as 127.0.0.1:8788"
            );
        }
        let limits = options.limits;
        let least = least(limits.message);
        if limits.memory < least {
            bail!(
                "the memory of {} bytes is too small for bodies of {} bytes: {least} or more are needed",
                limits.memory,
                limits.message
            );
        }
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let runtime = Builder::new_multi_thread()
            // Two at least: while one judges a long history, the other serves the rest.
            .worker_threads(threads.clamp(2, MOST_THREADS))
            .enable_io()
            .enable_time()
            .build()
            .context("cannot start threads")?;
        let socket = runtime.block_on(Listener::bind(address));
        let socket = socket.with_context(|| format!("cannot listen at {address}"))?;
        let address = socket.address();
        let memory = Memory::new(limits.memory);
        let front = Arc::new(Front {
            guard,
            upstreams: Upstreams::new(options.targets, limits.answer, options.notify.clone()),
            longest: limits.message,
            memory: memory.clone(),
        });
        let serve = ServeOptions {
            gate: Gate::new(address, None, &[]),
            attempts: Arc::new(Attempts::default()),
            memory,
            connections: limits.connections,
            patience: limits.read,
            notify: options.notify,
        };
        let (stop, stopped) = watch::channel(false);
        let serving = runtime.spawn(socket.serve(front, serve, stopped));
        Ok(Self {
            runtime,
            address,
            stop,
            serving,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it, and gives answers that are on their way a moment to finish.
    pub fn stop(self) {
        self.stop.send_replace(true);
        let _ = self.runtime.block_on(self.serving);
        self.runtime.shutdown_timeout(Duration::from_secs(1));
    }

    /// Lets a signal that asks this process to end stop the proxy.
    fn stop_at_signals(&self) {
        let stop = self.stop.clone();
        // A second handler cannot be set, and without one the process just ends.
        let _ = ctrlc::set_handler(move || {
            stop.send_replace(true);
        });
    }

    /// Waits until the proxy was stopped.
    fn wait(self) {
        let _ = self.runtime.block_on(self.serving);
        self.runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

/// Serves until a signal asks this process to end.
pub fn serve(options: ProxyOptions, guard: Arc<Guard>) -> Result<()> {
    let notify = options.notify.clone();
    let proxy = Proxy::start(options, guard)?;
    // Before the address is announced: from then on a signal must let answers finish.
    proxy.stop_at_signals();
    notify.line(format_args!("listens at http://{}", proxy.address()));
    proxy.wait();
    Ok(())
}
