//! Starts a sidecar and asks it over HTTP: a call that comes back with the same result three times gets a nudge.
//!
//! ```text
//! cargo run -p unstuck-serve --example ask_over_http
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{
    error::Error,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
};

use unstuck::Settings;
use unstuck_serve::{Service, ServiceOptions, Sidecar, SidecarOptions, Tokens};
use unstuck_swarm::{Keys, MemoryTallies, SharedOptions, SharedTallies, TallyLimits, TallyStore};

/// Sends events, one a line, and returns the whole answer.
fn post(address: SocketAddr, events: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "POST /v1/events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{events}",
        events.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let store: Box<dyn TallyStore> = Box::new(MemoryTallies::new(TallyLimits::default()));
    let tallies = SharedTallies::new(store, Keys::new(b"example"), SharedOptions::default())?;
    let sidecar = Sidecar::open(SidecarOptions::new(Settings::default(), tallies))?;
    let options = ServiceOptions::new("127.0.0.1:0".parse()?, Tokens::default());
    let service = Service::start(options, Arc::new(sidecar))?;
    let mut last = String::new();
    for id in 1..=3 {
        let events = format!(
            r#"{{"event":"call","id":{id},"tool":"read_file","args":{{"path":"a.txt"}},"session":"s1"}}
{{"event":"result","id":{id},"output":"no such file","session":"s1"}}"#
        );
        last = post(service.address(), &events)?;
    }
    assert!(last.contains(r#""verdict":"nudge""#), "{last}");
    println!("{last}");
    service.stop();
    Ok(())
}
