//! Measures round trips of `tools/call`; `cargo xtask bench-mcp` runs it.
//!
//! `echo` is a server that answers each line at once, `pipe COMMAND…` passes bytes both ways between a client and a
//! server and looks at none, `drive CALLS AT_ONCE BYTES COMMAND…` is a client: it prints the median and the 99th
//! percentile in nanoseconds, and calls a second.

use std::{
    env,
    io::{self, BufRead as _, BufReader, Read, Write},
    process::{Command, Stdio},
    thread,
    time::Instant,
};

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
        _ => Err("echo | pipe COMMAND… | drive CALLS AT_ONCE BYTES COMMAND…".into()),
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
        let id = between(text, "\"id\":", ",").ok_or("no id")?;
        let said = between(text, "\"text\":\"", "\"").ok_or("no text")?;
        writeln!(
            answers,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{said}"}}]}}}}"#
        )?;
        line.clear();
        if !lines.buffer().contains(&b'\n') {
            out.write_all(&answers)?;
            out.flush()?;
            answers.clear();
        }
    }
    Ok(())
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
    let start = Instant::now();
    let mut sent = 0;
    while took.len() < calls {
        while sent < calls && sent - took.len() < at_once {
            // No two calls are equal, and no two results are.
            let text = format!("{sent:08}{}", "x".repeat(bytes.saturating_sub(8)));
            let call = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{sent},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"{text}\"}}}}}}\n"
            );
            began[sent] = Instant::now();
            input.write_all(call.as_bytes())?;
            sent += 1;
        }
        line.clear();
        if answers.read_until(b'\n', &mut line)? == 0 {
            return Err("the server ended".into());
        }
        let text = std::str::from_utf8(&line)?;
        let id: usize = between(text, "\"id\":", ",").ok_or("no id")?.parse()?;
        if text.contains("\"isError\":true") {
            return Err("a call was denied".into());
        }
        took.push(began[id].elapsed().as_nanos());
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(input);
    child.wait()?;
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
