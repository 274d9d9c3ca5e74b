//! A small MCP server for tests: it answers what tests ask for, and writes down which calls reached it.
//!
//! `mcp_test_server [LOG]`. Tools: `echo` answers its arguments, `fail` fails, `slow` waits `ms`, `twice` answers twice,
//! `never` does not answer, `exit` ends the process with `code`.

use std::{
    env,
    fs::OpenOptions,
    io::{self, BufRead as _, Write as _},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut log = match env::args().nth(1) {
        Some(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
        None => None,
    };
    writeln!(io::stderr(), "test server is up")?;
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        let id = &message["id"];
        if id.is_null() {
            continue;
        }
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
                    Said::End(code) => {
                        out.flush()?;
                        std::process::exit(code);
                    }
                }
            }
            Some("tools/list") => {
                json!({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})
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

enum Said {
    Result(Value),
    Twice(Value),
    Nothing,
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
        Some("never") => Said::Nothing,
        Some("exit") => Said::End(arguments["code"].as_i64().map_or(0, |code| code as i32)),
        _ => Said::Result(text(arguments.to_string())),
    }
}
