//! A client of servers that listen: as many connections as calls at once.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{Failure, INITIALIZE, INITIALIZED, call, report};

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) fn drive(
    calls: usize,
    at_once: usize,
    bytes: usize,
    port: u16,
    command: &[&str],
) -> Result<(), Failure> {
    let [program, arguments @ ..] = command else {
        return Err("no command".into());
    };
    let mut server = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let measured = measure(calls, at_once, bytes, port);
    server.kill()?;
    server.wait()?;
    let (took, elapsed) = measured?;
    report(took, elapsed)
}

fn measure(
    calls: usize,
    at_once: usize,
    bytes: usize,
    port: u16,
) -> Result<(Vec<u128>, Duration), Failure> {
    let mut first = Connection::open(port)?;
    first.session = first.post(INITIALIZE)?.session;
    first.post(INITIALIZED)?;
    let session = first.session.clone();
    let share = calls / at_once;
    let mut callers = Vec::new();
    let start = Instant::now();
    for caller in 0..at_once {
        let session = session.clone();
        callers.push(thread::spawn(move || -> Result<Vec<u128>, String> {
            let run = || -> Result<Vec<u128>, Failure> {
                let mut connection = Connection::open(port)?;
                connection.session = session;
                let mut took = Vec::with_capacity(share);
                for number in 0..share {
                    let call = call(caller * share + number, bytes);
                    let began = Instant::now();
                    let said = connection.post(call.trim_end())?;
                    took.push(began.elapsed().as_nanos());
                    if !said.body.contains("\"content\"") || said.body.contains("\"isError\":true")
                    {
                        return Err(format!("no result: {}", said.body).into());
                    }
                }
                Ok(took)
            };
            run().map_err(|error| error.to_string())
        }));
    }
    let mut took = Vec::new();
    for caller in callers {
        took.extend(caller.join().map_err(|_| "a caller panicked")??);
    }
    Ok((took, start.elapsed()))
}

struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
    session: Option<String>,
}

struct Said {
    session: Option<String>,
    body: String,
}

impl Connection {
    fn open(port: u16) -> Result<Self, Failure> {
        let start = Instant::now();
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
                Err(error) => return Err(error.into()),
            }
        };
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(1 << 17, stream),
            port,
            session: None,
        })
    }

    fn post(&mut self, body: &str) -> Result<Said, Failure> {
        let session = match &self.session {
            Some(session) => format!("Mcp-Session-Id: {session}\r\n"),
            None => String::new(),
        };
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2025-06-18\r\n{session}Content-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut said = Said {
            session: None,
            body: String::new(),
        };
        let mut length = 0;
        let mut chunked = false;
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let Some((name, value)) = line.trim_end().split_once(':') else {
                if line.trim_end().is_empty() {
                    break;
                }
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => said.session = Some(value.trim().to_owned()),
                "content-length" => length = value.trim().parse()?,
                "transfer-encoding" => chunked = true,
                _ => {}
            }
        }
        let mut bytes = Vec::new();
        if chunked {
            loop {
                line.clear();
                self.stream.read_line(&mut line)?;
                let size = usize::from_str_radix(line.trim_end(), 16)?;
                let start = bytes.len();
                bytes.resize(start + size + 2, 0);
                self.stream.read_exact(&mut bytes[start..])?;
                bytes.truncate(start + size);
                if size == 0 {
                    break;
                }
            }
        } else {
            bytes.resize(length, 0);
            self.stream.read_exact(&mut bytes)?;
        }
        said.body = String::from_utf8(bytes)?;
        Ok(said)
    }
}
