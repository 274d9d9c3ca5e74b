//! A scripted API and a client, over plain sockets: what is on the wire is what is compared.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use unstuck::{Preset, Settings};
use unstuck_llm_proxy::{Guard, GuardOptions, Limits, Proxy, ProxyOptions, Targets};
use unstuck_text::{Notice, Notify};

/// A request as the API got it, or an answer as the client got it.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The first line and the headers.
    pub head: String,
    pub body: Vec<u8>,
}

impl Message {
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub fn status(&self) -> u16 {
        let status = self.head.split(' ').nth(1).expect("a status");
        status.parse().expect("a number")
    }
}

/// What the API does with a request.
pub enum Reply {
    /// A status, a type of content, and a body in pieces of this size.
    Whole(u16, &'static str, String, usize),
    /// These bytes, and then nothing until the client goes.
    Hang(String),
    /// These bytes as they are, and the end of the connection.
    Raw(Vec<u8>),
    /// A stream of events that is written by this function.
    Endless(Box<dyn FnOnce(&mut TcpStream)>),
}

pub fn whole(body: String) -> Reply {
    Reply::Whole(200, "application/json", body, 1 << 20)
}

pub fn events(body: String) -> Reply {
    Reply::Whole(200, "text/event-stream; charset=utf-8", body, 37)
}

/// An API.
pub struct Api {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Message>>>,
    /// Gets a value when a connection that hung is gone.
    pub gone: Receiver<()>,
}

impl Api {
    pub fn start(answer: impl Fn(usize, &Message) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (went, gone) = channel();
        let answer = Arc::new(answer);
        let all = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (all, answer, went) = (Arc::clone(&all), Arc::clone(&answer), went.clone());
                thread::spawn(move || serve(stream, &all, &*answer, &went));
            }
        });
        Self {
            address,
            seen,
            gone,
        }
    }

    pub fn seen(&self) -> Vec<Message> {
        self.seen.lock().expect("a lock").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Message>>,
    answer: &dyn Fn(usize, &Message) -> Reply,
    went: &Sender<()>,
) {
    let Some(message) = read(&mut stream) else {
        return;
    };
    let number = {
        let mut seen = seen.lock().expect("a lock");
        seen.push(message.clone());
        seen.len() - 1
    };
    match answer(number, &message) {
        Reply::Whole(status, kind, body, size) => {
            let head = format!(
                "HTTP/1.1 {status} Status\r\ncontent-type: {kind}\r\nx-request-id: r{number}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
            for piece in body.as_bytes().chunks(size) {
                let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
                chunk.extend_from_slice(piece);
                chunk.extend_from_slice(b"\r\n");
                if stream.write_all(&chunk).is_err() {
                    return;
                }
            }
            let _ = stream.write_all(b"0\r\n\r\n");
        }
        Reply::Hang(body) => {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(body.as_bytes());
            let mut rest = [0; 64];
            while !matches!(stream.read(&mut rest), Ok(0) | Err(_)) {}
            let _ = went.send(());
        }
        Reply::Endless(write) => {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            write(&mut stream);
        }
        Reply::Raw(bytes) => {
            let _ = stream.write_all(&bytes);
        }
    }
}

fn read(stream: &mut TcpStream) -> Option<Message> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 << 10];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
    };
    let mut message = Message {
        head: String::from_utf8_lossy(&bytes[..end]).into_owned(),
        body: bytes[end..].to_vec(),
    };
    let length = message.header("content-length");
    let length: usize = length.map_or(0, |length| length.parse().expect("a number"));
    while message.body.len() < length {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        message.body.extend_from_slice(&buffer[..count]);
    }
    Some(message)
}

/// A proxy in front of an API.
pub struct Running {
    pub proxy: Option<Proxy>,
    pub guard: Arc<Guard>,
    pub lines: Arc<Mutex<Vec<String>>>,
    pub address: SocketAddr,
}

pub fn proxy(api: SocketAddr) -> Running {
    let options = GuardOptions::new(Settings::of(Preset::Standard));
    proxy_with(api, options, Limits::default())
}

pub fn proxy_with(api: SocketAddr, options: GuardOptions, limits: Limits) -> Running {
    let guard = Arc::new(Guard::new(options));
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&lines);
    let notify = Notify::new(move |notice| {
        let (Notice::Line(line) | Notice::Warning(line)) = notice else {
            return;
        };
        to.lock().expect("a lock").push(line.to_owned());
    });
    let options = ProxyOptions {
        address: (Ipv4Addr::LOCALHOST, 0).into(),
        targets: Targets(vec![format!("http://{api}").parse().expect("a target")]),
        limits,
        notify,
    };
    let proxy = Proxy::start(options, Arc::clone(&guard)).expect("a proxy");
    let address = proxy.address();
    Running {
        proxy: Some(proxy),
        guard,
        lines,
        address,
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(proxy) = self.proxy.take() {
            proxy.stop();
        }
    }
}

/// Headers of a client with its credentials.
pub const HEADERS: &str = "content-type: application/json\r\nx-api-key: sk-secret-1234567890\r\nauthorization: Bearer sk-other-0987654321\r\nanthropic-beta: a-2026,b-2026\r\nx-unknown: kept\r\n";

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("a timeout");
    stream
}

/// Posts a body and reads the answer.
pub fn post(address: SocketAddr, path: &str, headers: &str, body: &[u8]) -> Message {
    let mut stream = connect(address);
    send(&mut stream, path, headers, body);
    receive(&mut stream)
}

pub fn send(stream: &mut TcpStream, path: &str, headers: &str, body: &[u8]) {
    let address = stream.peer_addr().expect("an address");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body);
}

/// Reads an answer to its end.
pub fn receive(stream: &mut TcpStream) -> Message {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.expect("a head") + 4;
    let mut message = Message {
        head: String::from_utf8_lossy(&bytes[..end]).into_owned(),
        body: Vec::new(),
    };
    let rest = &bytes[end..];
    message.body = if message.header("transfer-encoding") == Some("chunked") {
        unchunked(rest)
    } else {
        rest.to_vec()
    };
    message
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).expect("a length");
        let length = usize::from_str_radix(length, 16).expect("a length");
        let Some(chunk) = rest.get(end + 2..end + 2 + length) else {
            break;
        };
        body.extend_from_slice(chunk);
        rest = rest.get(end + 4 + length..).unwrap_or_default();
    }
    body
}
