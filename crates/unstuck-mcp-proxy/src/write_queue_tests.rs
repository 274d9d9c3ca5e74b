use std::io::{PipeReader, Read as _, pipe};

use super::*;
use crate::{batch::FULL, nonblocking::Takes};

fn queue() -> (WriteQueue<std::io::PipeWriter>, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    let to = NonBlockingWriter::new(writer, Takes::ALittle);
    (WriteQueue::new(to), reader)
}

fn read(reader: &mut PipeReader, bytes: usize) -> Vec<u8> {
    let mut read = vec![0; bytes];
    reader.read_exact(&mut read).unwrap();
    read
}

#[test]
fn what_a_reader_does_not_take_counts_and_is_kept() {
    let (mut queue, mut reader) = queue();
    assert!(queue.lagging().is_none());
    let long: Vec<u8> = (0..FULL).map(|at| at as u8).collect();
    queue.send(&long);
    assert!(queue.lagging().is_some());
    let mut arrived = Vec::new();
    while !queue.is_empty() {
        let written = FULL - queue.len();
        arrived.extend(read(&mut reader, written - arrived.len()));
        queue.flush();
    }
    arrived.extend(read(&mut reader, FULL - arrived.len()));
    assert!(arrived == long);
    assert!(queue.lagging().is_none());
}

#[test]
fn that_nothing_reads_any_more_is_noticed_and_what_is_left_is_dropped() {
    let (mut queue, reader) = queue();
    drop(reader);
    assert!(!queue.is_broken());
    queue.send(b"letter");
    assert!(queue.is_broken() && queue.is_empty());
    queue.send(b"more");
    assert!(queue.is_empty());
}

#[test]
fn the_reader_sees_the_end_when_the_queue_is_dropped() {
    let (mut queue, mut reader) = queue();
    queue.send(b"last");
    drop(queue);
    let mut all = Vec::new();
    reader.read_to_end(&mut all).unwrap();
    assert_eq!(all, b"last");
}
