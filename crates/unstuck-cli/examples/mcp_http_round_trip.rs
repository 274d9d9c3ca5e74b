//! Measures round trips of `tools/call` over HTTP; `cargo xtask bench-mcp-http` runs it.
//!
//! `echo` is a server that answers each request at once and prints its address, `drive CALLS AT_ONCE BYTES ADDRESS` is so
//! many clients at once: it prints the median and the 99th percentile in nanoseconds, and calls a second.

use std::{
    env,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        ["echo"] => echo(),
        ["drive", calls, at_once, bytes, address] => {
            drive(calls.parse()?, at_once.parse()?, bytes.parse()?, address)
        }
        _ => Err("echo | drive CALLS AT_ONCE BYTES ADDRESS".into()),
    }
}

fn echo() -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(io::stdout(), "{}", listener.local_addr()?)?;
    for stream in listener.incoming() {
        let stream = stream?;
        thread::spawn(move || answer(stream));
    }
    Ok(())
}

fn answer(stream: TcpStream) -> Result<(), Failure> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut reader = BufReader::with_capacity(1 << 17, stream);
    while let Some(body) = read(&mut reader)? {
        let text = std::str::from_utf8(&body)?;
        let id = between(text, "\"id\":", ",").ok_or("no id")?;
        let said = between(text, "\"text\":\"", "\"").ok_or("no text")?;
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{said}"}}]}}}}"#
        );
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        out.write_all((head + &answer).as_bytes())?;
    }
    Ok(())
}

/// The body of the next request or answer.
fn read(reader: &mut BufReader<TcpStream>) -> Result<Option<Vec<u8>>, Failure> {
    let mut length = None;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse()?);
        }
    }
    let mut body = vec![0; length.ok_or("no length")?];
    reader.read_exact(&mut body)?;
    Ok(Some(body))
}

fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(behind)?;
    Some(&text[start..start + end])
}

fn drive(calls: usize, at_once: usize, bytes: usize, address: &str) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let took = thread::scope(|scope| {
        let clients: Vec<_> = (0..at_once)
            .map(|_| scope.spawn(|| client(&next, calls, bytes, address)))
            .collect();
        let mut took = Vec::with_capacity(calls);
        for client in clients {
            took.extend(client.join().map_err(|_| "a client failed")??);
        }
        Ok::<_, Failure>(took)
    });
    let mut took = took?;
    let seconds = start.elapsed().as_secs_f64();
    took.sort_unstable();
    let count = u32::try_from(calls)?;
    writeln!(
        io::stdout(),
        "{} {} {:.0}",
        took[calls / 2],
        took[calls * 99 / 100],
        f64::from(count) / seconds
    )?;
    Ok(())
}

fn client(
    next: &AtomicUsize,
    calls: usize,
    bytes: usize,
    address: &str,
) -> Result<Vec<u128>, Failure> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut reader = BufReader::with_capacity(1 << 17, stream);
    let mut took = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= calls {
            return Ok(took);
        }
        // No two calls are equal, and no two results are.
        let text = format!("{number:08}{}", "x".repeat(bytes.saturating_sub(8)));
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}},\"arguments\":{{\"text\":\"{text}\"}}}}}}"
        );
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let began = Instant::now();
        out.write_all((head + &body).as_bytes())?;
        let answer = read(&mut reader)?.ok_or("the server ended")?;
        took.push(began.elapsed().as_nanos());
        let answer = std::str::from_utf8(&answer)?;
        if !answer.contains(&text) {
            return Err(format!("not an echo: {answer}").into());
        }
    }
}
