use std::io::Write as _;

use rawzip::{CompressionMethod, ZipArchiveWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use unstuck::Event;

use super::{Attachments, read, recognises};
use crate::{
    elements::Raw,
    head::Head,
    sink::{Problem, Sink, Usage},
    transcript::Origin,
};

const SAMPLE: &str = r#"{"id":1,"epoch":1,"messages":[{"role":"user","content":"Find it."}]}"#;

#[derive(Default)]
struct Heard {
    events: Vec<Event>,
    problems: Vec<Box<str>>,
}

impl Sink for Heard {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem.message);
    }
}

/// An archive of members that are packed already: name, method, size and contents.
fn archive(members: &[(&str, CompressionMethod, &str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, method, text, packed) in members {
        let (mut entry, config) = archive
            .new_file(name)
            .compression_method(*method)
            .start()
            .unwrap();
        let mut plain = config.wrap(std::io::sink());
        plain.write_all(text.as_bytes()).unwrap();
        let (_, descriptor) = plain.finish().unwrap();
        entry.write_all(packed).unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn heard(bytes: &[u8]) -> Heard {
    let mut heard = Heard::default();
    if let Err(problem) = read(&Origin::default(), bytes, &mut heard) {
        heard.problems.push(problem);
    }
    heard
}

#[test]
fn members_packed_by_zstd_are_read() {
    let packed = compress_to_vec(SAMPLE.as_bytes(), CompressionLevel::Fastest);
    let bytes = archive(&[
        ("header.json", CompressionMethod::STORE, "{}", b"{}"),
        (
            "samples/1_epoch_1.json",
            CompressionMethod::ZSTD,
            SAMPLE,
            &packed,
        ),
    ]);
    assert!(recognises(&Head::new(&bytes)));
    let heard = heard(&bytes);
    assert_eq!(heard.problems, []);
    assert_eq!(heard.events.len(), 1);
    assert_eq!(&*heard.events[0].session, "1_epoch_1");
}

#[test]
fn a_member_that_cannot_be_unpacked_loses_only_itself() {
    let stored = SAMPLE.as_bytes();
    let bytes = archive(&[
        (
            "samples/0_epoch_1.json",
            CompressionMethod::ZSTD,
            SAMPLE,
            b"not packed",
        ),
        (
            "samples/1_epoch_1.json",
            CompressionMethod::new(93 + 5),
            SAMPLE,
            stored,
        ),
        // The sum of what is in it is that of something else.
        (
            "samples/2_epoch_1.json",
            CompressionMethod::STORE,
            "{}",
            stored,
        ),
        (
            "samples/3_epoch_1.json",
            CompressionMethod::STORE,
            SAMPLE,
            stored,
        ),
    ]);
    let heard = heard(&bytes);
    assert_eq!(heard.events.len(), 1);
    assert_eq!(heard.problems.len(), 3, "{:?}", heard.problems);
    for (problem, number) in heard.problems.iter().zip(0..) {
        assert!(problem.starts_with(&format!("samples/{number}_epoch_1.json: ")));
    }
}

#[test]
fn other_archives_are_not_taken() {
    let bytes = archive(&[("word/document.xml", CompressionMethod::STORE, "x", b"x")]);
    assert!(!recognises(&Head::new(&bytes)));
    assert!(!recognises(&Head::new(b"PK")));
}

#[test]
fn texts_are_put_where_they_are_referred_to() {
    let sample = r#"{"attachments":{"a1":"one \"1\"","b2":"two"}}"#;
    let (sample, _) = Raw::first(sample).unwrap();
    let texts = Attachments::of(sample);
    let put = |message| texts.put_into(message).into_owned();
    assert_eq!(
        put(r#"["attachment://a1","x","attachment://b2","attachment://c3"]"#),
        r#"["one \"1\"","x","two","attachment://c3"]"#
    );
    assert_eq!(put(r#"["tc://b2"]"#), r#"["two"]"#);
    assert_eq!(put(r#"["plain"]"#), r#"["plain"]"#);
    assert_eq!(put(r#"["attachment://a1"#), r#"["attachment://a1"#);
}
