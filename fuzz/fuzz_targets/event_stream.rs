//! Any stream of events, in any pieces: the messages that are read from it are those of the standard's rules, and those that
//! are JSON, as the guard demands of all that it passes on, are read again from what is passed on.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../crates/unstuck-http/src/sse.rs"]
mod sse;

const LONGEST: usize = 4_096;

fuzz_target!(|input: (u8, &[u8])| {
    let (size, stream) = input;
    if stream.len() > LONGEST {
        return;
    }
    let mut events = sse::Events::new(LONGEST);
    let mut messages = Vec::new();
    let mut written = Vec::new();
    for piece in stream.chunks(usize::from(size).max(1)) {
        events.push(piece);
        while let Some(event) = events.next_event().expect("it is short") {
            let message = event.message();
            written.extend(event.write(message.filter(|message| is_json(message))));
            messages.extend(message.map(<[u8]>::to_vec));
        }
    }
    assert_eq!(messages, read(stream));
    // Clients read what was read here, but for white space around it and how its lines end.
    let plain = |message: &Vec<u8>| message.trim_ascii().to_vec();
    let again: Vec<_> = read(&written).iter().map(plain).collect();
    let passed_on = messages.iter().filter(|message| is_json(message));
    assert_eq!(again, passed_on.map(plain).collect::<Vec<_>>());
    assert!(!written.contains(&b'\r') && !written.contains(&0));
});

fn is_json(message: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(message).is_ok()
}

/// The messages of a stream, by the words of the standard.
fn read(stream: &[u8]) -> Vec<Vec<u8>> {
    let stream = stream.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stream);
    let mut lines = vec![Vec::new()];
    let mut bytes = stream.iter().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if(|next| **next == b'\n');
                lines.push(Vec::new());
            }
            b'\n' => lines.push(Vec::new()),
            other => lines.last_mut().expect("one at least").push(*other),
        }
    }
    // What follows the last line end is not a line.
    lines.pop();
    let mut messages = Vec::new();
    let (mut kind, mut data) = (Vec::new(), Vec::new());
    for line in lines {
        if line.is_empty() {
            let (kind, mut data) = (std::mem::take(&mut kind), std::mem::take(&mut data));
            data.pop();
            let says = data.iter().any(|byte: &u8| !byte.is_ascii_whitespace());
            if says && (kind.is_empty() || kind == b"message") {
                messages.push(data);
            }
            continue;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"event" => kind = value.to_vec(),
            b"data" => {
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            _ => {}
        }
    }
    messages
}
