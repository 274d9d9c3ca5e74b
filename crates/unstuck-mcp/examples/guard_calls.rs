//! Guards calls of an MCP client: the sixth equal call with an equal result is answered by the guard.
//!
//! ```text
//! cargo run -p unstuck-mcp --example guard_calls
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use unstuck::{Preset, Settings};
use unstuck_mcp::{Codec, Guard, GuardOptions, Micros, ToServer};

pub(crate) fn main() {
    let mut guard = Guard::new(GuardOptions::new("files", Settings::of(Preset::Standard)));
    let mut codec = Codec::default();
    let mut forwarded = 0;
    for id in 1..=6 {
        let at = Micros(id * 1_000_000);
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read","arguments":{{"path":"a"}}}}}}"#
        );
        match guard.from_client(codec.read(call.as_bytes()), call.len(), at) {
            ToServer::ForwardCall(_) => {
                forwarded += 1;
                let answer = format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"same"}}]}}}}"#
                );
                guard.from_server(codec.read(answer.as_bytes()), answer.as_bytes(), at);
            }
            ToServer::Answer(answer) => println!("{}", String::from_utf8_lossy(&answer)),
            _ => {}
        }
    }
    assert_eq!(forwarded, 5);
}
