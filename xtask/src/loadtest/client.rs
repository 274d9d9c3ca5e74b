//! A client of one connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail};

pub(super) struct Client(BufReader<TcpStream>);

impl Client {
    pub(super) fn connect(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Self(BufReader::new(stream)))
    }

    pub(super) fn get(&mut self, path: &str) -> Result<String> {
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer operate\r\n\r\n"
        ))
    }

    pub(super) fn post(&mut self, path: &str, body: &str) -> Result<String> {
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))
    }

    /// Sends a request, and returns the body of the answer. Any other status than 200 is an error.
    fn send(&mut self, request: &str) -> Result<String> {
        self.0.get_mut().write_all(request.as_bytes())?;
        let mut status = String::new();
        self.0.read_line(&mut status)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                bail!("the connection was closed");
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().context("a length")?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        let body = String::from_utf8(body)?;
        if status.split(' ').nth(1) != Some("200") {
            bail!("{} {body}", status.trim_end());
        }
        Ok(body)
    }
}
