//! Lines carried by two threads, one for each direction: where a thread cannot wait for two things at once.

use std::{
    io::{self, Read, Write},
    sync::{
        Mutex,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use unstuck_mcp::Lines;
use unstuck_session::sync::lock;

use super::{
    judge::{FromClient, FromServer},
    shared::Shared,
    watch::News,
};

/// Refusals that may wait for a server to read them.
const REFUSALS: usize = 64;

/// Carries messages until the server sends no more.
pub(super) fn carry(
    shared: &Shared,
    (client, answers): (impl Read + Send, impl Write + Send),
    (input, output): (impl Write + Send, impl Read),
    tell: &(impl Fn(News) + Sync),
) {
    let input = Mutex::new(Input(Some(input)));
    let answers = Mutex::new(answers);
    let (refused, refusals) = mpsc::sync_channel(REFUSALS);
    thread::scope(|scope| {
        scope.spawn(|| {
            // Whatever went wrong, the pipe is closed, and that tells the server.
            let _ = client_to_server(shared, client, &input, &answers);
            lock(&input).0 = None;
            tell(News::ClientEnded);
        });
        let server = &input;
        scope.spawn(move || back_to_server(refusals, server));
        let _ = server_to_client(shared, output, &answers, &refused);
        drop(refused);
        tell(News::ServerEnded);
    });
}

fn client_to_server(
    shared: &Shared,
    client: impl Read,
    server: &Mutex<impl Write>,
    answers: &Mutex<impl Write>,
) -> io::Result<()> {
    let mut lines = Lines::new(client, shared.longest());
    let mut judge = FromClient::new(shared);
    while let Some(line) = lines.next_line()? {
        judge.judge(line);
        if lines.has_line() && !judge.is_full() {
            continue;
        }
        judge.settle(|batch| {
            send(answers, &batch.to_client)?;
            send(server, &batch.to_server)
        })?;
    }
    Ok(())
}

fn server_to_client(
    shared: &Shared,
    server: impl Read,
    client: &Mutex<impl Write>,
    refused: &SyncSender<Vec<u8>>,
) -> io::Result<()> {
    let mut lines = Lines::new(server, shared.longest());
    let mut judge = FromServer::new(shared);
    while let Some(line) = lines.next_line()? {
        // A server that reads too slowly does without: to wait for it here may be to wait for ever.
        judge.judge(line, |line| drop(refused.try_send(line)));
        if lines.has_line() && !judge.is_full() {
            continue;
        }
        judge.settle(|lines| send(client, lines))?;
    }
    Ok(())
}

/// Tells a server which of its messages were refused.
fn back_to_server(refused: Receiver<Vec<u8>>, server: &Mutex<impl Write>) {
    for line in refused {
        // One that reads no more does not miss it.
        let _ = send(server, &line);
    }
}

/// Whole lines, which those of the other direction must not cut in two.
fn send(to: &Mutex<impl Write>, lines: &[u8]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut to = lock(to);
    to.write_all(lines)?;
    to.flush()
}

/// What the server reads, until the client has no more for it.
struct Input<W>(Option<W>);

impl<W: Write> Write for Input<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Some(input) => input.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), W::flush)
    }
}
