//! A small MCP server for tests: it answers what tests ask for, and writes down which calls reached it.
//!
//! `mcp_test_server [--any-line-end] [--string-ids] [LOG]`, or `mcp_test_server --replay RECORDING HEARD`, which says what the server of a recording said
//! and writes down what it hears. Tools: `echo` and `look`, which only reads, answer their arguments, `fail` fails, `slow`
//! waits `ms`, `twice` answers twice, `never` does not answer, `exit` ends the process with `code`, `long` answers with so
//! many `megabytes` and the id last, `raw` says a `line` as it is, and answers after it if told to `then`, `asks` asks the
//! client first, with the same id, `hears` says a `line` as it is and answers with what it hears next.
//!
//! With `--any-line-end` a carriage return ends a line too, as it does in the text mode of Python and in the `readline` of
//! Node.js. With `--string-ids` answers have the number of the request as a string.

use std::{
    env,
    fs::{self, OpenOptions},
    io::{self, BufRead as _, Write as _},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [flag, recording, heard] = &words[..]
        && flag == "--replay"
    {
        return replay(&fs::read_to_string(recording)?, heard);
    }
    let has = |flag: &str| words.iter().any(|word| word == flag);
    let (any_line_end, string_ids) = (has("--any-line-end"), has("--string-ids"));
    let mut log = match words.iter().find(|word| !word.starts_with("--")) {
        Some(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
        None => None,
    };
    writeln!(io::stderr(), "test server is up")?;
    let mut out = io::stdout();
    let mut lines = io::stdin().lock().lines().flat_map(|line| match line {
        Ok(line) if any_line_end => line.split('\r').map(|line| Ok(line.to_owned())).collect(),
        line => vec![line],
    });
    while let Some(line) = lines.next() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        let id = &match &message["id"] {
            Value::Null => continue,
            id if string_ids => Value::String(id.to_string()),
            id => id.clone(),
        };
        let result = match message["method"].as_str() {
            Some("tools/call") => {
                let params = &message["params"];
                if let Some(log) = &mut log {
                    log.write_all(format!("{params}\n").as_bytes())?;
                }
                match call(params) {
                    Said::Result(result) => result,
                    Said::Twice(result) => {
                        writeln!(out, "{}", json!({"jsonrpc":"2.0","id":id,"result":result}))?;
                        result
                    }
                    Said::Nothing => continue,
                    Said::Raw(line) => {
                        writeln!(out, "{line}")?;
                        out.flush()?;
                        continue;
                    }
                    Said::After(line, result) => {
                        writeln!(out, "{line}")?;
                        result
                    }
                    Said::Heard(line) => {
                        writeln!(out, "{line}")?;
                        out.flush()?;
                        let heard = lines.next().transpose()?.unwrap_or_default();
                        json!({"content":[{"type":"text","text":heard}]})
                    }
                    Said::Long(megabytes) => {
                        let piece = vec![b'x'; 1 << 20];
                        out.write_all(br#"{"result":{"content":[{"type":"text","text":""#)?;
                        for _ in 0..megabytes {
                            out.write_all(&piece)?;
                        }
                        writeln!(out, r#""}}]}},"jsonrpc":"2.0","id":{id}}}"#)?;
                        continue;
                    }
                    Said::Asks(result) => {
                        let ask = json!({"jsonrpc":"2.0","id":id,"method":"roots/list"});
                        writeln!(out, "{ask}")?;
                        out.flush()?;
                        lines.next().transpose()?;
                        result
                    }
                    Said::End(code) => {
                        out.flush()?;
                        std::process::exit(code);
                    }
                }
            }
            Some("tools/list") => {
                let read_only = json!({"readOnlyHint":true});
                json!({"tools":[
                    {"name":"echo","inputSchema":{"type":"object"}},
                    {"name":"look","inputSchema":{"type":"object"},"annotations":read_only},
                ]})
            }
            Some(_) => json!({}),
            None => continue,
        };
        let answer = json!({"jsonrpc":"2.0","id":id,"result":result});
        out.write_all(format!("{answer}\n").as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// After each line that is heard, says what the recording has before the next.
fn replay(recording: &str, heard: &str) -> io::Result<()> {
    let mut heard = fs::File::create(heard)?;
    let mut lines = io::stdin().lock().lines();
    let mut out = io::stdout();
    for line in recording.lines() {
        if let Some(said) = line.strip_prefix("S> ") {
            out.write_all(format!("{said}\n").as_bytes())?;
            out.flush()?;
        } else if let Some(line) = lines.next().transpose()? {
            heard.write_all(format!("{line}\n").as_bytes())?;
        }
    }
    Ok(())
}

enum Said {
    Result(Value),
    Twice(Value),
    Nothing,
    /// A line that is no answer, or none that can be read.
    Raw(String),
    After(String, Value),
    /// A line whose answer is the result.
    Heard(String),
    /// So many megabytes.
    Long(u64),
    /// Asks the client for something first.
    Asks(Value),
    End(i32),
}

fn call(params: &Value) -> Said {
    let arguments = &params["arguments"];
    let text = |text: String| json!({"content":[{"type":"text","text":text}]});
    match params["name"].as_str() {
        Some("fail") => {
            Said::Result(json!({"content":[{"type":"text","text":"it failed"}],"isError":true}))
        }
        Some("slow") => {
            thread::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(0)));
            Said::Result(text("done".to_owned()))
        }
        Some("twice") => Said::Twice(text("twice".to_owned())),
        Some("long") => Said::Long(arguments["megabytes"].as_u64().unwrap_or(1)),
        Some("asks") => Said::Asks(text("asked".to_owned())),
        Some("raw") => {
            let line = arguments["line"].as_str().unwrap_or_default().to_owned();
            match arguments["then"].as_bool() {
                Some(true) => Said::After(line, text("done".to_owned())),
                _ => Said::Raw(line),
            }
        }
        Some("hears") => Said::Heard(arguments["line"].as_str().unwrap_or_default().to_owned()),
        Some("never") => Said::Nothing,
        Some("exit") => Said::End(arguments["code"].as_i64().map_or(0, |code| code as i32)),
        _ => Said::Result(text(arguments.to_string())),
    }
}
