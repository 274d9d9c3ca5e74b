//! Connections: how many, how long, and their end.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::{framing::Framed, peer::Peer, service::Front};

/// How long requests may still take once this program was asked to end.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait when the system has no more connections to give.
const PAUSE: Duration = Duration::from_millis(50);

/// Written to whoever is one too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";

/// Takes connections until asked to end, and gives what is open then a moment to finish.
pub(super) async fn accept(
    listener: TcpListener,
    front: Arc<Front>,
    most: usize,
    mut stop: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(most));
    loop {
        let accepted = select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                hold_on(&error).await;
                continue;
            }
        };
        // Without it small answers wait for each other, for tens of milliseconds.
        let _ = stream.set_nodelay(true);
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            let _ = stream.try_write(FULL);
            continue;
        };
        let (front, stop) = (Arc::clone(&front), stop.clone());
        tokio::spawn(async move {
            serve((stream, address.ip().into()), front, stop).await;
            drop(place);
        });
    }
    drop(listener);
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    // Streams do not end by themselves.
    let _ = timeout(GRACE, room.acquire_many(all)).await;
}

async fn hold_on(error: &io::Error) {
    let gone = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    );
    if !gone {
        anstream::eprintln!("unstuck: no connection can be taken: {error}");
        sleep(PAUSE).await;
    }
}

async fn serve(
    (stream, peer): (TcpStream, Peer),
    front: Arc<Front>,
    mut stop: watch::Receiver<bool>,
) {
    let read = front.read;
    let (stream, doubt) = Framed::new(stream);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        Arc::clone(&front).answer(request, doubt.clone())
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(read)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    // How a connection ended is the client's affair.
    select! {
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(GRACE, connection).await;
}

/// Listens, where only this machine can connect unless clients must show a token.
pub(super) async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}
