use super::*;

fn kept(line: u64, broken: Option<Mark>) -> Kept {
    Kept {
        head: Head {
            line,
            hash: [7; 32],
        },
        length: Some(line * 100),
        files: 3,
        resumed: line.min(2),
        broken,
    }
}

#[test]
fn every_record_has_the_same_width_and_is_read_back() {
    let mark = |why| {
        Some(Mark {
            why,
            at: u64::MAX,
            lost: u64::MAX,
        })
    };
    let mut all: Vec<_> = Break::ALL
        .into_iter()
        .map(|why| Kept {
            length: Some(u64::MAX),
            files: u32::MAX,
            resumed: u64::MAX / 100,
            ..kept(u64::MAX / 100, mark(why))
        })
        .collect();
    all.extend([Kept::NEW, kept(9, None), kept(10_000, None)]);
    for kept in all {
        let record = kept.record();
        assert_eq!(record.len(), WIDTH, "{record}");
        assert_eq!(Found::parse(record.as_bytes()), Found::Kept(kept));
    }
}

#[test]
fn heads_of_older_versions_are_read() {
    let text = format!("{}\n", kept(5, None).head);
    let Found::Kept(kept) = Found::parse(text.as_bytes()) else {
        panic!("{text}");
    };
    assert_eq!((kept.head.line, kept.length), (5, None));
}

#[test]
fn what_is_not_a_record_is_damaged() {
    let record = kept(5, None).record();
    for text in [
        "ssh-ed25519 AAAA me@here",
        "5",
        &record[..40],
        &record.replace("bytes", "byte"),
        &record.replace("files=3", "files=x"),
        &format!("{record}{record}"),
    ] {
        assert_eq!(Found::parse(text.as_bytes()), Found::Damaged, "{text}");
    }
    assert_eq!(Found::parse(b""), Found::Nothing);
}
