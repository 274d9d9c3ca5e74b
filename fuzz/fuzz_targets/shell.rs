//! Any text as a shell command, and texts made of what commands are made of: nothing panics, the answer is always the
//! same, a canonical form is its own canonical form, and neither blanks nor quotes around words matter.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use unstuck_shell::{Script, canonical, understand};

/// Words, operators and what breaks them.
const PIECES: [&str; 72] = [
    "cd /r && ", "cat ", "head -5 ", "sed -n 1,5p ", "f ", "g", " | tail -3", " | ", " && ", " || true", "; ", "\n",
    "& ", "2>&1 ", "> out ", "<<E\nx\nE\n", "<<< t ", "'", "\"", "\\", "$x", "${y}", "$(z)", "`", "(", ")", "{ ", " }",
    "if ", "then ", "fi", "for i in a b", "do ", "done", "[[ ", " ]]", "A=1 ", "A=", "timeout 5 ", "env ", "bash -c ",
    "python -c ", "python3 - ", "pytest -q ", "-n ", "-la ", "-k ", "--", "echo ", "true", "export B=2; ", "grep -rn ",
    "#", "!", " ", "=", "-", "é", "tee ", "npm run test ", "$?", "$'", "\\\n", "<(", "/dev/null ", "./", "cargo test ",
    "git ", "-e ", "awk 'NR>=1&&NR<=5' ", "nl -ba ", "sudo ",
];

#[derive(Arbitrary, Debug)]
enum Part {
    Piece(u8),
    Text(String),
}

#[derive(Arbitrary, Debug)]
struct Input {
    parts: Vec<Part>,
    words: Vec<String>,
    directory: Option<String>,
}

fuzz_target!(|input: Input| {
    let mut command = String::new();
    for part in &input.parts {
        match part {
            Part::Piece(piece) => command.push_str(PIECES[usize::from(*piece) % PIECES.len()]),
            Part::Text(text) => command.push_str(text),
        }
    }
    let directory = input.directory.as_deref();
    let insight = understand(&command, directory);
    assert_eq!(insight, understand(&command, directory));
    if let Some(insight) = insight {
        assert_eq!(canonical(&insight.canonical).as_deref(), Some(&*insight.canonical));
        assert!(insight.canonical.len() <= 8 * (command.len() + directory.map_or(0, str::len)) + 64);
        assert_eq!(understand(&format!(" \t{command}\n"), directory), Some(insight));
    }

    let joined = unstuck_shell::join(input.words.iter().map(String::as_str));
    if input.words.first().is_some_and(|word| !word.is_empty())
        && let Some(script) = Script::parse(&joined)
    {
        let read: Vec<_> = script.commands().flat_map(|simple| simple.words()).map(|word| word.text()).collect();
        assert_eq!(read, input.words);
        let quoted: Vec<_> = input.words.iter().map(|word| format!("'{}'", word.replace('\'', "'\"'\"'"))).collect();
        assert_eq!(canonical(&quoted.join("  ")), canonical(&joined));
    }
});
