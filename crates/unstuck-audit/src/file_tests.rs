use std::fmt::Write as _;

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    thread,
};

use super::*;
use crate::{
    Start, close,
    files::{head_path, numbered},
    verify,
};

pub(crate) fn place(name: &str) -> PathBuf {
    let directory =
        std::env::temp_dir().join(format!("unstuck-audit-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    directory.join("audit.jsonl")
}

fn lines(texts: &[&str]) -> Journal {
    let mut journal = Journal::default();
    for text in texts {
        journal.push(|out| {
            let _ = write!(out, "\"event\":\"{text}\"");
        });
    }
    journal
}

fn write(path: &Path, options: AuditOptions, texts: &[&str]) {
    let mut audit = AuditFile::open(path, options).unwrap();
    for text in texts {
        audit.commit(&mut lines(&[text])).unwrap();
    }
}

fn events(path: &Path) -> Vec<String> {
    let mut events = Vec::new();
    verify(path, None, Start::First, |line| {
        let line: serde_json::Value = serde_json::from_slice(line).unwrap();
        events.push(line["event"].as_str().unwrap().to_owned());
    })
    .unwrap();
    events
}

#[test]
fn the_chain_goes_on_after_a_restart() {
    let path = place("restart");
    write(&path, AuditOptions::default(), &["a", "b"]);
    write(&path, AuditOptions::default(), &["c"]);
    assert_eq!(events(&path), ["a", "b", "c"]);
}

#[test]
fn several_writers_share_one_log() {
    let path = place("writers");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let options = AuditOptions {
                    rotate_bytes: 8_000,
                    ..AuditOptions::default()
                };
                write(&path, options, &["x"; 200]);
            });
        }
    });
    let events = events(&path);
    assert_eq!(events.iter().filter(|event| *event == "x").count(), 800);
    assert!(events.iter().any(|event| event == "continues"));
}

#[test]
fn full_files_make_room_and_the_chain_goes_through_them() {
    let path = place("rotation");
    let options = AuditOptions {
        rotate_bytes: 300,
        ..AuditOptions::default()
    };
    write(&path, options, &["a", "b", "c", "d", "e"]);
    assert!(numbered(&path, 1).exists());
    let events = events(&path);
    let calls: Vec<_> = events.iter().filter(|event| event.len() == 1).collect();
    assert_eq!(calls, ["a", "b", "c", "d", "e"]);
    assert!(events.iter().any(|event| event == "rotated"));

    // Without its oldest file a log is whole only for those who say that this is fine.
    fs::remove_file(numbered(&path, 1)).unwrap();
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    let rest = verify(&path, None, Start::AnyFile, |_| {}).unwrap();
    assert!(rest.first_line > 1);
}

#[test]
fn a_writer_that_died_while_it_made_room_is_no_harm() {
    let path = place("died");
    let mut options = AuditOptions::default();
    write(&path, options, &["a"]);
    // The line is there, the file is not renamed yet.
    let mut audit = AuditFile::open(&path, options).unwrap();
    audit.commit_lines(&mut lines(&["rotated"])).unwrap();
    std::mem::forget(audit);
    options.rotate_bytes = 1 << 20;
    write(&path, options, &["b"]);
    assert_eq!(events(&path), ["a", "rotated", "continues", "b"]);
    assert!(numbered(&path, 1).exists());
}

#[test]
fn a_line_torn_by_the_end_of_the_machine_is_taken_off_and_told_of() {
    let path = place("torn");
    write(&path, AuditOptions::default(), &["a", "b"]);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"line\":3,\"ev").unwrap();
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    write(&path, AuditOptions::default(), &["c"]);
    assert_eq!(events(&path), ["a", "b", "torn", "c"]);
}

#[test]
fn lines_written_together_are_torn_together_wherever_the_machine_went_down() {
    let path = place("torn-group");
    write(&path, AuditOptions::default(), &["a"]);
    let before = fs::read(&path).unwrap();
    let head = fs::read(head_path(&path)).unwrap();
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["b", "c", "d"])).unwrap();
    let whole = fs::read(&path).unwrap();
    drop(audit);
    for length in before.len() + 1..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        // The head was not written any more.
        fs::write(head_path(&path), &head).unwrap();
        drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let lost = format!("\"event\":\"torn\",\"bytes\":{}", length - before.len());
        assert_eq!(text.lines().count(), 2, "{length} bytes");
        assert!(text.as_bytes().starts_with(&before), "{length} bytes");
        assert!(text.contains(&lost), "{length} bytes");
    }
}

#[test]
fn space_that_was_never_written_to_is_taken_off() {
    let path = place("zeros");
    write(&path, AuditOptions::default(), &["a"]);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&[0; 100]).unwrap();
    write(&path, AuditOptions::default(), &["b"]);
    assert_eq!(events(&path), ["a", "torn", "b"]);
}

#[test]
fn a_log_torn_in_its_first_lines_begins_anew() {
    let path = place("torn-start");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
    fs::write(&path, "{\"line\":1,\"event\":\"call\"}\n{\"li").unwrap();
    write(&path, AuditOptions::default(), &["a"]);
    assert_eq!(events(&path), ["torn", "a"]);
}

#[test]
fn what_is_no_log_is_not_written_to() {
    let path = place("other");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["dear diary\n", "dear diary", "{\"line\":1}\ndear diary"] {
        fs::write(&path, text).unwrap();
        let error = AuditFile::open(&path, AuditOptions::default()).unwrap_err();
        assert!(error.to_string().contains("audit.jsonl cannot be opened"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    write(&path.with_file_name("log"), AuditOptions::default(), &["a"]);
    let mut text = fs::read_to_string(path.with_file_name("log")).unwrap();
    text.push_str("dear diary");
    fs::write(&path, &text).unwrap();
    assert!(AuditFile::open(&path, AuditOptions::default()).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn lines_beyond_the_budget_are_counted_and_told_of_later() {
    let path = place("budget");
    let options = AuditOptions {
        rotate_bytes: 300,
        budget: Some(1_000),
        ..AuditOptions::default()
    };
    let mut audit = AuditFile::open(&path, options).unwrap();
    let mut written = 0;
    while audit.commit(&mut lines(&["x"])).is_ok() {
        written += 1;
    }
    assert!(written >= 3, "{written}");
    assert!(audit.is_tight());
    let mut journal = lines(&["y", "z"]);
    assert!(audit.commit(&mut journal).is_err());
    assert!(journal.is_empty());
    // No file is removed, and files that were moved away make room.
    assert!(numbered(&path, 1).exists());
    fs::rename(numbered(&path, 1), path.with_file_name("archive")).unwrap();
    audit.commit(&mut lines(&["again"])).unwrap();
    drop(audit);
    let mut gaps = Vec::new();
    verify(&path, None, Start::AnyFile, |line| {
        let line: serde_json::Value = serde_json::from_slice(line).unwrap();
        gaps.extend(line["lost"].as_u64());
    })
    .unwrap();
    assert_eq!(gaps, [3]);
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_a_log() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = place("private");
    write(&path, AuditOptions::default(), &["a"]);
    for file in [path.clone(), head_path(&path)] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[test]
fn the_head_that_a_killed_process_left_unwritten_is_written_by_the_next() {
    let path = place("no-head");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit_lines(&mut lines(&["a", "b"])).unwrap();
    // Killed: nothing more is written.
    std::mem::forget(audit);
    let head = || fs::read_to_string(head_path(&path)).unwrap();
    assert!(head().starts_with("0 "));
    drop(AuditFile::open(&path, AuditOptions::default()).unwrap());
    assert!(head().starts_with("2 "));
    assert_eq!(events(&path), ["a", "b"]);
}

/// What an attacker does to the files of a log of three lines while it is written.
type Attack = fn(&Path);

const ATTACKS: [(&str, Attack); 10] = [
    ("removed", |log| fs::remove_file(log).unwrap()),
    ("moved", |log| {
        fs::rename(log, log.with_file_name("moved")).unwrap();
    }),
    ("copied", |log| {
        let copy = log.with_file_name("copy");
        fs::copy(log, &copy).unwrap();
        fs::rename(copy, log).unwrap();
    }),
    ("emptied", |log| fs::write(log, "").unwrap()),
    ("cut", |log| {
        let text = fs::read_to_string(log).unwrap();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        fs::write(log, lines[..2].concat()).unwrap();
    }),
    ("added", |log| {
        let mut file = OpenOptions::new().append(true).open(log).unwrap();
        let seal = "0".repeat(64);
        writeln!(file, "{{\"line\":4,\"event\":\"x\",\"chain\":\"{seal}\"}}").unwrap();
    }),
    ("head-removed", |log| {
        fs::remove_file(head_path(log)).unwrap();
    }),
    ("head-emptied", |log| fs::write(head_path(log), "").unwrap()),
    ("head-garbage", |log| {
        fs::write(head_path(log), "x").unwrap();
    }),
    ("all-removed", |log| {
        fs::remove_file(log).unwrap();
        fs::remove_file(head_path(log)).unwrap();
    }),
];

#[test]
fn a_log_that_was_tampered_with_stays_broken_until_a_person_closes_it() {
    for (name, attack) in ATTACKS {
        let path = place(&format!("attack-{name}"));
        let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
        let mut idle = AuditFile::open(&path, AuditOptions::default()).unwrap();
        for text in ["a", "b", "c"] {
            audit.commit(&mut lines(&[text])).unwrap();
        }
        attack(&path);
        assert!(audit.commit(&mut lines(&["d"])).is_err(), "{name}");
        assert!(idle.commit(&mut lines(&["e"])).is_err(), "{name}");
        assert!(audit.commit_lines(&mut lines(&["f"])).is_err(), "{name}");
        assert!(
            verify(&path, None, Start::AnyFile, |_| {}).is_err(),
            "{name}"
        );
        // A restart does not heal it.
        drop(idle);
        let mut restarted = AuditFile::open(&path, AuditOptions::default()).unwrap();
        assert!(restarted.commit(&mut lines(&["g"])).is_err(), "{name}");
        assert!(
            verify(&path, None, Start::AnyFile, |_| {}).is_err(),
            "{name}"
        );

        let closed = close(&path).unwrap();
        assert_eq!(closed.last.line.max(3), closed.last.line, "{name}");
        // Both continue, and so does a new one.
        for audit in [&mut audit, &mut restarted] {
            audit
                .commit(&mut lines(&["h"]))
                .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        }
        drop((audit, restarted));
        write(&path, AuditOptions::default(), &["i"]);
        let verified = verify(&path, None, Start::First, |_| {});
        let verified = verified.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (file, line) = verified.resumed.unwrap();
        assert_eq!((&*file, line), ("audit.jsonl.closed-1", closed.last.line));
        assert!(verify(&closed.moved_to, None, Start::First, |_| {}).is_err());
        // It is whole, so there is nothing to close.
        assert!(matches!(
            close(&path),
            Err(super::super::CloseError::Whole { .. })
        ));
    }
}

#[test]
fn a_log_that_was_tampered_with_between_two_runs_is_broken() {
    for (name, attack) in ATTACKS {
        if name == "all-removed" || name == "copied" {
            // A copy has all lines, and a log of which nothing is left cannot be told from a new one.
            continue;
        }
        let path = place(&format!("stopped-{name}"));
        write(&path, AuditOptions::default(), &["a", "b", "c"]);
        attack(&path);
        for _ in 0..2 {
            let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
            assert!(audit.commit(&mut lines(&["d"])).is_err(), "{name}");
            assert!(
                verify(&path, None, Start::AnyFile, |_| {}).is_err(),
                "{name}"
            );
        }
        close(&path).unwrap();
        write(&path, AuditOptions::default(), &["e"]);
        assert!(verify(&path, None, Start::First, |_| {}).is_ok(), "{name}");
    }
}

#[test]
fn lines_that_are_lost_while_a_log_is_broken_are_counted() {
    let path = place("lost");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["a"])).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(audit.commit(&mut lines(&["b", "c"])).is_err());
    assert!(audit.commit(&mut lines(&["d"])).is_err());
    drop(audit);
    close(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"lost\":3"), "{text}");
}

#[test]
fn an_old_log_and_its_head_put_back_under_a_writer_are_found() {
    let path = place("put-back");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["a"])).unwrap();
    let (log, head) = (
        fs::read(&path).unwrap(),
        fs::read(head_path(&path)).unwrap(),
    );
    audit.commit(&mut lines(&["b"])).unwrap();
    fs::write(&path, log).unwrap();
    fs::write(head_path(&path), head).unwrap();
    assert!(audit.commit(&mut lines(&["c"])).is_err());
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
}

#[test]
fn arguments_that_look_like_an_event_are_not_one() {
    let path = place("posing");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    for event in ["rotated", "broken", "continues", "resumed"] {
        let mut journal = Journal::default();
        journal.push(|out| {
            let _ = write!(out, "\"at\":1,\"arguments\":{{\"event\":\"{event}\"}}");
        });
        audit.commit_lines(&mut journal).unwrap();
    }
    std::mem::forget(audit);
    write(&path, AuditOptions::default(), &["a"]);
    assert!(!numbered(&path, 1).exists());
    assert_eq!(verify(&path, None, Start::First, |_| {}).unwrap().lines, 5);
}

#[test]
fn numbers_of_full_files_only_grow() {
    let path = place("numbers");
    let options = AuditOptions {
        rotate_bytes: 300,
        ..AuditOptions::default()
    };
    write(&path, options, &["x"; 8]);
    let before = super::super::log_files(&path).len();
    assert!(before > 3);
    fs::remove_file(numbered(&path, 1)).unwrap();
    write(&path, options, &["x"; 8]);
    assert!(!numbered(&path, 1).exists());
    assert!(verify(&path, None, Start::AnyFile, |_| {}).is_ok());
    assert!(verify(&path, None, Start::First, |_| {}).is_err());
    // One between two others is missed in any case.
    fs::remove_file(numbered(&path, 3)).unwrap();
    let error = verify(&path, None, Start::AnyFile, |_| {}).unwrap_err();
    assert!(
        error.to_string().contains("audit.jsonl.3 is missing"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn links_and_other_files_are_rejected_without_waiting() {
    let path = place("links");
    let directory = path.parent().unwrap();
    fs::create_dir_all(directory).unwrap();
    let target = directory.join("target");
    for text in ["", "precious\n"] {
        for link in [path.clone(), head_path(&path)] {
            fs::write(&target, text).unwrap();
            std::os::unix::fs::symlink(&target, &link).unwrap();
            let error = AuditFile::open(&path, AuditOptions::default()).unwrap_err();
            let error = std::error::Error::source(&error).unwrap().to_string();
            assert!(error.contains("symbolic link"), "{error}");
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            fs::remove_file(link).unwrap();
            let _ = fs::remove_file(head_path(&path));
        }
    }
    for fifo in [path.clone(), head_path(&path)] {
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        assert!(AuditFile::open(&path, AuditOptions::default()).is_err());
        fs::remove_file(fifo).unwrap();
        let _ = fs::remove_file(head_path(&path));
    }
}

#[cfg(unix)]
#[test]
fn access_of_others_is_taken_away() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = place("access");
    write(&path, AuditOptions::default(), &["a"]);
    for file in [path.clone(), head_path(&path)] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
    }
    write(&path, AuditOptions::default(), &["b"]);
    for file in [path.clone(), head_path(&path)] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_log_of_an_older_version_goes_on() {
    let path = place("older");
    let options = AuditOptions {
        rotate_bytes: 300,
        ..AuditOptions::default()
    };
    write(&path, options, &["x"; 6]);
    let head = fs::read_to_string(head_path(&path)).unwrap();
    let words: Vec<_> = head.split(' ').take(2).collect();
    fs::write(head_path(&path), format!("{}\n", words.join(" "))).unwrap();
    let before = super::super::log_files(&path).len();
    write(&path, options, &["x"; 6]);
    assert!(super::super::log_files(&path).len() > before);
    assert!(verify(&path, None, Start::First, |_| {}).is_ok());
}

#[test]
fn a_head_that_was_edited_by_hand_is_found() {
    for (from, to) in [
        ("resumed=0", "resumed=1"),
        ("files=0", "files=4294967295"),
        ("files=0", "files=1"),
        ("2 ", "9 "),
        ("2 ", "1 "),
    ] {
        let path = place("edited");
        let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
        for text in ["a", "b"] {
            audit.commit(&mut lines(&[text])).unwrap();
        }
        let head = fs::read_to_string(head_path(&path)).unwrap();
        assert!(head.contains(from), "{head}");
        fs::write(head_path(&path), head.replacen(from, to, 1)).unwrap();
        assert!(audit.commit(&mut lines(&["c"])).is_err(), "{to}");
        assert!(verify(&path, None, Start::First, |_| {}).is_err(), "{to}");
    }
}

#[test]
fn an_old_log_cannot_pose_as_a_new_one() {
    let path = place("pose");
    let mut audit = AuditFile::open(&path, AuditOptions::default()).unwrap();
    audit.commit(&mut lines(&["a", "b", "c"])).unwrap();
    let (log, head) = (
        fs::read(&path).unwrap(),
        fs::read_to_string(head_path(&path)).unwrap(),
    );
    audit.commit(&mut lines(&["d"])).unwrap();
    // Both are put back, as other files, and the head says that a person started the log.
    for file in [&path, &head_path(&path)] {
        fs::remove_file(file).unwrap();
    }
    fs::write(&path, log).unwrap();
    for resumed in ["resumed=3", "resumed=5"] {
        fs::write(head_path(&path), head.replace("resumed=0", resumed)).unwrap();
        assert!(audit.commit(&mut lines(&["e"])).is_err());
        assert!(verify(&path, None, Start::First, |_| {}).is_err());
    }
}
