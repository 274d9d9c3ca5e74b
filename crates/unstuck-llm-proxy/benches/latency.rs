//! What the proxy adds to a request: to the first byte of an answer, to each event of a stream, and to histories that are sent
//! again; and how much memory a session takes. Beside a program that only copies bytes, and beside other proxies.
//!
//! `cargo xtask bench-llm-proxy` runs it. `UNSTUCK_BENCH_API` is the address of the scripted API, `UNSTUCK_BENCH_BESIDE` names
//! other proxies in front of it, as `name=address` with spaces between them.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and fails by panicking"
)]

use std::{
    env,
    fmt::Write as _,
    hint::black_box,
    io::{Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    process::ExitCode,
    sync::{Arc, LazyLock},
    thread,
    time::{Duration, Instant},
};

use siphasher::sip128::{Hasher128 as _, SipHasher13};
use unstuck::{Preset, Settings};
use unstuck_json::Json;
use unstuck_llm::{Conversation, Form, Request};
use unstuck_llm_proxy::{Guard, GuardOptions, Limits, Proxy, ProxyOptions, Targets};
use unstuck_text::Notify;

/// Requests of each way.
const REQUESTS: usize = 300;

/// Bytes of the history of the first request.
const HISTORY: usize = 200_000;

/// Events of a stream, and the time between them.
const EVENTS: usize = 400;
const PACE: Duration = Duration::from_millis(2);

/// Bytes of a history that is sent ten times.
const LARGE: usize = 5_000_000;

/// Sessions whose memory is measured.
const SESSIONS: usize = 100;

/// The most that may be added to the first byte at the median, in microseconds.
const MOST_ADDED: f64 = 300.0;

/// The most that an event may take, in times of what it takes through a pipe.
const MOST_EVENT: f64 = 2.0;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn nanoseconds() -> u64 {
    START.elapsed().as_nanos() as u64
}

fn main() -> ExitCode {
    LazyLock::force(&START);
    // Tests list and run benchmarks too, to see that they build; only `cargo bench` gives this argument.
    if env::args().all(|word| word != "--bench") {
        return ExitCode::SUCCESS;
    }
    let api = api();
    let guard = Arc::new(Guard::new(GuardOptions::new(Settings::of(
        Preset::Standard,
    ))));
    let options = ProxyOptions {
        address: (Ipv4Addr::LOCALHOST, 0).into(),
        targets: Targets(vec![format!("http://{api}").parse().expect("an address")]),
        limits: Limits::default(),
        notify: Notify::silent(),
    };
    let proxy = Proxy::start(options, guard).expect("a proxy");
    let mut ways = vec![
        ("direct".to_owned(), api),
        ("pipe".to_owned(), pipe(api)),
        ("unstuck proxy".to_owned(), proxy.address()),
    ];
    for word in env::var("UNSTUCK_BENCH_BESIDE")
        .unwrap_or_default()
        .split_whitespace()
    {
        let (name, address) = word.split_once('=').expect("name=address");
        ways.push((name.to_owned(), address.parse().expect("an address")));
    }
    let mut is_good = first_byte(&ways);
    is_good &= events(&ways);
    is_good &= large_history();
    memory();
    proxy.stop();
    if is_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// An API that answers each request with a stream: of two events, or of many where a header asks for them.
fn api() -> SocketAddr {
    let address = env::var("UNSTUCK_BENCH_API").unwrap_or_else(|_| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address).expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream));
        }
    });
    address
}

fn serve(mut stream: TcpStream) {
    stream.set_nodelay(true).expect("an option");
    let mut buffer = Vec::new();
    while let Some(head) = read_message(&mut stream, &mut buffer) {
        let count = if head.contains("x-bench-events") {
            EVENTS
        } else {
            2
        };
        let begin = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        let start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m1\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n";
        let opens = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
        let mut first = begin.to_owned();
        first += &chunk(start);
        first += &chunk(opens);
        if stream.write_all(first.as_bytes()).is_err() {
            return;
        }
        for number in 0..count {
            if count > 2 {
                thread::sleep(PACE);
            }
            let event = format!(
                "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"w{number} \"}},\"at\":{}}}\n\n",
                nanoseconds()
            );
            if stream.write_all(chunk(&event).as_bytes()).is_err() {
                return;
            }
        }
        let end = "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":2}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
        let last = format!("{}0\r\n\r\n", chunk(end));
        if stream.write_all(last.as_bytes()).is_err() {
            return;
        }
    }
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

/// Reads a request with its body, and returns its head.
fn read_message(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<String> {
    let mut piece = vec![0; 64 << 10];
    loop {
        if let Some(end) = memchr::memmem::find(buffer, b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.map_or(0, |length| length.trim().parse().expect("a number"));
            while buffer.len() < end + 4 + length {
                let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
                buffer.extend_from_slice(&piece[..count]);
            }
            buffer.drain(..end + 4 + length);
            return Some(head);
        }
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        buffer.extend_from_slice(&piece[..count]);
    }
}

/// A program that only copies bytes.
fn pipe(to: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(to).expect("a connection");
            let both = [(&client, &server), (&server, &client)];
            for (from, to) in both {
                let (mut from, mut to) = (
                    from.try_clone().expect("a socket"),
                    to.try_clone().expect("a socket"),
                );
                to.set_nodelay(true).expect("an option");
                thread::spawn(move || {
                    let mut buffer = vec![0; 64 << 10];
                    while let Ok(count) = from.read(&mut buffer) {
                        if count == 0 || to.write_all(&buffer[..count]).is_err() {
                            break;
                        }
                    }
                    let _ = to.shutdown(Shutdown::Both);
                });
            }
        }
    });
    address
}

/// A history of work that gets somewhere, of at least so many bytes.
fn history(bytes: usize, steps: usize) -> String {
    let mut text = String::from(r#"{"role":"user","content":"Change the files."}"#);
    let mut number = 0;
    let mut left = steps;
    while text.len() < bytes || left > 0 {
        if text.len() >= bytes {
            left -= 1;
        }
        number += 1;
        let output = format!("fn part_{number}() -> u64 {{ {} }}", number * 7919);
        let output = output.repeat(if number % 5 == 0 { 60 } else { 4 });
        let _ = write!(
            text,
            r#",{{"role":"assistant","content":[{{"type":"tool_use","id":"t{number}","name":"read_file","input":{{"path":"src/part_{number}.rs"}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"{output}"}}]}}"#
        );
    }
    text
}

fn body(history: &str) -> String {
    format!(
        r#"{{"model":"m1","max_tokens":1000,"stream":true,"tools":[{{"name":"read_file","input_schema":{{"type":"object"}}}}],"messages":[{history}]}}"#
    )
}

struct Client {
    stream: TcpStream,
    address: SocketAddr,
    buffer: Vec<u8>,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Self {
            stream,
            address,
            buffer: Vec::new(),
        }
    }

    fn send(&mut self, header: &str, body: &str) {
        let head = format!(
            "POST /v1/messages HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nx-api-key: sk-bench\r\nanthropic-version: 2023-06-01\r\n{header}content-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let mut all = head.into_bytes();
        all.extend_from_slice(body.as_bytes());
        self.stream.write_all(&all).expect("written");
    }

    /// Nanoseconds until the first byte, after which the rest is read.
    fn first_byte(&mut self, body: &str) -> u64 {
        let start = Instant::now();
        self.send("x-claude-code-session-id: bench\r\n", body);
        let mut piece = vec![0; 16 << 10];
        let count = self.stream.read(&mut piece).expect("an answer");
        let first = start.elapsed();
        assert!(count > 0, "the answer is empty");
        self.buffer.clear();
        self.buffer.extend_from_slice(&piece[..count]);
        while !self.buffer.ends_with(b"0\r\n\r\n") {
            let count = self.stream.read(&mut piece).expect("the rest");
            assert!(count > 0, "the answer breaks off");
            self.buffer.extend_from_slice(&piece[..count]);
        }
        assert!(self.buffer.starts_with(b"HTTP/1.1 200"));
        first.as_nanos() as u64
    }

    /// Nanoseconds that each event of a stream takes from the API to here.
    fn event_times(&mut self, body: &str) -> Vec<u64> {
        self.send("x-bench-events: 1\r\n", body);
        let mut times = Vec::new();
        let mut piece = vec![0; 16 << 10];
        let mut rest = Vec::new();
        loop {
            let count = self.stream.read(&mut piece).expect("an answer");
            let now = nanoseconds();
            rest.extend_from_slice(&piece[..count]);
            while let Some(at) = memchr::memmem::find(&rest, b"\"at\":") {
                let digits = &rest[at + 5..];
                let Some(end) = digits.iter().position(|byte| *byte == b'}') else {
                    break;
                };
                let written = std::str::from_utf8(&digits[..end]).expect("digits");
                let written: u64 = written.trim().parse().expect("a number");
                times.push(now.saturating_sub(written));
                rest.drain(..at + 5 + end);
            }
            if count == 0 || rest.ends_with(b"0\r\n\r\n") {
                return times;
            }
        }
    }
}

fn quantile(times: &mut [u64], share: f64) -> f64 {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times
        .get(at)
        .map_or(f64::NAN, |time| *time as f64 / 1_000.0)
}

fn first_byte(ways: &[(String, SocketAddr)]) -> bool {
    println!(
        "first byte of an answer to a history of {HISTORY} bytes and more, warm session; µs, {REQUESTS} requests"
    );
    let mut clients: Vec<_> = ways
        .iter()
        .map(|(_, address)| Client::new(*address))
        .collect();
    let mut times = vec![Vec::new(); ways.len()];
    for step in 0..REQUESTS + 10 {
        let body = body(&history(HISTORY, step));
        for (client, times) in clients.iter_mut().zip(&mut times) {
            let time = client.first_byte(&body);
            // The first requests open connections, and read the history.
            if step >= 10 {
                times.push(time);
            }
        }
    }
    println!(
        "{:<16} {:>9} {:>9} {:>12}",
        "", "median", "99 %", "over pipe"
    );
    let pipe = quantile(&mut times[1].clone(), 0.5);
    let mut is_good = true;
    for ((name, _), times) in ways.iter().zip(&mut times) {
        let median = quantile(times, 0.5);
        let slow = quantile(times, 0.99);
        let added = median - pipe;
        println!("{name:<16} {median:>9.1} {slow:>9.1} {added:>12.1}");
        if name == "unstuck proxy" && added > MOST_ADDED {
            println!("more than {MOST_ADDED} µs over the pipe");
            is_good = false;
        }
    }
    is_good
}

fn events(ways: &[(String, SocketAddr)]) -> bool {
    println!("\nan event of a stream, from the API to the client; µs, {EVENTS} events");
    println!(
        "{:<16} {:>9} {:>9} {:>14}",
        "", "median", "99 %", "times the pipe"
    );
    let body = body(&history(1_000, 1));
    let mut pipe = f64::NAN;
    let mut is_good = true;
    for (name, address) in ways {
        let mut times = Client::new(*address).event_times(&body);
        let (median, slow) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
        if name == "pipe" {
            pipe = median;
        }
        let share = median / pipe;
        println!("{name:<16} {median:>9.1} {slow:>9.1} {share:>14.2}");
        if name == "unstuck proxy" && share > MOST_EVENT {
            println!("more than {MOST_EVENT} times the pipe");
            is_good = false;
        }
    }
    is_good
}

/// Milliseconds that a function takes, the best of five.
fn milliseconds(mut run: impl FnMut()) -> f64 {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1_000.0
    });
    times.fold(f64::MAX, f64::min)
}

fn judge(conversation: &mut Conversation, body: &str) {
    let mut request = Request::read(Form::Anthropic, body.as_bytes()).expect("a request");
    black_box(conversation.judge(&mut request).expect("a history"));
}

fn conversation() -> Conversation {
    Conversation::new(Settings::of(Preset::Standard), [0; 16], "s", "main")
}

fn large_history() -> bool {
    let text = body(&history(LARGE, 0));
    println!("\na history of {} bytes; ms", text.len());
    let hash = milliseconds(|| {
        let mut hasher = SipHasher13::new();
        std::hash::Hasher::write(&mut hasher, text.as_bytes());
        black_box(hasher.finish128());
    });
    let parse = milliseconds(|| {
        black_box(Json::lossy(text.as_bytes()).expect("JSON"));
    });
    let new = milliseconds(|| judge(&mut conversation(), &text));
    let mut warm = conversation();
    judge(&mut warm, &text);
    let again = milliseconds(|| judge(&mut warm, &text));
    let ten = milliseconds(|| {
        let mut conversation = conversation();
        for _ in 0..10 {
            judge(&mut conversation, &text);
        }
    });
    println!("one hash over it            {hash:>8.2}");
    println!("one parse of it             {parse:>8.2}");
    println!(
        "read for the first time     {new:>8.2}, {:.2} parses",
        new / parse
    );
    println!(
        "sent again                  {again:>8.2}, {:.2} hashes",
        again / hash
    );
    println!("sent ten times              {ten:>8.2}");
    // UTF-8 is checked as well, which is a small part of a hash.
    let bound = 10.0 * 1.25 * hash + new * 1.1;
    if ten > bound {
        println!("more than a hash over each of ten, and one reading: {bound:.2}");
    }
    ten <= bound
}

/// Bytes of memory of this process.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4_096)
}

fn memory() {
    let text = body(&history(HISTORY, 0));
    let Some(before) = resident() else { return };
    let mut all: Vec<_> = (0..SESSIONS).map(|_| conversation()).collect();
    for one in &mut all {
        judge(one, &text);
    }
    let after = resident().unwrap_or(before);
    let each = after.saturating_sub(before) / SESSIONS;
    println!(
        "\nmemory of a session with a history of {} bytes: {} KB",
        text.len(),
        each / 1_000
    );
    black_box(all);
}
