//! Commands that both parsers must take apart in the same way.

#![allow(clippy::unwrap_used, reason = "what may fail here fails the test")]

use unstuck_shell_oracle::{Oracle, Piece, ours};

/// What agents put around a command.
const FRAMES: [&str; 24] = [
    "{}",
    "  {}  ",
    "{} 2>&1",
    "{} 2>/dev/null",
    "{} > out.txt",
    "{} >> out.txt 2>&1",
    "{} | tail -5",
    "{} 2>&1 | head -20",
    "{} | grep -v x | sort | uniq -c",
    "{} || true",
    "{} && echo ok",
    "{}; echo $?",
    "cd /repo && {}",
    "cd /repo && {} 2>&1 | tail -40",
    "cd /repo; {}; cd ..",
    "cd /repo\n{}\nls",
    "# first\n{}",
    "{} &",
    "({})",
    "{ {}; }",
    "if {}; then echo yes; else echo no; fi",
    "for f in a b; do {}; done",
    "while {}; do sleep 1; done",
    "{} && \\\n  ls -la",
];

fn commands() -> Vec<String> {
    let lines = include_str!("commands.txt")
        .lines()
        .filter(|line| !line.starts_with("# "));
    lines
        .map(|line| {
            line.replace("\\\\", "\u{0}")
                .replace("\\n", "\n")
                .replace('\u{0}', "\\")
        })
        .collect()
}

#[test]
fn both_take_every_command_apart_in_the_same_way() {
    let mut oracle = Oracle::new();
    let (mut compared, mut apart) = (0, Vec::new());
    for command in commands() {
        for frame in FRAMES {
            let script = frame.replacen("{}", &command, 1);
            let Some(theirs) = oracle.pieces(&script) else {
                continue;
            };
            compared += 1;
            if ours(&script).as_ref() != Some(&theirs) {
                apart.push(format!(
                    "{script:?}\n  ours   {:?}\n  theirs {theirs:?}",
                    ours(&script)
                ));
            }
        }
    }
    assert!(
        apart.is_empty(),
        "{} of {compared}:\n{}",
        apart.len(),
        apart.join("\n")
    );
    assert!(compared > 3_000, "{compared}");
}

#[test]
fn documents_are_taken_apart_where_the_oracle_gives_up() {
    let mut oracle = Oracle::new();
    let words =
        |words: &[&str]| Piece::Command(words.iter().map(|word| (*word).to_owned()).collect());
    for (script, pieces) in [
        ("cat <<'EOF'\na && b\nEOF", vec![words(&["cat"])]),
        (
            "cat << 'EOF' > f\nx\nEOF\nls",
            vec![words(&["cat"]), words(&["ls"])],
        ),
        ("cat <<A <<B\nx\nA\ny\nB\n", vec![words(&["cat"])]),
        (
            "python3 -u <<E | tail -1\nprint(1)\nE",
            vec![
                words(&["python3", "-u"]),
                Piece::Operator("|".into()),
                words(&["tail", "-1"]),
            ],
        ),
    ] {
        assert_eq!(ours(script).as_ref(), Some(&pieces), "{script}");
        if let Some(theirs) = oracle.pieces(script) {
            assert_eq!(theirs, pieces, "{script}");
        }
    }
}

#[test]
fn what_the_oracle_calls_broken_is_left_alone() {
    let mut oracle = Oracle::new();
    for script in [
        "echo 'open",
        "echo \"open",
        "echo $(open",
        "a && && b",
        "if a; then b",
        "(a",
        "a)",
        "| a",
    ] {
        assert_eq!(oracle.pieces(script), None, "{script}");
        assert_eq!(ours(script), None, "{script}");
    }
}
