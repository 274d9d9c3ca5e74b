//! Any stream of lines passes a guard: every reader of what is passed on sees the calls that were judged, and no others.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_mcp::{Codec, one_line};

#[path = "../../crates/unstuck-mcp/tests/data/readers.rs"]
mod readers;

fuzz_target!(|bytes: &[u8]| {
    readers::Passed::by_guard(bytes, 4_096).assert_one_reading();
    // A body of HTTP that becomes a line says what it said.
    let mut codec = Codec::with_limit(4_096);
    let line = one_line(bytes.to_vec());
    if let Ok(message) = codec.read(bytes) {
        assert_eq!(Codec::with_limit(5_000).read_line(&line), Ok(message));
    }
});
