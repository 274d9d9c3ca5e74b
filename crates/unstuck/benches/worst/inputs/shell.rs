//! Inputs of the part `shell`: shell commands that are parsed.

use std::fmt::Write as _;

use serde_json::json;

use super::{Input, Load, call, mixed, of, repeat};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "shell";
    fn command(text: String) -> Load {
        Load::Command(text)
    }
    fn nested(open: &str, close: &str, size: usize) -> Load {
        let one = format!("{}a{} ", open.repeat(30), close.repeat(30));
        command(format!("a {}", repeat(&one, size)))
    }
    vec![
        of(PART, "dollar-parentheses", |size| nested("$(", ")", size)),
        of(PART, "dollar-braces", |size| nested("${a:-", "}", size)),
        of(PART, "quotes-in-substitutions", |size| {
            nested("\"$(", ")\"", size)
        }),
        of(PART, "open-parentheses", |size| command(repeat("$(", size))),
        of(PART, "backticks", |size| {
            command(format!("a {}", repeat("`a` ", size)))
        }),
        of(PART, "open-quotes", |size| {
            command(format!("a {}'", repeat("\"a$a\"b", size)))
        }),
        of(PART, "quoted-pieces", |size| {
            command(format!("a {}", repeat("'a'b", size)))
        }),
        of(PART, "quoted-dollars", |size| {
            command(format!("a {}", repeat("\"a$b\"'c'", size)))
        }),
        of(PART, "backslashes", |size| {
            command(format!("a {}", repeat("\\a", size)))
        }),
        of(PART, "documents", |size| {
            let mut text = String::from("cat");
            let count = (size / 20).min(1_000);
            for at in 0..count {
                let _ = write!(text, " <<A{at}");
            }
            for at in 0..count {
                let _ = write!(text, "\n{}\nA{at}", "A".repeat(size / count / 2));
            }
            command(text)
        }),
        of(PART, "documents-with-tabs", |size| {
            command(format!("cat <<-A\n{}\nA", repeat("\t\t\t\ta\n", size)))
        }),
        of(PART, "pagers-behind-a-read", |size| {
            // As many commands as are looked at, in as many bytes as are looked at.
            let half = (size / 200).min(500);
            let cats = format!(" | cat -{}", "u".repeat(90)).repeat(half);
            let heads = format!(" | head -n {}5", "0".repeat(88)).repeat(half);
            command(format!("cat f{cats} | tail -n 1{heads}"))
        }),
        of(PART, "one-long-option", |size| {
            let options = "-a ".repeat((size / 40).min(4_000));
            command(format!("git {options} --{}", "b".repeat(size * 9 / 10)))
        }),
        of(PART, "directories", |size| {
            let count = (size / 110).clamp(1, 1_000);
            let go = format!("cd {} && ", "ab/".repeat(size / count / 3 - 3));
            command(format!("{}make", go.repeat(count)))
        }),
        of(PART, "short-directories", |size| {
            command(format!(
                "{}make",
                "cd a/b && ".repeat((size / 10).min(1_000))
            ))
        }),
        of(PART, "upward-directories", |size| {
            command(format!("cat {}", repeat("a/../", size)))
        }),
        of(PART, "wrapped-programs", |size| {
            command(format!("{}a", "env A=1 ".repeat((size / 8).min(2_000))))
        }),
        of(PART, "options", |size| {
            let mut text = String::from("grep");
            for at in 0..(size / 20).min(4_000) {
                let _ = write!(text, " --a{:016x}", mixed(at as u64));
            }
            command(text)
        }),
        of(PART, "bundled-options", |size| {
            command(format!("ls -{}", "abcdefghijklm".repeat(size / 13)))
        }),
        of(PART, "commands", |size| {
            command("a;".repeat((size / 2).min(1_000)))
        }),
        of(PART, "assignments", |size| {
            command(format!("{}a", repeat("A=$b ", size)))
        }),
        of(PART, "conditions", |size| {
            command(format!("[[ {} ]]", "a && ".repeat((size / 5).min(2_000))))
        }),
        of(PART, "loops", |size| {
            command("for a in b; do c; done;".repeat((size / 23).min(500)))
        }),
        of(PART, "shells-in-shells", |size| {
            let mut text = format!("echo {}", "a ".repeat((size / 2).min(4_000)));
            for _ in 0..3 {
                text = format!("bash -c {}", unstuck_shell::join([text.as_str()]));
            }
            command(text)
        }),
        of(PART, "python-code", |size| {
            command(format!("python -c '{}'", repeat("a = 1 # b\n    \n", size)))
        }),
        of(PART, "call-of-a-shell", |size| {
            let text = repeat("echo $(a \"${b:-c}\") | head -n 5; ", size.min(30_000));
            call("Bash", &json!({ "command": text }))
        }),
        of(PART, "call-with-a-huge-command", |size| {
            call(
                "Bash",
                &json!({ "command": repeat("cd a && cat `a` 2>&1 | tail; ", size) }),
            )
        }),
    ]
}
