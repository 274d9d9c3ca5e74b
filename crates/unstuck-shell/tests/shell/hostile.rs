//! Input that is meant to hurt.

use unstuck_shell::{canonical, join, understand};

use super::insight;

#[test]
fn nesting_has_a_limit() {
    for open in [
        "(",
        "$(",
        "${",
        "{ ",
        "\"$(",
        "`",
        "((",
        "<(",
        "if ",
        "while ",
        "! ",
        "bash -c '",
    ] {
        let _ = understand(&open.repeat(20_000), None);
    }
    let nested = format!("echo {}x{}", "$(echo ".repeat(20_000), ")".repeat(20_000));
    assert_eq!(canonical(&nested), None);
    let shells = (0..6).fold("ls".to_owned(), |script, _| {
        format!("bash -c {}", join([script.as_str()]))
    });
    assert_eq!(canonical(&shells), None);
}

#[test]
fn what_is_never_closed_is_left_alone() {
    for open in [
        "cat <<EOF\n",
        "cat <<'E",
        "echo '",
        "echo \"",
        "echo $'",
        "echo \\",
        "echo ${a:-'",
    ] {
        let command = format!("{open}{}", "x\n".repeat(20_000));
        assert_eq!(
            canonical(&format!("{command}<<EOF '\"${{`")),
            None,
            "{open}"
        );
    }
    assert_eq!(canonical(&"cat <<A ".repeat(5_000)), None);
}

#[test]
fn size_has_a_limit() {
    assert_eq!(canonical(&"x".repeat(1 << 20)), None);
    assert!(canonical(&"x".repeat(100_000)).is_some());
    assert_eq!(canonical(&"a ".repeat(20_000)), None, "too many words");
    assert_eq!(canonical(&"a;".repeat(20_000)), None, "too many commands");
    let quotes = format!("echo {}", "\"'\"".repeat(20_000));
    assert!(insight(&quotes).canonical.len() < 6 * quotes.len());
}

#[test]
fn many_documents_are_read_once() {
    let command = format!("cat{}\n{}", " <<E".repeat(100), "x\nE\n".repeat(100));
    assert_eq!(insight(&command).canonical.matches("<<< x").count(), 100);
}

#[test]
fn what_is_no_ascii_is_kept() {
    assert_eq!(
        insight("echo 'grün'   ≠ \"\u{2028}\"").canonical,
        "echo grün ≠ \u{2028}"
    );
    assert_eq!(canonical("echo é\\"), None);
    assert_eq!(insight("ls -é").canonical, "ls -é");
    assert_eq!(insight("python -é").canonical, "python -é");
}

#[test]
fn pagers_go_until_the_rest_is_a_read() {
    for (command, expected) in [
        ("cat f | cat | tail -n 1 | head -n 5", "tail -n 1 f"),
        ("cat f | tail -n 3 | head -n 5 | head -n 2", "tail -n 3 f"),
        ("make | cat | head -n 5", "make"),
    ] {
        assert_eq!(canonical(command).as_deref(), Some(expected), "{command}");
    }
}
