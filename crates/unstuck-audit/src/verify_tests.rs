use std::fmt::Write as _;

use std::fs;

use super::*;
use crate::{AuditFile, AuditOptions, Journal};

fn log(name: &str, count: usize) -> PathBuf {
    let directory =
        std::env::temp_dir().join(format!("unstuck-verify-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    let path = directory.join("audit.jsonl");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    let mut journal = Journal::default();
    for number in 0..count {
        journal.push(|out| {
            let _ = write!(out, "\"event\":\"call\",\"n\":{number}");
        });
    }
    audit.commit(&mut journal).unwrap();
    path
}

fn check(path: &Path) -> Result<Verified, VerifyError> {
    verify(path, None, Start::First, |_| {})
}

#[test]
fn a_whole_log_is_told_with_its_head() {
    let path = log("whole", 5);
    let verified = check(&path).unwrap();
    assert_eq!(
        (verified.lines, verified.first_line, verified.head.line),
        (5, 1, 5)
    );
    let kept = fs::read_to_string(head_path(&path)).unwrap();
    assert!(kept.starts_with(&format!("{} ", verified.head)), "{kept}");
}

#[test]
fn any_byte_that_is_changed_is_found() {
    let path = log("byte", 3);
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).unwrap();
        assert!(check(&path).is_err(), "byte {place}");
    }
}

#[test]
fn a_line_that_is_removed_or_moved_is_found() {
    let path = log("lines", 4);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    for place in 0..lines.len() {
        let mut removed = lines.clone();
        removed.remove(place);
        fs::write(&path, removed.concat()).unwrap();
        assert!(check(&path).is_err(), "without line {place}");
        for other in place + 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(place, other);
            fs::write(&path, swapped.concat()).unwrap();
            assert!(check(&path).is_err(), "lines {place} and {other}");
        }
    }
}

#[test]
fn a_log_that_is_cut_off_anywhere_is_found() {
    let path = log("cut", 3);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(check(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn a_head_that_was_noted_elsewhere_counts_where_all_was_forged() {
    let path = log("forged", 3);
    let noted = check(&path).unwrap().head;
    let other = log("other", 3);
    fs::copy(&other, &path).unwrap();
    fs::copy(head_path(&other), head_path(&path)).unwrap();
    // The same lines make the same log.
    assert!(verify(&path, Some(noted), Start::First, |_| {}).is_ok());
    let longer = log("longer", 2);
    assert!(matches!(
        verify(&longer, Some(noted), Start::First, |_| {}),
        Err(VerifyError::Short {
            expected: 3,
            found: 2,
            ..
        })
    ));
    assert!(check(&longer).is_ok());
}

#[test]
fn without_its_head_nobody_knows_how_far_a_log_went() {
    let path = log("headless", 2);
    fs::remove_file(head_path(&path)).unwrap();
    assert!(matches!(check(&path), Err(VerifyError::NoHead { .. })));
}

#[test]
fn a_crash_between_a_line_and_its_head_is_no_forgery() {
    let path = log("behind", 2);
    let head = fs::read(head_path(&path)).unwrap();
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    let mut journal = Journal::default();
    journal.push(|out| out.push_str("\"event\":\"call\""));
    audit.commit(&mut journal).unwrap();
    drop(audit);
    fs::write(head_path(&path), head).unwrap();
    assert_eq!(check(&path).unwrap().lines, 3);
}

#[test]
fn many_lines_that_are_written_together_are_sealed_now_and_then() {
    let path = log("groups", 2_000);
    assert_eq!(check(&path).unwrap().lines, 2_000);
    let text = fs::read_to_string(&path).unwrap();
    let sealed = text.lines().filter(|line| line.contains("\"chain\""));
    let sealed = sealed.count();
    assert!((2..200).contains(&sealed), "{sealed}");
    // What was changed is looked for among the lines that end with the same hash, not among all.
    let changed = text.replacen("\"n\":1000}", "\"n\":1001}", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
    let Err(VerifyError::Broken { line, broken, .. }) = check(&path) else {
        panic!("nothing was found");
    };
    let Broken::Changed { lines } = broken else {
        panic!("{broken}");
    };
    assert!(line >= 1_001 && line - lines < 1_001, "{line} {lines}");
    assert!(broken.to_string().contains(&lines.to_string()));
}

#[test]
fn lines_are_shown_once_they_are_known_to_be_genuine() {
    let path = log("shown", 3);
    let mut seen = Vec::new();
    verify(&path, None, Start::First, |line| seen.push(line.to_vec())).unwrap();
    let text = fs::read(&path).unwrap();
    let written: Vec<_> = text
        .strip_suffix(b"\n")
        .unwrap()
        .split(|byte| *byte == b'\n')
        .collect();
    assert_eq!(seen, written);
    fs::write(
        &path,
        String::from_utf8(text)
            .unwrap()
            .replace("\"n\":1", "\"n\":7"),
    )
    .unwrap();
    let mut shown = 0;
    assert!(verify(&path, None, Start::First, |_| shown += 1).is_err());
    assert_eq!(shown, 0);
}

#[test]
fn lines_that_each_have_their_own_hash_are_a_log_as_well() {
    let path = log("each", 0);
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    for _ in 0..3 {
        let mut journal = Journal::default();
        journal.push(|out| out.push_str("\"event\":\"call\""));
        audit.commit(&mut journal).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.lines().all(|line| line.contains("\"chain\"")));
    assert_eq!(check(&path).unwrap().lines, 3);
}

#[test]
fn lines_that_are_never_sealed_do_not_fill_the_memory() {
    let path = log("endless", 1);
    let mut text = fs::read_to_string(&path).unwrap();
    for number in 2..10_000 {
        let _ = writeln!(text, "{{\"line\":{number},\"event\":\"call\"}}");
    }
    fs::write(&path, text).unwrap();
    let Err(VerifyError::Broken { line, .. }) = check(&path) else {
        panic!("nothing was found");
    };
    assert!(line < 1_000, "{line}");
}

#[test]
fn every_noted_head_must_be_on_the_chain() {
    let path = log("noted", 0);
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    let mut heads = Vec::new();
    for number in 0..6 {
        let mut journal = Journal::default();
        journal.push(|out| {
            let _ = write!(out, "\"event\":\"call\",\"n\":{number}");
        });
        audit.commit(&mut journal).unwrap();
        heads.push(audit.head());
    }
    drop(audit);
    let check = |heads: &[Head]| verify_with_heads(&path, None, heads, Start::First, |_| {});
    assert!(check(&heads).is_ok());
    let mut other = heads.clone();
    other[2].hash[0] ^= 1;
    assert!(matches!(
        check(&other),
        Err(VerifyError::OtherHead { line: 3 })
    ));
    let mut later = heads.clone();
    later[5].line = 9;
    assert!(matches!(
        check(&later),
        Err(VerifyError::Short { expected: 9, .. })
    ));
}
