//! What all ways to carry messages must do.

use std::{
    io::{BufRead as _, BufReader, PipeReader, PipeWriter, pipe},
    sync::mpsc,
    time::Duration,
};

use unstuck::{Preset, Settings};
use unstuck_mcp::{Guard, GuardOptions};

use super::*;
use crate::threads;
use unstuck_audit::OnFailure;

/// Longer than anything takes here that does not hang.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Clone, Copy, Debug)]
enum Way {
    OneThread,
    /// Where the client's end is not a pipe, or cannot be opened anew.
    OneThreadThatAsks,
    TwoThreads,
}

const WAYS: [Way; 3] = [Way::OneThread, Way::OneThreadThatAsks, Way::TwoThreads];

/// A client and a server with nothing but the relay between them.
struct Between {
    to_client: BufReader<PipeReader>,
    from_client: PipeWriter,
    to_server: BufReader<PipeReader>,
    from_server: PipeWriter,
    news: mpsc::Receiver<String>,
}

fn start(way: Way) -> Between {
    let (client, from_client) = pipe().unwrap();
    let (to_client, answers) = pipe().unwrap();
    let (to_server, input) = pipe().unwrap();
    let (output, from_server) = pipe().unwrap();
    let (sender, news) = mpsc::channel();
    thread::spawn(move || {
        let options = GuardOptions::new("s", Settings::of(Preset::Standard));
        let shared = SharedGuard::new(
            Guard::new(options),
            None,
            OnFailure::Deny,
            8 << 20,
            unstuck_text::Notify::silent(),
        );
        let tell = |news: News| drop(sender.send(format!("{news:?}")));
        match way {
            Way::OneThread => {
                carry(&shared, (client, answers), (input, output), &tell);
            }
            Way::OneThreadThatAsks => {
                let to_client = NonBlockingWriter::new(answers, Takes::ALittle);
                let parts = (
                    client,
                    output,
                    NonBlockingWriter::new(input, Takes::ALittle),
                );
                run(&shared, parts, to_client, &tell);
            }
            Way::TwoThreads => threads::carry(&shared, (client, answers), (input, output), &tell),
        }
        drop(sender);
    });
    Between {
        to_client: BufReader::new(to_client),
        from_client,
        to_server: BufReader::new(to_server),
        from_server,
        news,
    }
}

fn call(id: usize, bytes: usize) -> String {
    let text = format!("{id} {}", "x".repeat(bytes));
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"{text}\"}}}}}}\n"
    )
}

fn answer(id: usize, bytes: usize) -> String {
    let text = format!("{id} {}", "x".repeat(bytes));
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}\n"
    )
}

fn note(bytes: usize) -> String {
    let text = "x".repeat(bytes);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"data\":\"{text}\"}}}}\n"
    )
}

fn next(from: &mut BufReader<PipeReader>) -> String {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    line
}

#[test]
fn calls_and_answers_of_any_size_arrive_as_they_were_sent() {
    for way in WAYS {
        let mut between = start(way);
        let sizes = [1, 100, 4_000, 4_096, 5_000, 70_000, 300_000];
        for (id, bytes) in sizes.into_iter().enumerate() {
            let mut from_client = between.from_client.try_clone().unwrap();
            let sent = thread::spawn(move || from_client.write_all(call(id, bytes).as_bytes()));
            assert_eq!(next(&mut between.to_server), call(id, bytes), "{way:?}");
            sent.join().unwrap().unwrap();
            let mut from_server = between.from_server.try_clone().unwrap();
            let sent = thread::spawn(move || from_server.write_all(answer(id, bytes).as_bytes()));
            assert_eq!(next(&mut between.to_client), answer(id, bytes), "{way:?}");
            sent.join().unwrap().unwrap();
        }
    }
}

#[test]
fn one_side_that_does_not_read_does_not_hold_up_the_other() {
    const MANY: usize = 40;
    const BYTES: usize = 100_000;
    for way in WAYS {
        let mut between = start(way);
        let mut from_server = between.from_server.try_clone().unwrap();
        // More than all pipes and buffers on the way hold, while it is not read.
        let flood = thread::spawn(move || {
            for _ in 0..MANY {
                from_server.write_all(note(BYTES).as_bytes()).unwrap();
            }
        });
        let mut from_client = between.from_client.try_clone().unwrap();
        let calls = thread::spawn(move || {
            for id in 0..MANY {
                from_client.write_all(call(id, BYTES).as_bytes()).unwrap();
            }
        });
        for id in 0..MANY {
            assert_eq!(next(&mut between.to_server), call(id, BYTES), "{way:?}");
        }
        calls.join().unwrap();
        for _ in 0..MANY {
            assert_eq!(next(&mut between.to_client), note(BYTES), "{way:?}");
        }
        flood.join().unwrap();
    }
}

#[test]
fn what_was_sent_before_the_end_arrives() {
    for way in WAYS {
        let mut between = start(way);
        let first = call(1, 200_000);
        let mut from_client = between.from_client;
        let sent = thread::spawn(move || from_client.write_all(first.as_bytes()));
        assert_eq!(next(&mut between.to_server), call(1, 200_000), "{way:?}");
        sent.join().unwrap().unwrap();
        // The client has hung up, so the server's input ends; what it still says is passed on.
        assert_eq!(next(&mut between.to_server), "", "{way:?}");
        let news = between.news.recv_timeout(PATIENCE);
        assert_eq!(news.as_deref(), Ok("ClientEnded"), "{way:?}");
        let mut from_server = between.from_server;
        let said = answer(1, 200_000) + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/last\"}";
        let sent = thread::spawn(move || from_server.write_all(said.as_bytes()));
        assert_eq!(next(&mut between.to_client), answer(1, 200_000), "{way:?}");
        // It is a whole line even if the server's had no end.
        assert!(
            next(&mut between.to_client).ends_with("last\"}\n"),
            "{way:?}"
        );
        assert_eq!(next(&mut between.to_client), "", "{way:?}");
        sent.join().unwrap().unwrap();
        let news = between.news.recv_timeout(PATIENCE);
        assert_eq!(news.as_deref(), Ok("ServerEnded"), "{way:?}");
    }
}

#[test]
fn it_ends_when_nobody_reads_what_the_server_says() {
    for way in WAYS {
        let mut between = start(way);
        drop(between.to_client);
        // The first may be written before it is noticed.
        while between.from_server.write_all(note(10).as_bytes()).is_ok() {
            thread::yield_now();
        }
        let news: Vec<_> = [between.news.recv_timeout(PATIENCE)].into_iter().collect();
        assert!(
            matches!(&news[0], Ok(news) if news.ends_with("Ended")),
            "{way:?}"
        );
    }
}

#[test]
fn a_server_that_reads_no_more_is_told_of_by_a_closed_pipe() {
    for way in WAYS {
        let between = start(way);
        drop(between.to_server);
        let mut from_client = between.from_client;
        from_client.write_all(call(1, 10).as_bytes()).unwrap();
        let news = between.news.recv_timeout(PATIENCE);
        assert_eq!(news.as_deref(), Ok("ClientEnded"), "{way:?}");
    }
}

#[test]
fn bursts_arrive_in_order_and_then_the_end() {
    const MANY: usize = 1_000;
    for way in WAYS {
        let Between {
            mut to_client,
            mut from_client,
            mut to_server,
            mut from_server,
            news,
        } = start(way);
        let server = thread::spawn(move || {
            for id in 0..MANY {
                assert_eq!(next(&mut to_server), call(id, 10), "{way:?}");
                from_server.write_all(answer(id, 10).as_bytes()).unwrap();
            }
            assert_eq!(next(&mut to_server), "", "{way:?}");
        });
        // At first one after the other, as quickly as it goes, and then all at once.
        for id in 0..MANY / 2 {
            from_client.write_all(call(id, 10).as_bytes()).unwrap();
            assert_eq!(next(&mut to_client), answer(id, 10), "{way:?}");
        }
        let rest = thread::spawn(move || {
            for id in MANY / 2..MANY {
                from_client.write_all(call(id, 10).as_bytes()).unwrap();
            }
        });
        for id in MANY / 2..MANY {
            assert_eq!(next(&mut to_client), answer(id, 10), "{way:?}");
        }
        assert_eq!(next(&mut to_client), "", "{way:?}");
        rest.join().unwrap();
        server.join().unwrap();
        let news: Vec<_> = news.iter().collect();
        assert_eq!(news, ["ClientEnded", "ServerEnded"], "{way:?}");
    }
}
