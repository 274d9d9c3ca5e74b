use std::{
    fs,
    io::{Read as _, Write as _},
    path::PathBuf,
};

use flate2::{Compression, write::GzEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

use super::*;

fn read(bytes: &[u8]) -> io::Result<String> {
    let directory = TempDir::new()?;
    let path = directory.path().join("file");
    fs::write(&path, bytes)?;
    let meter = Meter::default();
    let source = Source::File(path);
    let Input::Bytes(mut input, _) = open(&source, &meter)? else {
        return Ok("a database".to_owned());
    };
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    drop(input);
    assert_eq!(meter.bytes(), bytes.len() as u64, "all bytes are counted");
    Ok(text)
}

#[test]
fn packed_files_are_unpacked_and_others_are_read_as_they_are() {
    let text = "one line\n".repeat(1_000);
    let zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).expect("a vector takes it");
    let gzip = gzip.finish().expect("a vector takes it");
    assert_eq!(read(text.as_bytes()).expect("plain"), text);
    assert_eq!(read(&zstd).expect("zstd"), text);
    assert_eq!(read(&gzip).expect("gzip"), text);
    assert_eq!(read(&zstd.repeat(3)).expect("three frames"), text.repeat(3));
    assert_eq!(read(&gzip.repeat(2)).expect("two members"), text.repeat(2));
    assert_eq!(read(b"").expect("nothing"), "");
    assert_eq!(
        read(b"SQLite format 3\0 and so on").expect("a database"),
        "a database"
    );
}

#[test]
fn packed_data_that_is_damaged_is_read_up_to_that_point_and_remembered() {
    let text = "one line\n".repeat(1_000);
    let mut zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    zstd.truncate(zstd.len() / 2);
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("file");
    for (bytes, words) in [
        (&zstd[..], "The zstd data is cut off"),
        (b"\x1f\x8bno gzip at all", "The gzip data is damaged"),
        (b"\x28\xb5\x2f\xfd", "The zstd data is cut off"),
    ] {
        fs::write(&path, bytes).expect("a file");
        let meter = Meter::default();
        let opened = open(&Source::File(path.clone()), &meter).expect("opened");
        let Input::Bytes(mut input, cut) = opened else {
            panic!("not a database");
        };
        let mut text = Vec::new();
        input.read_to_end(&mut text).expect("read to the cut");
        let sentence = cut.sentence().expect("it is damaged");
        assert!(sentence.starts_with(words), "{sentence}");
    }
}

#[test]
fn sessions_without_a_name_are_called_after_their_files() {
    let stem = |path: &str| stem(&Source::File(PathBuf::from(path)));
    assert_eq!(stem("/a/rollout-1.jsonl.zst"), "rollout-1");
    assert_eq!(stem("/a/fix.traj.json"), "fix");
    assert_eq!(stem("/a/session-7/events.jsonl"), "session-7");
    assert_eq!(super::stem(&Source::StandardInput), "");
}
