//! Formats are told by content alone.

use unstuck_transcript::Format;

use crate::told::fixtures;

#[test]
fn every_recording_is_recognised_as_what_it_is() {
    for (format, path, bytes) in fixtures() {
        assert_eq!(Format::detect(&bytes), Some(format), "{}", path.display());
    }
}

#[test]
fn no_format_takes_the_recordings_of_another() {
    for (format, path, bytes) in fixtures() {
        let takers: Vec<Format> = Format::ALL
            .iter()
            .copied()
            .filter(|other| other.recognises(&bytes))
            .collect();
        assert_eq!(takers, [format], "{}", path.display());
    }
}

#[test]
fn the_beginning_of_a_recording_is_enough() {
    for (format, path, bytes) in fixtures() {
        let head = &bytes[..bytes.len().min(2048)];
        assert_eq!(Format::detect(head), Some(format), "{}", path.display());
    }
}

#[test]
fn what_is_no_transcript_is_none() {
    let others: [&[u8]; 8] = [
        b"",
        b"\n\n",
        b"{}\n",
        b"[]",
        b"{\"type\":\"user\"}\n{\"type\":\"assistant\",\"message\":\"x\"}\n",
        b"{\"name\":\"x\",\"version\":\"1.0.0\",\"dependencies\":{}}",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0",
        b"{\"timestamp\":\"2026-01-01T00:00:00Z\",\"level\":\"info\",\"message\":\"started\"}\n",
    ];
    for bytes in others {
        assert_eq!(
            Format::detect(bytes),
            None,
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn formats_are_found_by_their_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(*format));
        assert!(!format.title().is_empty());
    }
    assert_eq!(
        "cloud-code".parse::<Format>().unwrap_err().to_string(),
        "no transcript format is called `cloud-code`"
    );
}
