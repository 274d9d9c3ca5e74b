//! Recorded traffic passes byte for byte.

use std::{env, fs, io::BufRead as _, path::Path};

use crate::{
    mcp_proxy::{Proxy, server},
    run::Place,
};

/// Plays a recording in its order, with the proxy between the two sides. Lines of the client begin with `C> `, those of
/// the server with `S> `.
fn replay(name: &str, recording: &str) {
    let place = Place::new(name);
    place.write("recording", recording);
    let words = [
        "mcp",
        "--name",
        "s",
        "--audit",
        "audit.jsonl",
        "--",
        server(),
        "--replay",
        "recording",
        "heard",
    ];
    let mut proxy = Proxy::of(place.command(&words));
    let mut sent = String::new();
    for line in recording.lines() {
        if let Some(line) = line.strip_prefix("C> ") {
            proxy.send(line);
            sent.push_str(line);
            sent.push('\n');
        } else if let Some(line) = line.strip_prefix("S> ") {
            let mut said = String::new();
            proxy.output.read_line(&mut said).expect("the proxy writes");
            assert_eq!(said, format!("{line}\n"), "{name}");
        }
    }
    let (code, said) = proxy.end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(place.read("heard"), sent, "{name}");
}

#[test]
fn a_client_with_a_handshake_and_its_server_see_each_other_as_they_are() {
    replay("mcp-handshake", include_str!("data/mcp-traffic.txt"));
}

#[test]
fn a_client_without_a_handshake_and_its_server_see_each_other_as_they_are() {
    replay(
        "mcp-stateless",
        include_str!("data/mcp-traffic-stateless.txt"),
    );
}

/// All recordings (`*.log`) of the directory that `UNSTUCK_MCP_RECORDINGS` names.
#[test]
#[ignore = "needs recordings"]
fn recordings_of_real_clients_pass_as_they_are() {
    let directory = env::var_os("UNSTUCK_MCP_RECORDINGS").expect("UNSTUCK_MCP_RECORDINGS");
    let mut played = 0;
    for entry in fs::read_dir(Path::new(&directory)).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "log") {
            let recording = fs::read_to_string(&path).expect("text");
            replay("mcp-recorded", &recording);
            played += 1;
        }
    }
    assert!(played > 0, "no recordings");
}
