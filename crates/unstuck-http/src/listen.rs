//! Connections: how many, how long, and their end.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};
use unstuck_text::Notify;

use crate::{
    attempts::Attempts,
    connections::{Connection, Connections},
    framing::Framed,
    gate::Gate,
    memory::Memory,
    peer::Peer,
    service::{Front, Handler, Visit},
};

/// How long requests may still take once this program was asked to end.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait when the system has no more connections to give.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a connection may take until one of its requests has passed the gate.
const STRANGER: Duration = Duration::from_secs(10);

/// Bytes that the HTTP library buffers of a connection in each direction. The heads that reach it are shorter.
const BUFFER: usize = 64 << 10;

/// Written to a connection for which there is no place.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";

/// What a listener checks, and its bounds.
pub struct ServeOptions {
    /// Who may come in.
    pub gate: Gate,
    /// Counts requests without the right token; the program logs [`Attempts::report`] now and then.
    pub attempts: Arc<Attempts>,
    /// Memory of all messages.
    pub memory: Memory,
    /// The most connections at once.
    pub connections: usize,
    /// How long a request may take to arrive, and an answer to be taken.
    pub patience: Duration,
    /// Gets lines for the person who runs the program.
    pub notify: Notify,
}

/// A socket that is listened at.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Listens at this address. Where other machines can connect, the gate should have a token.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// The address, with the port that the system chose if none was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes connections until asked to end, and gives what is open then a moment to finish.
    pub async fn serve<H: Handler>(
        self,
        handler: Arc<H>,
        options: ServeOptions,
        stop: watch::Receiver<bool>,
    ) {
        let ServeOptions {
            gate,
            attempts,
            memory,
            connections,
            patience,
            notify,
        } = options;
        let front = Arc::new(Front {
            gate,
            handler,
            patience,
            memory,
            attempts,
        });
        accept(self.socket, front, connections, stop, &notify).await;
    }
}

async fn accept<H: Handler>(
    listener: TcpListener,
    front: Arc<Front<H>>,
    most: usize,
    mut stop: watch::Receiver<bool>,
    notify: &Notify,
) {
    let connections = Connections::new(most);
    let mut served = JoinSet::new();
    loop {
        let accepted = select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        while served.try_join_next().is_some() {}
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                hold_on(&error, notify).await;
                continue;
            }
        };
        // Without it small answers wait for each other, for tens of milliseconds.
        let _ = stream.set_nodelay(true);
        let Some(connection) = connections.admit() else {
            let _ = stream.try_write(FULL);
            continue;
        };
        let (front, stop) = (Arc::clone(&front), stop.clone());
        let peer = Peer::from(peer.ip());
        served.spawn(serve(stream, peer, connection, front, stop));
    }
    drop(listener);
    // Streams do not end by themselves.
    let ended = async { while served.join_next().await.is_some() {} };
    let _ = timeout(GRACE, ended).await;
}

async fn hold_on(error: &io::Error, notify: &Notify) {
    let gone = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    );
    if !gone {
        notify.line(format_args!("no connection can be taken: {error}"));
        sleep(PAUSE).await;
    }
}

async fn serve<H: Handler>(
    stream: TcpStream,
    peer: Peer,
    place: Arc<Connection>,
    front: Arc<Front<H>>,
    mut stop: watch::Receiver<bool>,
) {
    let read = front.patience;
    let (stream, faults) = Framed::new(stream, read);
    let visit = Arc::new(Visit {
        faults,
        peer,
        connection: Arc::clone(&place),
    });
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        Arc::clone(&front).answer(request, Arc::clone(&visit))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(read)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let stranger = sleep(STRANGER.min(read));
    tokio::pin!(stranger);
    let mut is_known = false;
    // How a connection ended is the client's affair; one that is dropped is closed.
    loop {
        select! {
            _ = connection.as_mut() => return,
            () = place.closed() => return,
            () = stranger.as_mut(), if !is_known => {
                if !place.is_known() {
                    return;
                }
                is_known = true;
            }
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(GRACE, connection).await;
}
