//! Both sides of the proxy: a client that writes requests byte for byte, and a server that answers as it is told.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, ChildStderr, Command},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::run::Place;

/// Long enough for a machine that does a hundred other things.
const PATIENCE: Duration = Duration::from_mins(1);

/// A request as the server saw it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

fn find<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut found = headers.iter().filter(|(known, _)| known == name);
    found.next().map(|(_, value)| value.as_str())
}

/// A server whose answers a test writes: the handler gets a request and the connection, and may write what it likes.
pub(crate) struct Upstream {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Upstream {
    pub(crate) fn new(handler: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (handler, log) = (Arc::new(handler), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let (handler, log) = (Arc::clone(&handler), Arc::clone(&log));
                thread::spawn(move || {
                    let _ = stream.set_nodelay(true);
                    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                    while let Some(request) = read_request(&mut reader) {
                        log.lock().expect("a lock").push(request.clone());
                        handler(&request, &mut stream);
                    }
                });
            }
        });
        Self { address, seen }
    }

    /// A server that answers every call with its arguments, as JSON.
    pub(crate) fn echo() -> Self {
        Self::new(|request, stream| {
            if request.body.is_empty() {
                respond(stream, "405 Method Not Allowed", "", "");
                return;
            }
            let message = request.json();
            if message["id"].is_null() || message["method"].is_null() {
                respond(stream, "202 Accepted", "", "");
                return;
            }
            respond(stream, "200 OK", JSON, &echo(&message).to_string());
        })
    }

    /// A server that answers every call with the same text.
    pub(crate) fn always(text: &'static str) -> Self {
        Self::new(move |request, stream| {
            let mut answer = echo(&request.json());
            answer["result"]["content"][0]["text"] = text.into();
            respond(stream, "200 OK", JSON, &answer.to_string());
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("a lock").clone()
    }
}

pub(crate) const JSON: &str = "content-type: application/json\r\n";
pub(crate) const EVENTS: &str = "content-type: text/event-stream\r\n";

pub(crate) fn echo(message: &Value) -> Value {
    let text = message["params"]["arguments"].to_string();
    json!({"jsonrpc":"2.0","id":message["id"],"result":{"content":[{"type":"text","text":text}]}})
}

pub(crate) fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}");
    let _ = stream.write_all(text.as_bytes());
}

/// The head of an answer whose chunks follow.
pub(crate) fn begin(stream: &mut TcpStream, headers: &str) {
    let text = format!("HTTP/1.1 200 OK\r\n{headers}transfer-encoding: chunked\r\n\r\n");
    let _ = stream.write_all(text.as_bytes());
}

pub(crate) fn chunk(stream: &mut TcpStream, bytes: &str) -> bool {
    let text = format!("{:x}\r\n{bytes}\r\n", bytes.len());
    stream.write_all(text.as_bytes()).is_ok()
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Seen> {
    let (line, headers) = read_head(reader)?;
    let length =
        find(&headers, "content-length").map_or(0, |length| length.parse().expect("a number"));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        line,
        headers,
        body: String::from_utf8(body).expect("text"),
    })
}

fn read_head(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<(String, String)>)> {
    let mut next = || {
        let mut line = String::new();
        let read = reader.read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end().to_owned())
    };
    let first = next()?;
    let mut headers = Vec::new();
    loop {
        let line = next()?;
        let Some((name, value)) = line.split_once(':') else {
            return Some((first, headers));
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
}

/// A running proxy.
pub(crate) struct Front {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    said: Mutex<Receiver<String>>,
}

impl Front {
    /// Starts `unstuck mcp --listen` with these words, and waits until it listens.
    pub(crate) fn start(place: &Place, words: &[&str]) -> Self {
        Self::with(place, words, &[])
    }

    /// The same, in front of a server called `s`.
    pub(crate) fn before(upstream: &Upstream, place: &Place, words: &[&str]) -> Self {
        let url = upstream.url();
        let mut all = vec!["--name", "s", "--upstream", &url];
        all.extend(words);
        Self::start(place, &all)
    }

    pub(crate) fn with(place: &Place, words: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut all = vec!["mcp", "--listen", "127.0.0.1:0", "--no-config"];
        if !words.iter().any(|word| word.starts_with("--audit")) {
            all.extend(["--audit", "audit.jsonl"]);
        }
        all.extend(words);
        let mut command = place.command(&all);
        command.env_remove("UNSTUCK_MCP_TOKEN");
        command.envs(environment.iter().copied());
        Self::of(command)
    }

    /// Starts a command that listens.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the proxy starts");
        let lines = BufReader::new(child.stderr.take().expect("a pipe"));
        let said = follow(lines);
        let mut heard = String::new();
        let address = loop {
            let line = said
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("it never listened: {heard}"));
            if let Some((_, address)) = line.split_once(" at http://") {
                let address = address.split('/').next().expect("an address");
                break address.parse().expect("an address");
            }
            heard.push_str(&line);
        };
        Self {
            child,
            address,
            said: Mutex::new(said),
        }
    }

    /// Sends a request, and gives the answer once all of it is there.
    pub(crate) fn send(&self, request: &str) -> Answer {
        self.open(request).finish()
    }

    /// Sends a request, and gives the answer's beginning.
    pub(crate) fn open(&self, request: &str) -> Stream {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // It may have answered, and closed, before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        Stream {
            reader: BufReader::new(stream),
        }
    }

    /// A message, with headers such as `Name: value\r\n`.
    pub(crate) fn post(&self, headers: &str, body: &str) -> Answer {
        self.send(&self.request("/mcp", headers, body))
    }

    pub(crate) fn request(&self, path: &str, headers: &str, body: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        )
    }

    pub(crate) fn bare(&self, method: &str, headers: &str) -> String {
        format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nConnection: close\r\n{headers}\r\n",
            self.address
        )
    }

    pub(crate) fn call(&self, id: u64, tool: &str, arguments: &Value) -> Answer {
        self.post("", &call(id, tool, arguments))
    }

    /// Asks it to end as a person would: exit code and what it said.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        let asked = std::process::Command::new("kill")
            .args(["-TERM", &id])
            .status();
        assert!(asked.expect("kill runs").success());
        let status = self.child.wait().expect("it ends");
        let said: Vec<String> = self.said.lock().expect("a lock").iter().collect();
        (status.code(), said.concat())
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn follow(mut lines: BufReader<ChildStderr>) -> Receiver<String> {
    let (sender, said) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
            // What is said must not fill the pipe, whether anybody listens or not.
            let _ = sender.send(std::mem::take(&mut line));
        }
    });
    said
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The data of all events.
    pub(crate) fn events(&self) -> Vec<Value> {
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        data.map(|data| serde_json::from_str(data).expect("JSON"))
            .collect()
    }
}

/// An answer that is still being written.
pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
}

impl Stream {
    /// Status and headers. A connection that was closed without a word has status 0.
    pub(crate) fn head(&mut self) -> (u16, Vec<(String, String)>) {
        let Some((line, headers)) = read_head(&mut self.reader) else {
            return (0, Vec::new());
        };
        let status = line.split(' ').nth(1).expect("a status");
        (status.parse().expect("a number"), headers)
    }

    /// The next chunk; `None` at the end.
    pub(crate) fn chunk(&mut self) -> Option<String> {
        let mut size = String::new();
        self.reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut bytes = vec![0; size + 2];
        self.reader.read_exact(&mut bytes).ok()?;
        bytes.truncate(size);
        (size > 0).then(|| String::from_utf8(bytes).expect("text"))
    }

    /// The whole answer.
    pub(crate) fn finish(mut self) -> Answer {
        let (status, headers) = self.head();
        let mut body = Vec::new();
        if find(&headers, "transfer-encoding").is_some() {
            while let Some(chunk) = self.chunk() {
                body.extend_from_slice(chunk.as_bytes());
            }
        } else if let Some(length) = find(&headers, "content-length") {
            body = vec![0; length.parse().expect("a number")];
            self.reader.read_exact(&mut body).expect("all of it");
        }
        Answer {
            status,
            headers,
            body: String::from_utf8(body).expect("text"),
        }
    }
}

pub(crate) fn call(id: u64, tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool,"arguments":arguments}})
        .to_string()
}

/// The lines of the audit with this event, once nothing more is written. How a call ended is recorded a little after its
/// answer was passed on.
pub(crate) fn recorded(place: &Place, event: &str) -> Vec<Value> {
    let text = settled(place, "audit.jsonl");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"));
    lines
        .filter(|line: &Value| line["event"] == event)
        .collect()
}

/// A file, once nothing more is written to it.
pub(crate) fn settled(place: &Place, name: &str) -> String {
    let mut text = place.read(name);
    loop {
        thread::sleep(Duration::from_millis(400));
        let now = place.read(name);
        if now == text {
            return text;
        }
        text = now;
    }
}

pub(crate) fn denied(answer: &Value) -> bool {
    let text = answer["result"]["content"][0]["text"].as_str();
    answer["result"]["isError"] == true && text.is_some_and(|text| text.starts_with("[unstuck]"))
}

/// Polls for what must come to be.
pub(crate) fn eventually(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
