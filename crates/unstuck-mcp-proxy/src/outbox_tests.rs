use std::io::{PipeReader, Read as _, pipe};

use super::*;
use crate::nonblocking::Takes;

fn outbox() -> (Outbox<std::io::PipeWriter>, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    (
        Outbox::new(NonBlockingWriter::new(writer, Takes::ALittle)),
        reader,
    )
}

fn read(reader: &mut PipeReader, bytes: usize) -> Vec<u8> {
    let mut read = vec![0; bytes];
    reader.read_exact(&mut read).unwrap();
    read
}

#[test]
fn what_was_put_in_is_written_before_what_is_sent() {
    let (outbox, mut reader) = outbox();
    outbox.put(b"one ");
    outbox.put(b"two ");
    assert_eq!(outbox.len(), 8);
    assert!(outbox.has_letters());
    outbox.send(b"three");
    assert!(outbox.is_empty() && !outbox.has_letters());
    assert_eq!(read(&mut reader, 13), b"one two three");
}

#[test]
fn while_somebody_writes_it_is_left_to_them() {
    let (outbox, mut reader) = outbox();
    outbox.put(b"letter");
    let pen = lock(&outbox.pen);
    outbox.try_deliver();
    assert!(outbox.has_letters());
    drop(pen);
    outbox.try_deliver();
    assert!(outbox.is_empty());
    assert_eq!(read(&mut reader, 6), b"letter");
}

#[test]
fn what_a_reader_does_not_take_counts_and_is_kept() {
    let (outbox, mut reader) = outbox();
    assert!(outbox.lagging().is_none());
    let long: Vec<u8> = (0..FULL).map(|at| at as u8).collect();
    outbox.put(&long);
    outbox.deliver();
    assert!(outbox.lagging().is_some() && outbox.try_lagging().is_some());
    assert!(!outbox.has_letters());
    let mut arrived = Vec::new();
    while !outbox.is_empty() {
        let written = FULL - outbox.len();
        arrived.extend(read(&mut reader, written - arrived.len()));
        outbox.flush();
    }
    arrived.extend(read(&mut reader, FULL - arrived.len()));
    assert!(arrived == long);
    assert!(outbox.lagging().is_none());
}

#[test]
fn that_nobody_reads_any_more_is_noticed_and_what_is_left_is_dropped() {
    let (outbox, reader) = outbox();
    drop(reader);
    outbox.put(b"letter");
    assert!(!outbox.is_broken());
    outbox.deliver();
    assert!(outbox.is_broken() && outbox.is_empty());
    outbox.send(b"more");
    assert!(outbox.is_empty());
}

#[test]
fn whoever_reads_hears_that_it_was_closed() {
    let (outbox, mut reader) = outbox();
    outbox.send(b"last");
    outbox.put(b"too late");
    outbox.close();
    assert!(outbox.is_empty() && !outbox.is_broken());
    let mut all = Vec::new();
    reader.read_to_end(&mut all).unwrap();
    assert_eq!(all, b"last");
}
