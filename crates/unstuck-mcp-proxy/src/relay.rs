//! Lines from one side to the other, judged on the way, by one thread that waits for both sides.
//!
//! Two threads, one for each direction, would wake each other up for every call, which takes longer than judging it.
//! Nothing here waits for a side that reads slowly: what cannot be written yet is kept, and no more is read of what would
//! add to it.

use std::{
    io::{self, Read, Write},
    os::fd::AsFd,
    thread,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
};
use unstuck_mcp::Lines;

use super::{
    batch::{FULL, FromClient, FromServer},
    guard_handle::SharedGuard,
    nonblocking::{NonBlockingWriter, Takes, reopened, widen},
    supervise::News,
    write_queue::WriteQueue,
};

/// Where messages come so close upon each other, the next is looked for this long before the thread goes to sleep: to
/// wake up two processes, one after the other, takes about as long.
const SOON: Duration = Duration::from_micros(100);

/// Who passes on a message of this size spends the time on copying it, which goes best where client and server can have
/// both cores.
const LONG: usize = 16 << 10;

/// Refusals that may wait for a server to read them, in bytes.
const REFUSALS: usize = 64 << 10;

/// Carries messages until the server sends no more, or the client no longer reads.
pub(super) fn carry(
    shared: &SharedGuard,
    (client, answers): (impl Read + AsFd, impl Write + AsFd),
    (input, output): (impl Write + AsFd, impl Read + AsFd),
    tell: &dyn Fn(News),
) {
    widen(&client);
    widen(&answers);
    widen(&input);
    widen(&output);
    // No other process has this end of the pipe, so none notices the change.
    let alone = fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).is_ok();
    let to_server = NonBlockingWriter::new(
        input,
        if alone {
            Takes::WhatItCan
        } else {
            Takes::ALittle
        },
    );
    let parts = (client, output, to_server);
    match reopened(answers.as_fd()) {
        Some(own) => run(
            shared,
            parts,
            NonBlockingWriter::new(own, Takes::WhatItCan),
            tell,
        ),
        None => run(
            shared,
            parts,
            NonBlockingWriter::new(answers, Takes::ALittle),
            tell,
        ),
    }
}

fn run<C, S, A, I>(
    shared: &SharedGuard,
    (client, output, to_server): (C, S, NonBlockingWriter<I>),
    to_client: NonBlockingWriter<A>,
    tell: &dyn Fn(News),
) where
    C: Read + AsFd,
    S: Read + AsFd,
    A: Write + AsFd,
    I: Write + AsFd,
{
    let mut relay = Relay {
        client: Some(Lines::new(client, shared.longest())),
        server: Some(Lines::new(output, shared.longest())),
        to_client: WriteQueue::new(to_client),
        to_server: Some(WriteQueue::new(to_server)),
        from_client: FromClient::new(shared),
        from_server: FromServer::new(shared),
        pace: Pace::Slow,
        tell,
    };
    relay.run();
    relay.close_server();
    tell(News::ServerEnded);
}

/// Both sides: what is read from the client and the server, and what is written to them.
struct Relay<'a, C, S, A, I> {
    /// Until it sends no more.
    client: Option<Lines<C>>,
    /// Until it sends no more.
    server: Option<Lines<S>>,
    to_client: WriteQueue<A>,
    /// Until there is no more for it, or it reads no more.
    to_server: Option<WriteQueue<I>>,
    from_client: FromClient<'a>,
    from_server: FromServer<'a>,
    pace: Pace,
    tell: &'a dyn Fn(News),
}

/// How messages follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// The last one came soon after the one before.
    Quick,
    Slow,
}

impl Pace {
    /// What it is after these were passed on.
    fn after(self, lines: &[u8]) -> Self {
        if lines.len() > LONG { Self::Slow } else { self }
    }
}

/// What can be done without waiting.
#[derive(Clone, Copy, Default)]
struct Ready([bool; 4]);

#[derive(Clone, Copy)]
enum Work {
    ReadClient,
    ReadServer,
    WriteClient,
    WriteServer,
}

impl Ready {
    fn has_any(self) -> bool {
        self.0.contains(&true)
    }

    fn for_work(self, work: Work) -> bool {
        self.0[work as usize]
    }
}

impl<C, S, A, I> Relay<'_, C, S, A, I>
where
    C: Read + AsFd,
    S: Read + AsFd,
    A: Write + AsFd,
    I: Write + AsFd,
{
    /// It ends when the server has, or when the client no longer reads; then no answer is due.
    fn run(&mut self) {
        while !self.is_over() {
            let ready = self.wait();
            if ready.for_work(Work::ReadServer) {
                self.take_from_server();
            }
            if ready.for_work(Work::ReadClient) {
                self.take_from_client();
            }
            if ready.for_work(Work::WriteClient) {
                self.to_client.flush();
            }
            self.see_to_server(ready.for_work(Work::WriteServer));
        }
    }

    fn is_over(&self) -> bool {
        self.server.is_none() && self.to_client.is_empty() || self.to_client.is_broken()
    }

    /// Whether there is nothing more to write to the server, or it reads no more.
    fn is_done_with_server(&self) -> bool {
        let is_last = self.client.is_none();
        let to_server = self.to_server.as_ref();
        to_server.is_some_and(|to| to.is_broken() || is_last && to.is_empty())
    }

    /// Waits until something can be done.
    fn wait(&mut self) -> Ready {
        if self.has_lines() {
            return self.look(PollTimeout::ZERO);
        }
        if self.pace == Pace::Quick {
            let began = Instant::now();
            while began.elapsed() < SOON {
                // The sender of the next message may need this very core for it.
                thread::yield_now();
                let ready = self.look(PollTimeout::ZERO);
                if ready.has_any() {
                    return ready;
                }
            }
        }
        if self.is_over() || self.is_done_with_server() {
            return Ready::default();
        }
        let began = Instant::now();
        let ready = self.look(PollTimeout::NONE);
        self.pace = if began.elapsed() < SOON {
            Pace::Quick
        } else {
            Pace::Slow
        };
        ready
    }

    /// Lines that are there already, and may be taken.
    fn has_lines(&self) -> bool {
        self.hears_client() && self.client.as_ref().is_some_and(Lines::has_line)
            || self.hears_server() && self.server.as_ref().is_some_and(Lines::has_line)
    }

    /// Whether what the client sends could be kept, were it not passed on or denied at once. What the server sends does
    /// not take all the room there is for denials.
    fn hears_client(&self) -> bool {
        let to_server = self.to_server.as_ref();
        to_server.is_some_and(|to| to.len() < FULL) && self.to_client.len() < 2 * FULL
    }

    fn hears_server(&self) -> bool {
        self.to_client.len() < FULL
    }

    /// Asks what can be done.
    fn look(&self, timeout: PollTimeout) -> Ready {
        let client = self.client.as_ref().filter(|_| self.hears_client());
        let server = self.server.as_ref().filter(|_| self.hears_server());
        let to_client = self.to_client.lagging();
        let to_server = self.to_server.as_ref().and_then(WriteQueue::lagging);
        let reads = PollFlags::POLLIN;
        let writes = PollFlags::POLLOUT;
        let sides = [
            client.map(|lines| PollFd::new(lines.source().as_fd(), reads)),
            server.map(|lines| PollFd::new(lines.source().as_fd(), reads)),
            to_client.map(|to| PollFd::new(to, writes)),
            to_server.map(|to| PollFd::new(to, writes)),
        ];
        let mut ready = Ready([
            client.is_some_and(Lines::has_line),
            server.is_some_and(Lines::has_line),
            false,
            false,
        ]);
        let asked = sides.each_ref().map(Option::is_some);
        let mut sides: Vec<PollFd<'_>> = sides.into_iter().flatten().collect();
        // A signal may come in between; then nothing is ready, and it is asked again.
        if poll(&mut sides, timeout).is_ok() {
            let places = ready.0.iter_mut().zip(asked);
            let places = places.filter(|(_, asked)| *asked);
            for ((ready, _), side) in places.zip(&sides) {
                // That a side is closed counts: the next read or write reports it.
                *ready |= side.any() == Some(true);
            }
        }
        ready
    }

    fn take_from_server(&mut self) {
        let Some(lines) = &mut self.server else {
            return;
        };
        let Some(more) = arrived(lines) else {
            self.pace = Pace::Slow;
            return;
        };
        let to_server = &mut self.to_server;
        while !self.from_server.is_full()
            && let Some(line) = lines.next_ready()
        {
            self.from_server.judge(line, |answer| {
                // A server that reads too slowly does without.
                if let Some(to) = to_server.as_mut().filter(|to| to.len() < REFUSALS) {
                    to.send(&answer);
                }
            });
        }
        lines.release();
        if more == More::None && !lines.has_line() {
            self.server = None;
        }
        self.from_server.settle(|lines| {
            self.pace = self.pace.after(lines);
            self.to_client.send(lines);
        });
    }

    fn take_from_client(&mut self) {
        let Some(lines) = &mut self.client else {
            return;
        };
        let Some(more) = arrived(lines) else {
            self.pace = Pace::Slow;
            return;
        };
        while !self.from_client.is_full()
            && let Some(line) = lines.next_ready()
        {
            self.from_client.judge(line);
        }
        lines.release();
        if more == More::None && !lines.has_line() {
            self.client = None;
        }
        self.from_client.settle(|batch| {
            self.pace = self.pace.after(&batch.to_server);
            if let Some(to) = &mut self.to_server {
                to.send(&batch.to_server);
            }
            self.to_client.send(&batch.to_client);
        });
    }

    fn see_to_server(&mut self, is_ready: bool) {
        if let Some(to) = self.to_server.as_mut().filter(|_| is_ready) {
            to.flush();
        }
        // Whatever went wrong, the pipe is closed, and that tells the server.
        if self.is_done_with_server() {
            self.close_server();
        }
    }

    fn close_server(&mut self) {
        self.client = None;
        // What was not written is lost.
        if self.to_server.take().is_some() {
            (self.tell)(News::ClientEnded);
        }
    }
}

/// Whether a stream may have more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum More {
    Perhaps,
    None,
}

/// Reads what has arrived. Nothing, as long as there is no whole line and more may come.
fn arrived(lines: &mut Lines<impl io::Read>) -> Option<More> {
    let more = match lines.read_more() {
        Ok(()) if lines.has_ended() => More::None,
        Ok(()) => More::Perhaps,
        // The pipe may have been made as one that does not block.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => More::Perhaps,
        Err(_) => More::None,
    };
    (lines.has_line() || more == More::None).then_some(more)
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
