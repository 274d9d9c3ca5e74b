//! A server of both eras for tests: it says which process it is, asks back, tells of progress, and writes down what it
//! reads.
//!
//! `mcp_session_server [LOG]`. Tools: `pid` answers its process, `ask` asks the client something first, `progress` tells
//! of progress first, `never` does not answer, `exit` ends the process, `environment` answers a variable. What else is
//! called is answered with its arguments, and `notifications/poke` with `notifications/poked`.

use std::{
    env,
    fs::OpenOptions,
    io::{self, BufRead as _, Write as _},
};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut log = match env::args().nth(1) {
        Some(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
        None => None,
    };
    // Calls that wait for an answer of the client, by the id of what it was asked.
    let mut asked: Vec<(String, Value)> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if let Some(log) = &mut log {
            log.write_all(format!("{} {line}\n", std::process::id()).as_bytes())?;
        }
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let id = &message["id"];
        let Some(method) = message["method"].as_str() else {
            let known = asked.iter().position(|(name, _)| id == name.as_str());
            if let Some(known) = known {
                let (_, call) = asked.remove(known);
                say(
                    &json!({"jsonrpc":"2.0","id":call,"result":text(&message["result"].to_string())}),
                )?;
            }
            continue;
        };
        if id.is_null() {
            if method == "notifications/poke" {
                say(
                    &json!({"jsonrpc":"2.0","method":"notifications/poked","params":message["params"]}),
                )?;
            }
            continue;
        }
        let params = &message["params"];
        let result = match (method, params["name"].as_str()) {
            ("initialize", _) => {
                say(
                    &json!({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"early"}}),
                )?;
                json!({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"t","version":"0"}})
            }
            ("subscriptions/listen", _) => {
                say(
                    &json!({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{
                    "_meta":{"io.modelcontextprotocol/subscriptionId":id}}}),
                )?;
                continue;
            }
            ("tools/call", Some("pid")) => text(&std::process::id().to_string()),
            ("tools/call", Some("ask")) => {
                let name = format!("ask-{}", asked.len());
                say(
                    &json!({"jsonrpc":"2.0","id":name,"method":"sampling/createMessage","params":{}}),
                )?;
                asked.push((name, id.clone()));
                continue;
            }
            ("tools/call", Some("progress")) => {
                let token = &params["_meta"]["progressToken"];
                say(
                    &json!({"jsonrpc":"2.0","method":"notifications/progress","params":{
                    "progressToken":token,"progress":1,"message":params["arguments"]["who"]}}),
                )?;
                text("done")
            }
            ("tools/call", Some("never")) => continue,
            ("tools/call", Some("exit")) => std::process::exit(3),
            ("tools/call", Some("environment")) => {
                let name = params["arguments"]["name"].as_str().unwrap_or_default();
                text(&env::var(name).unwrap_or_else(|_| "not set".to_owned()))
            }
            _ => text(&params["arguments"].to_string()),
        };
        say(&json!({"jsonrpc":"2.0","id":id,"result":result}))?;
    }
    Ok(())
}

fn text(text: &str) -> Value {
    json!({"content":[{"type":"text","text":text}]})
}

fn say(message: &Value) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(format!("{message}\n").as_bytes())?;
    out.flush()
}
