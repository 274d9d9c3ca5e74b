//! Measures round trips of `tools/call`; `cargo xtask bench-mcp` runs it.
//!
//! `echo` is a server that answers each line at once, `pipe COMMAND…` passes bytes both ways between a client and a
//! server and looks at none, `drive CALLS AT_ONCE BYTES COMMAND…` is a client: it prints the median and the 99th
//! percentile in nanoseconds, and calls a second. `drive-http CALLS AT_ONCE BYTES PORT COMMAND…` does the same with a
//! server that listens there. `floor BYTES` prints what it takes the engine to read, canonicalise and hash the call and
//! its result, in nanoseconds.

mod floor;
mod http;

use std::{
    env,
    fmt::Display,
    io::{self, BufRead as _, BufReader, Read, Write},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"drive","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        ["echo"] => echo(),
        ["pipe", command @ ..] => pipe(command),
        ["drive", calls, at_once, bytes, command @ ..] => {
            drive(calls.parse()?, at_once.parse()?, bytes.parse()?, command)
        }
        ["drive-http", calls, at_once, bytes, port, command @ ..] => {
            let (calls, at_once) = (calls.parse()?, at_once.parse()?);
            http::drive(calls, at_once, bytes.parse()?, port.parse()?, command)
        }
        ["floor", bytes] => floor::measure(bytes.parse()?),
        _ => Err("echo | pipe | drive | drive-http | floor".into()),
    }
}

fn echo() -> Result<(), Failure> {
    let mut lines = BufReader::with_capacity(1 << 17, io::stdin().lock());
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    let mut answers = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        // The driver writes the id first and the text last.
        let text = std::str::from_utf8(&line)?;
        match between(text, "\"id\":", ",").zip(between(text, "\"text\":\"", "\"")) {
            Some((id, said)) => answers.extend_from_slice(answer(id, said).as_bytes()),
            None => other(text, &mut answers)?,
        }
        line.clear();
        // One write for each, as servers that are made with an SDK do it.
        out.write_all(&answers)?;
        out.flush()?;
        answers.clear();
    }
    Ok(())
}

/// What is no call, and calls of clients that write their members in another order.
fn other(text: &str, answers: &mut Vec<u8>) -> Result<(), Failure> {
    let message: Value = serde_json::from_str(text)?;
    let id = &message["id"];
    let result = match message["method"].as_str() {
        _ if id.is_null() => return Ok(()),
        Some("initialize") => json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "echo", "version": "1"},
        }),
        Some("tools/list") => {
            json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]})
        }
        Some("tools/call") => {
            json!({"content": [{"type": "text", "text": message["params"]["arguments"]["text"]}]})
        }
        _ => json!({}),
    };
    writeln!(
        answers,
        "{}",
        json!({"jsonrpc": "2.0", "id": id, "result": result})
    )?;
    Ok(())
}

/// No two calls are equal, and no two results are.
fn call(id: usize, bytes: usize) -> String {
    let text = text(id, bytes);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"{text}\"}}}}}}\n"
    )
}

fn answer(id: impl Display, said: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{said}\"}}]}}}}\n"
    )
}

fn text(id: usize, bytes: usize) -> String {
    format!("{id:08}{}", "x".repeat(bytes.saturating_sub(8)))
}

fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(behind)?;
    Some(&text[start..start + end])
}

fn pipe(command: &[&str]) -> Result<(), Failure> {
    let mut child = start(command)?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let mut output = child.stdout.take().ok_or("no output")?;
    thread::spawn(move || carry(&mut io::stdin().lock(), &mut input));
    carry(&mut output, &mut io::stdout().lock())?;
    child.wait()?;
    Ok(())
}

fn carry(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..read])?;
        to.flush()?;
    }
}

fn drive(calls: usize, at_once: usize, bytes: usize, command: &[&str]) -> Result<(), Failure> {
    let mut child = start(command)?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let mut answers = BufReader::with_capacity(1 << 17, child.stdout.take().ok_or("no output")?);
    let mut began = vec![Instant::now(); calls];
    let mut took = Vec::with_capacity(calls);
    let mut line = Vec::new();
    input.write_all(format!("{INITIALIZE}\n").as_bytes())?;
    answers.read_until(b'\n', &mut line)?;
    input.write_all(format!("{INITIALIZED}\n").as_bytes())?;
    let start = Instant::now();
    let mut sent = 0;
    // Large calls are written by another thread: who only writes while all the others do too waits for ever.
    let (queue, calls_to_write) = mpsc::channel::<String>();
    let mut write: Box<dyn FnMut(String) -> Result<(), Failure>> = if bytes * at_once > 1 << 15 {
        thread::spawn(move || {
            calls_to_write
                .iter()
                .try_for_each(|call| input.write_all(call.as_bytes()))
        });
        Box::new(move |call| Ok(queue.send(call)?))
    } else {
        Box::new(move |call| Ok(input.write_all(call.as_bytes())?))
    };
    while took.len() < calls {
        while sent < calls && sent - took.len() < at_once {
            let call = call(sent, bytes);
            began[sent] = Instant::now();
            write(call)?;
            sent += 1;
        }
        line.clear();
        if answers.read_until(b'\n', &mut line)? == 0 {
            return Err("the server ended".into());
        }
        let text = std::str::from_utf8(&line)?;
        let Some(id) = id_of(text)? else { continue };
        if text.contains("\"isError\":true") {
            return Err("a call was denied".into());
        }
        took.push(began[id].elapsed().as_nanos());
    }
    let elapsed = start.elapsed();
    drop(write);
    child.wait()?;
    report(took, elapsed)
}

/// The id of an answer; what a server asks or tells has none that counts.
fn id_of(text: &str) -> Result<Option<usize>, Failure> {
    // Most servers write the id near the beginning or at the end.
    let id = between(text, "\"id\":", ",").or_else(|| between(text, "\"id\":", "}"));
    if let Some(Ok(id)) = id.map(str::parse) {
        return Ok(Some(id));
    }
    let message: Value = serde_json::from_str(text)?;
    let id = message["id"]
        .as_u64()
        .filter(|_| message["method"].is_null());
    Ok(id.map(usize::try_from).transpose()?)
}

fn report(mut took: Vec<u128>, elapsed: Duration) -> Result<(), Failure> {
    took.sort_unstable();
    let count = u32::try_from(took.len())?;
    writeln!(
        io::stdout(),
        "{} {} {:.0}",
        took[took.len() / 2],
        took[took.len() * 99 / 100],
        f64::from(count) / elapsed.as_secs_f64()
    )?;
    Ok(())
}

fn start(command: &[&str]) -> Result<std::process::Child, Failure> {
    let [program, arguments @ ..] = command else {
        return Err("no command".into());
    };
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}
