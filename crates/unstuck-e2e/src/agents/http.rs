//! As much of an HTTP/1.1 server as agents need to talk to a model on loopback.

use std::{
    io::{self, BufRead, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use anyhow::{Context, Result};

/// The largest body taken: histories are sent again with every request, and grow.
const LARGEST_BODY: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// With its query.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

/// Serves until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stopping: Arc<AtomicBool>,
}

type Answer = dyn Fn(&Request) -> Response + Send + Sync;

impl Server {
    pub(crate) fn start(answer: Arc<Answer>) -> Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on loopback")?;
        let address = listener.local_addr()?;
        let stopping = Arc::new(AtomicBool::new(false));
        let server = Self {
            address,
            stopping: Arc::clone(&stopping),
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopping.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let answer = Arc::clone(&answer);
                // An agent that is ended drops its connection, which is nothing to tell.
                thread::spawn(move || serve(stream, &*answer).ok());
            }
        });
        Ok(server)
    }

    /// Where it is, without a slash at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        // Wakes the listener up.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, answer: &Answer) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader)? {
        let Response { content_type, body } = answer(&request);
        let length = body.len();
        write!(
            writer,
            "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n"
        )?;
        if request.method != "HEAD" {
            writer.write_all(body.as_bytes())?;
        }
        writer.flush()?;
    }
    Ok(())
}

/// The next request of a connection; `None` at its end.
fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let (method, path) = (method.to_owned(), path.to_owned());
    let mut length = 0;
    let mut chunked = false;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "transfer-encoding" => chunked = value.trim().eq_ignore_ascii_case("chunked"),
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let size = u64::from_str_radix(line.trim(), 16).unwrap_or(0);
            reader
                .by_ref()
                .take(size.min(LARGEST_BODY))
                .read_to_end(&mut body)?;
            reader.read_line(&mut String::new())?;
            if size == 0 {
                break;
            }
        }
    } else {
        let length: u64 = length;
        reader
            .by_ref()
            .take(length.min(LARGEST_BODY))
            .read_to_end(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
