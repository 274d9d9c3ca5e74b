//! Heads of HTTP requests are found at the same places however the bytes arrive, and nothing but the bytes of the
//! connection reaches the HTTP library.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/unstuck-http/src/heads.rs"]
#[allow(dead_code)]
mod heads;

use heads::{Fault, Heads};

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (bytes, sizes) = input;
    let whole = read(&bytes, &[]);
    assert_eq!(read(&bytes, &sizes), whole);
    assert_eq!(read(&bytes, &[1]), whole);
    let (passed, fault, refused) = whole;
    if refused {
        assert!(fault.is_some());
    } else {
        assert!(bytes.starts_with(&passed));
        // What is held back is the beginning of one head.
        let held = &bytes[passed.len()..];
        assert!(held.len() <= heads::LONGEST_HEAD);
        let blank = held.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        assert!(!held[blank..].windows(2).any(|pair| pair == b"\n\n"));
    }
});

/// What the library reads if the bytes arrive in pieces of these sizes.
fn read(bytes: &[u8], sizes: &[u8]) -> (Vec<u8>, Option<Fault>, bool) {
    let mut heads = Heads::default();
    let mut passed = Vec::new();
    let mut rest = bytes;
    let mut sizes = sizes.iter().cycle();
    while !rest.is_empty() {
        let size = sizes.next().map_or(rest.len(), |size| usize::from(*size).max(1));
        let size = size.min(rest.len());
        let direct = usize::try_from(heads.direct()).unwrap_or(usize::MAX);
        if direct > 0 {
            let size = size.min(direct);
            passed.extend_from_slice(&rest[..size]);
            heads.passed(size);
            rest = &rest[size..];
            continue;
        }
        heads.push(&rest[..size]);
        rest = &rest[size..];
        while !heads.ready().is_empty() {
            let taken = heads.ready().len().min(7);
            passed.extend_from_slice(&heads.ready()[..taken]);
            heads.consume(taken);
        }
    }
    (passed, heads.fault(), heads.is_refused())
}
