use super::*;
use crate::redact;

#[test]
fn tables_are_in_order() {
    for table in [&HASHES[..], &IDS, &FILES, &COMMITS, &GRANTS] {
        assert!(table.is_sorted(), "{table:?}");
    }
}

#[test]
fn paths_are_told_from_base64() {
    for path in ["src/main", "./A1b2C3/D4", "~/x", ".git/objects/ab"] {
        assert!(is_path(path.as_bytes()), "{path}");
    }
    for other in ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "abc", "A/B"] {
        assert!(!is_path(other.as_bytes()), "{other}");
    }
}

#[test]
fn only_the_part_of_a_path_that_looks_secret_is_taken_out() {
    let key = "Zk3pQ9vXw7LmN2bVc8RtY5uI1oP4aSdF6gH";
    for (before, behind) in [
        ("/home/joe/", "/notes.txt"),
        ("https://example.com/share/", "/view"),
        ("src/app/", ".js"),
    ] {
        let clean = crate::redact(&format!("{before}{key}{behind}")).into_owned();
        assert!(!clean.contains(key), "{clean}");
        assert!(clean.starts_with(before.trim_end_matches('/')), "{clean}");
    }
    assert_eq!(
        crate::redact("https://example.com/hook/0badc0de0badc0de0badc0de0badc0de0badc0de/x"),
        "https://example.com/hook/[redacted]/x"
    );
}

#[test]
fn a_trace_has_four_parts() {
    let trace = "traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    assert_eq!(redact(trace), trace);
    let key = "traceparent 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c";
    assert_eq!(redact(key), "traceparent [redacted]");
}
