use std::{
    io::{PipeReader, Read as _, pipe},
    thread,
};

use super::*;

fn small_pieces() -> (NonBlockingWriter<std::io::PipeWriter>, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    (NonBlockingWriter::new(writer, Takes::ALittle), reader)
}

#[test]
fn a_reader_that_always_lags_behind_costs_no_more_memory() {
    let (mut outlet, mut reader) = small_pieces();
    let bytes = 16 * FULL;
    let read = thread::spawn(move || {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).unwrap();
        all
    });
    let piece: Vec<u8> = (0..AT_ONCE).map(|at| at as u8).collect();
    outlet.keep(&piece);
    let mut kept = AT_ONCE;
    while kept < bytes {
        // Something is always left, and what was written must not be.
        outlet.keep(&piece);
        kept += AT_ONCE;
        outlet.flush().unwrap();
        assert!(!outlet.is_empty());
        assert!(outlet.kept.len() <= 2 * FULL);
    }
    while !outlet.is_empty() {
        outlet.flush().unwrap();
    }
    drop(outlet);
    assert!(
        read.join()
            .unwrap()
            .chunks(AT_ONCE)
            .all(|read| read == piece)
    );
}
