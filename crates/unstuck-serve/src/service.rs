//! Runs a sidecar.

use std::{net::SocketAddr, sync::Arc, thread, time::Duration};

use anyhow::{Context as _, Result, bail};
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
    task::JoinHandle,
};
use unstuck_http::{Attempts, Gate, Listener, Memory, ServeOptions, least};
use unstuck_text::Notify;

use crate::{api::Api, options::ServiceOptions, sidecar::Sidecar};

/// Threads that judge, at most.
const MOST_THREADS: usize = 16;

/// Threads that wait for disks and stores, at most.
const MOST_WAITING: usize = 64;

/// How often entries that wait for the store of tallies are sent, and failed attempts are reported.
const ROUND: Duration = Duration::from_secs(1);

/// A sidecar that listens. [`stop`](Self::stop) ends it and loses nothing; dropping it loses nothing that was answered.
pub struct Service {
    runtime: Runtime,
    address: SocketAddr,
    sidecar: Arc<Sidecar>,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Service {
    /// Listens.
    pub fn start(options: ServiceOptions, sidecar: Arc<Sidecar>) -> Result<Self> {
        let ServiceOptions {
            address,
            tokens,
            names,
            limits,
            notify,
        } = options;
        if !address.ip().is_loopback() && tokens.report.is_none() {
            bail!(
                "{address} can be reached by other machines: set UNSTUCK_SERVE_TOKEN, or listen at 127.0.0.1"
            );
        }
        let least = least(limits.body);
        if limits.memory < least {
            bail!(
                "the memory of {} bytes is too small for bodies of {} bytes: {least} or more are needed",
                limits.memory,
                limits.body
            );
        }
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads.clamp(2, MOST_THREADS))
            .max_blocking_threads(MOST_WAITING)
            .enable_io()
            .enable_time()
            .build()
            .context("cannot start threads")?;
        let socket = runtime.block_on(Listener::bind(address));
        let socket = socket.with_context(|| format!("cannot listen at {address}"))?;
        let address = socket.address();
        let mut gate = Gate::new(address, tokens.report.as_deref(), &names);
        if let (Some(_), Some(operate)) = (&tokens.report, &tokens.operate) {
            gate = gate.with_token(operate);
        }
        let attempts = Arc::new(Attempts::default());
        let serve = ServeOptions {
            gate,
            attempts: Arc::clone(&attempts),
            memory: Memory::new(limits.memory),
            connections: limits.connections,
            patience: limits.read,
            notify,
        };
        let api = Arc::new(Api {
            sidecar: Arc::clone(&sidecar),
            tokens,
            longest: limits.body,
        });
        let (stop, stopped) = watch::channel(false);
        runtime.spawn(rounds(Arc::clone(&sidecar), stopped.clone()));
        let serving = runtime.spawn(socket.serve(api, serve, stopped));
        Ok(Self {
            runtime,
            address,
            sidecar,
            stop,
            serving,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it. Requests that are on their way get their answers, and the state is written as a whole.
    pub fn stop(self) {
        self.stop.send_replace(true);
        self.wait();
    }

    /// Waits until it was asked to end, and ends it.
    fn wait(self) {
        let _ = self.runtime.block_on(self.serving);
        self.runtime.shutdown_timeout(Duration::from_secs(1));
        self.sidecar.close();
    }

    fn stop_at_signals(&self) {
        let stop = self.stop.clone();
        // A second handler cannot be set, and without one the process just ends.
        let _ = ctrlc::set_handler(move || {
            stop.send_replace(true);
        });
    }
}

/// Serves until a signal asks this process to end.
pub fn serve(options: ServiceOptions, sidecar: Sidecar) -> Result<()> {
    let notify: Notify = options.notify.clone();
    let service = Service::start(options, Arc::new(sidecar))?;
    // Before the address is announced: from then on a signal must let answers finish.
    service.stop_at_signals();
    notify.line(format_args!("listens at http://{}", service.address()));
    service.wait();
    Ok(())
}

/// Sends what waits for the store of tallies, also while no events arrive.
async fn rounds(sidecar: Arc<Sidecar>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(ROUND) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        let sidecar = Arc::clone(&sidecar);
        let _ = tokio::task::spawn_blocking(move || sidecar.send_waiting()).await;
    }
}
