//! Inputs that try to be the worst for a part.

use std::{collections::VecDeque, fmt::Write as _, hash::Hasher as _};

use serde_json::json;
use siphasher::sip::SipHasher13;
use unstuck::Preset;

/// An input of any size.
pub(crate) struct Input {
    pub(crate) part: &'static str,
    pub(crate) name: &'static str,
    /// Makes it, with about so many bytes.
    pub(crate) make: fn(usize) -> Load,
}

/// What is measured.
pub(crate) enum Load {
    /// A text that is parsed and canonicalised.
    Json(String),
    /// A shell command that is understood.
    Command(String),
    /// A text that secrets are taken out of.
    Redact(String),
    /// Lines that are read and observed, after others whose time does not count.
    Events {
        key: [u8; 16],
        preset: Preset,
        before: Vec<String>,
        lines: Vec<String>,
    },
}

impl Load {
    /// Whether many events come before those that count.
    pub(crate) fn is_prepared(&self) -> bool {
        matches!(self, Self::Events { before, .. } if before.len() > 1)
    }
}

const fn of(part: &'static str, name: &'static str, make: fn(usize) -> Load) -> Input {
    Input { part, name, make }
}

pub(crate) fn all() -> Vec<Input> {
    [
        normalisation(),
        shell(),
        chant(),
        canonical_json(),
        rewording(),
        index(),
        facts(),
        redaction(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn normalisation() -> Vec<Input> {
    const PART: &str = "normalisation";
    vec![
        of(PART, "one-long-word", |size| said(&"a1".repeat(size / 2))),
        of(PART, "words-just-not-identifiers", |size| {
            said(&repeat(&format!("{}_ ", "aB1".repeat(1_300)), size))
        }),
        of(PART, "digits-and-separators", |size| {
            said(&repeat("1:1.1-1/1,", size))
        }),
        of(PART, "time-prefixes", |size| {
            said(&repeat(
                "2026-11-15 2026-11-15T09:0 09:01: Nov 15 9:6 ",
                size,
            ))
        }),
        of(PART, "times", |size| said(&repeat("09:01:02 ", size))),
        of(PART, "dates-and-spaces", |size| {
            said(&repeat("2026-11-15                    ", size))
        }),
        of(PART, "long-durations", |size| {
            said(&repeat(&format!("1m {} ", "1".repeat(200)), size))
        }),
        of(PART, "nearly-bars", |size| {
            said(&repeat(&format!("{}1%", "-=".repeat(384)), size))
        }),
        of(PART, "nearly-temporary-paths", |size| {
            said(&repeat("/var/folders/a/b/c/abcdef/tmp/", size))
        }),
        of(PART, "long-temporary-paths", |size| {
            said(&repeat(&format!("/tmp/{}", "a-".repeat(64)), size))
        }),
        of(PART, "colours", |size| said(&repeat("\u{1b}[31m1", size))),
        of(PART, "overwritten-lines", |size| {
            said(&repeat("10%\r", size))
        }),
        of(PART, "backslashes", |size| {
            said(&repeat("\\\\\\\\\\\\1", size))
        }),
        of(PART, "one-run-of-backslashes", |size| {
            said(&format!("{}u001b", "\\".repeat(size)))
        }),
        of(PART, "line-breaks-and-notes", |size| {
            said(&repeat("\n\n\n[unstuck] 1\n  2\n", size))
        }),
        of(PART, "uuid-groups", |size| {
            said(&repeat("abcd-1bcd-", size))
        }),
        of(PART, "members", |size| said_json(&members("id", size))),
        of(PART, "volatile-members", |size| {
            said_json(&repeat_array(r#"{"requestId":"aaaaaaaaaaaaaaaa"}"#, size))
        }),
        of(PART, "members-in-text", |size| {
            said(&repeat(r#""id": "1","pid":  -"#, size))
        }),
    ]
}

fn shell() -> Vec<Input> {
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

fn chant() -> Vec<Input> {
    const PART: &str = "chant";
    const ROUND: &str = "I should check whether the token is refreshed before the request is signed, because the order of these steps decides";
    vec![
        of(PART, "one-letter", |size| text(&"a".repeat(size))),
        of(PART, "random-letters", |size| {
            text(&random_words(size, 1, 1))
        }),
        of(PART, "random-words", |size| text(&random_words(size, 3, 9))),
        of(PART, "longest-period", |size| {
            text(&repeat(&random_words(1_007, 1, 7), size))
        }),
        of(PART, "period-beyond-the-longest", |size| {
            text(&repeat(&random_words(1_030, 1, 7), size))
        }),
        of(PART, "laps-that-break-off", |size| {
            let lap = random_words(60, 2, 5);
            text(&repeat(
                &format!("{}{}", lap.repeat(3), random_words(40, 2, 5)),
                size,
            ))
        }),
        of(PART, "four-periods-at-once", |size| {
            text(&repeat(
                &format!("{}{}", "ab".repeat(8), "ab ab abc".repeat(5)),
                size,
            ))
        }),
        of(PART, "paraphrases", |size| {
            let mut said = String::new();
            let mut at = 0;
            while said.len() < size {
                at += 1;
                let _ = write!(said, "{} {ROUND} {}. ", word(at), word(at * 7));
            }
            text(&said)
        }),
        of(PART, "passages-with-names", |size| {
            let mut said = String::new();
            let mut at = 0;
            while said.len() < size {
                at += 1;
                let _ = write!(said, "{ROUND} in src/{}.rs. ", word(at % 17));
            }
            text(&said)
        }),
        of(PART, "many-short-words", |size| {
            text(&random_words(size, 1, 2))
        }),
        of(PART, "signs", |size| text(&repeat("-=#|`* _:/", size))),
        of(PART, "code-blocks", |size| {
            text(&repeat("```\na\n```\n", size))
        }),
        of(PART, "tables", |size| text(&repeat("| a | 1 |\n", size))),
        of(PART, "ideographs", |size| {
            text(&repeat("\u{4e00}\u{4e8c}\u{4e09}", size))
        }),
        of(PART, "one-letter-an-event", |size| {
            let mut lines = Vec::new();
            let mut bytes = 0;
            while bytes < size {
                let line = json!({"event": "text", "text": "a"}).to_string();
                bytes += line.len();
                lines.push(line);
            }
            events(Vec::new(), lines)
        }),
        of(PART, "one-random-letter-an-event", |size| {
            let line = |letter: char| json!({"event": "text", "text": letter}).to_string();
            let letters = random_words(size / 27, 1, 5);
            events(Vec::new(), letters.chars().map(line).collect())
        }),
        of(PART, "short-turns", |size| {
            let said = json!({"event": "text", "text": ROUND}).to_string();
            let turn = json!({"event": "turn"}).to_string();
            let count = size / (said.len() + turn.len());
            events(
                Vec::new(),
                [said, turn].into_iter().cycle().take(2 * count).collect(),
            )
        }),
    ]
}

fn canonical_json() -> Vec<Input> {
    const PART: &str = "canonical JSON";
    fn deep(core: String) -> Load {
        let mut text = core;
        for _ in 0..126 {
            text = format!(r#"{{"b":{text},"a":0}}"#);
        }
        Load::Json(text)
    }
    vec![
        of(PART, "members-in-disorder", |size| {
            Load::Json(members("", size))
        }),
        of(PART, "members-with-equal-prefixes", |size| {
            Load::Json(members("aaaaaaaa", size))
        }),
        of(PART, "members-with-long-equal-prefixes", |size| {
            Load::Json(members(&"a".repeat(200), size))
        }),
        of(PART, "members-in-reverse", |size| {
            let count = size / 16;
            let all: Vec<String> = (0..count)
                .rev()
                .map(|at| format!(r#""aaaa{at:08}":0"#))
                .collect();
            Load::Json(format!("{{{}}}", all.join(",")))
        }),
        of(PART, "empty-names-of-escapes", |size| {
            let count = size / 24;
            let all: Vec<String> = (0..count)
                .map(|at| {
                    format!(
                        r#""\u0001\u00{:02x}{:x}":0"#,
                        32 + mixed(at as u64) % 64,
                        mixed(at as u64) >> 40
                    )
                })
                .collect();
            Load::Json(format!("{{{}}}", all.join(",")))
        }),
        of(PART, "duplicates", |size| {
            Load::Json(format!("{{{}\"a\":0}}", repeat(r#""b":0,"a":0,"#, size)))
        }),
        of(PART, "deep-objects-in-disorder", |size| {
            deep(format!(
                "\"{}\"",
                "a".repeat(size.saturating_sub(1_500).max(1))
            ))
        }),
        of(PART, "deep-and-wide", |size| {
            let one = format!("{}0{}", r#"{"b":"#.repeat(120), r#","a":0}"#.repeat(120));
            Load::Json(repeat_array(&one, size))
        }),
        of(PART, "wide-in-each-level", |size| {
            let mut text = String::from("0");
            let wide = members("", size / 120);
            let wide = &wide[1..wide.len() - 1];
            for _ in 0..120 {
                text = format!(r#"{{"zz":{text},{wide}}}"#);
            }
            Load::Json(text)
        }),
        of(PART, "small-objects-in-disorder", |size| {
            Load::Json(repeat_array(r#"{"b":0,"a":0}"#, size))
        }),
        of(PART, "arrays", |size| {
            let one = format!("{}{}", "[".repeat(120), "]".repeat(120));
            Load::Json(repeat_array(&one, size))
        }),
        of(PART, "surrogate-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\ud83d\ude00", size)))
        }),
        of(PART, "letter-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\u0061", size)))
        }),
        of(PART, "control-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\u0001", size)))
        }),
        of(PART, "line-breaks", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\n", size)))
        }),
        of(PART, "one-long-number", |size| {
            Load::Json(format!("0.{}", "7".repeat(size)))
        }),
        of(PART, "long-numbers", |size| {
            Load::Json(repeat_array(&format!("0.{}", "7".repeat(800)), size))
        }),
        of(PART, "nearly-halves", |size| {
            Load::Json(repeat_array(
                "9007199254740993.0000000000000000000000000000000001e-300",
                size,
            ))
        }),
        of(PART, "short-numbers", |size| {
            Load::Json(repeat_array("1e-5", size))
        }),
        of(PART, "blanks", |size| {
            Load::Json(format!("[0{}]", repeat(" \n", size)))
        }),
    ]
}

fn rewording() -> Vec<Input> {
    const PART: &str = "rewording";
    vec![
        of(PART, "many-words-in-queries", |size| {
            let mut random = 0;
            let mut query = || {
                random += 1;
                let words: Vec<String> = (0..600)
                    .map(|at| word(mixed(random * 1_000 + at)))
                    .collect();
                words.join(" ")
            };
            let texts: Vec<String> = (0..size.div_ceil(4_000)).map(|_| query()).collect();
            let args = texts
                .into_iter()
                .map(|text| json!({"query": text}))
                .collect::<Vec<_>>();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "one-letter-words", |size| {
            let count = size / 4_040;
            let args: Vec<_> = (0..count.max(1))
                .map(|at| json!({"query": random_words_of(4_000.min(size), 1, 1, at as u64)}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "ideographs-in-queries", |size| {
            let text: String = (0..1_300)
                .map(|at| char::from_u32(0x4e00 + (mixed(at) % 20_000) as u32).unwrap())
                .collect();
            let args: Vec<_> = (0..size.div_ceil(3_930))
                .map(|_| json!({"query": text}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "elements-of-queries", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_010))
                .map(|_| json!({"query": vec!["a"; 1_000]}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "queries-just-too-long", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_210))
                .map(|_| json!({"query": "a b ".repeat(1_050)}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "nearly-sentences", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_000))
                .map(|_| "1 ".repeat(2_000))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "one-tool-with-a-text", |size| {
            call("search", &json!(random_words(size, 2, 6)))
        }),
        of(PART, "groups-with-equal-frames", |size| groups(size, 24)),
        of(PART, "groups-with-near-equal-words", |size| {
            groups(size, 30)
        }),
        of(PART, "groups-with-few-equal-words", |size| groups(size, 8)),
        of(PART, "messages-to-agents", |size| {
            let line = |at: u64| {
                let text = format!("{} {}", random_words_of(300, 3, 7, 1), word(at));
                call_line(
                    at,
                    "send_message",
                    &json!({"recipient": "b", "message": text}),
                )
            };
            streamed(size, 200, line)
        }),
        of(PART, "a-long-message", |size| {
            call(
                "send_message",
                &json!({"recipient": "b", "message": random_words(size, 1, 6)}),
            )
        }),
    ]
}

/// Searches whose words are half the same, so that each is compared with all groups and belongs to none.
fn groups(size: usize, same: u64) -> Load {
    let shared: Vec<String> = (0..same).map(word).collect();
    let shared = shared.join(" ");
    streamed(size, 200, |at| {
        let own: Vec<String> = (0..48 - same)
            .map(|own| word(mixed(at * 64 + own)))
            .collect();
        let query = format!("{shared} {}", own.join(" "));
        call_line(at, "search", &json!({ "query": query }))
    })
}

fn index() -> Vec<Input> {
    const PART: &str = "index";
    const RANDOM: [u8; 16] = *b"\x8f\x1c\xa2\x77\x03\xd9\x5e\x40\xbb\x61\x9a\x2d\xe7\x14\xc8\x36";
    vec![
        of(PART, "distinct-calls", |size| {
            streamed(size, 1_000, |at| {
                call_line(at, "read_file", &json!({"path": word(at)}))
            })
        }),
        of(PART, "distinct-calls-ironcurtain", |size| {
            with(
                Preset::Ironcurtain,
                RANDOM,
                streamed(size, 70_000, |at| {
                    call_line(at, "read_file", &json!({"path": word(at)}))
                }),
            )
        }),
        of(PART, "distinct-calls-attocode", |size| {
            with(
                Preset::Attocode,
                RANDOM,
                streamed(size, 20_000, |at| {
                    call_line(at, "read_file", &json!({"path": word(at)}))
                }),
            )
        }),
        of(PART, "many-agents", |size| agents(size, [0; 16], word)),
        of(PART, "many-agents-random-key", |size| {
            agents(size, RANDOM, word)
        }),
        of(PART, "colliding-agents", |size| {
            agents(size, [0; 16], colliding)
        }),
        of(PART, "colliding-agents-random-key", |size| {
            agents(size, RANDOM, colliding)
        }),
        of(PART, "long-names", |size| {
            agents(size, RANDOM, |at| format!("{}{at}", "a".repeat(400)))
        }),
        of(PART, "waiting-calls", |size| {
            streamed(size, 1_000, |at| {
                json!({"event": "call", "id": format!("aaaaaaaaaaaaaaaa{at}"), "tool": "read", "args": {}}).to_string()
            })
        }),
    ]
}

/// Events of many agents in turn, all of which are known already or have been forgotten.
fn agents(size: usize, key: [u8; 16], name: fn(u64) -> String) -> Load {
    /// More than an engine watches at a time.
    const AGENTS: u64 = 9_000;
    thread_local! {
        static NAMES: std::cell::RefCell<std::collections::BTreeMap<usize, Vec<String>>> = const { std::cell::RefCell::new(std::collections::BTreeMap::new()) };
    }
    let names = NAMES.with_borrow_mut(|all| {
        all.entry(name as usize)
            .or_insert_with(|| (0..AGENTS).map(name).collect())
            .clone()
    });
    let line = |at: u64| {
        let session = &names[(at % AGENTS) as usize];
        json!({"event": "turn", "session": session}).to_string()
    };
    with(Preset::Standard, key, streamed(size, AGENTS, line))
}

/// Names that one table looks for in one place, without a key.
fn colliding(at: u64) -> String {
    thread_local! {
        static NEXT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
    if at == 0 {
        NEXT.set(0);
    }
    // 9,000 names in 64 places of 16,384.
    loop {
        let name = NEXT.get();
        NEXT.set(name + 1);
        let name = format!("{name}");
        let mut hasher = SipHasher13::new_with_keys(0, 0);
        hasher.write(name.as_bytes());
        hasher.write_u8(0xff);
        hasher.write(b"main");
        if place_without_key(hasher.finish()) & 16_383 < 64 {
            return name;
        }
    }
}

/// As the engine's tables do it, with a key of zeros.
fn place_without_key(mark: u64) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |one: u64, other: u64| {
        let product = u128::from(one) * u128::from(other);
        (product as u64) ^ ((product >> 64) as u64)
    };
    fold(fold(mark ^ GOLDEN, GOLDEN | 1), GOLDEN)
}

fn facts() -> Vec<Input> {
    const PART: &str = "facts of results";
    vec![
        of(PART, "panics", |size| failed(&repeat("panic: \n", size))),
        of(PART, "threads", |size| {
            failed(&repeat("thread 'a' panicked at 'b\n", size))
        }),
        of(PART, "stack-traces", |size| {
            failed(&repeat("Stack trace:\n", size))
        }),
        of(PART, "tracebacks", |size| {
            failed(&repeat("Traceback (most recent call last\n", size))
        }),
        of(PART, "exceptions", |size| {
            failed(&format!(
                "Traceback (most recent call last)\n{}",
                repeat("a.a.a b\n", size)
            ))
        }),
        of(PART, "frames", |size| failed(&repeat(" at a b\n", size))),
        of(PART, "ruby", |size| {
            failed(&repeat("a.rb:1:in 'a'\n", size))
        }),
        of(PART, "carriage-returns", |size| {
            failed(&repeat("\r\r\r\r\n", size))
        }),
        of(PART, "signs-in-a-message", |size| {
            failed(&repeat("-", size))
        }),
        of(PART, "quotes-in-a-message", |size| {
            failed(&repeat("' `\"a", size))
        }),
        of(PART, "labels-in-a-message", |size| {
            failed(&repeat("error:", size))
        }),
        of(PART, "tags", |size| failed(&repeat("<aaaa>\n", size))),
        of(PART, "messages-in-objects", |size| {
            let one = format!("{}[]{}", r#"{"stdout":"#.repeat(60), "}".repeat(60));
            result(
                "error",
                &format!(
                    r#"{{"a":{},"stdout":{{"stdout":{{"stdout":[]}}}}}}"#,
                    repeat_array(&one, size)
                ),
            )
        }),
        of(PART, "refusals", |size| {
            failed(&repeat("error: unknown too is require", size))
        }),
        of(PART, "polls", |size| {
            said(&repeat("still runnin in progres ", size))
        }),
        of(PART, "tests-that-failed", |size| {
            tested(&repeat("1 failed ", size))
        }),
        of(PART, "names-of-tests", |size| {
            let mut text = String::new();
            let mut at = 0;
            while text.len() < size {
                at += 1;
                let _ = writeln!(text, "FAILED a::{:x}", mixed(at));
            }
            tested(&text)
        }),
        of(PART, "labels-of-runners", |size| {
            tested(&repeat("Failures:            ", size))
        }),
        of(PART, "edits", |size| {
            let old = repeat("a\n", size / 2);
            call(
                "edit",
                &json!({"path": "a", "old_string": old, "new_string": format!("{old}b")}),
            )
        }),
        of(PART, "writes", |size| {
            call(
                "write",
                &json!({"path": "a", "content": repeat("a\"", size)}),
            )
        }),
        of(PART, "a-long-path", |size| {
            call("read", &json!({"path": repeat("a/", size)}))
        }),
        of(PART, "many-arguments", |size| {
            let args: serde_json::Map<String, serde_json::Value> = (0..size / 14)
                .map(|at| (format!("f{at:08}"), json!(0)))
                .collect();
            call("read", &args.into())
        }),
    ]
}

fn redaction() -> Vec<Input> {
    const PART: &str = "redaction";
    fn text(unit: &str, size: usize) -> Load {
        Load::Redact(repeat(unit, size))
    }
    vec![
        of(PART, "names-without-values", |size| text("password ", size)),
        of(PART, "names-and-signs", |size| text("password=", size)),
        of(PART, "names-in-quotes", |size| text("password: \"", size)),
        of(PART, "quotes", |size| text("token='\\\"", size)),
        of(PART, "addresses", |size| text("https://a:", size)),
        of(PART, "at-signs", |size| text("a:b@c@", size)),
        of(PART, "options", |size| text("--password -u a ", size)),
        of(PART, "prefixes", |size| text("ghp_sk-AKIAxoxb-", size)),
        of(PART, "keys", |size| {
            text("-----BEGIN PRIVATE KEY-----\n", size)
        }),
        of(PART, "digits", |size| text("4111 ", size)),
        of(PART, "long-digits", |size| text("4", size)),
        of(PART, "letters-and-digits", |size| text("aB3", size)),
        of(PART, "hexadecimal", |size| text("0a1b2c3d-", size)),
        of(PART, "dots", |size| text("eyJ.", size)),
        of(PART, "dollars", |size| text("${a:-$", size)),
        of(PART, "commands", |size| text("curl -u mysql -p ", size)),
        of(PART, "foreign-names", |size| {
            text("contraseña: пароль ", size)
        }),
        of(PART, "uncovered-again", |size| {
            text("password=password=a ", size)
        }),
        of(PART, "headers-on-one-line", |size| {
            text("Authorization: Basic a1b2c3 ", size)
        }),
        of(PART, "long-values", |size| text("pin=", size)),
        of(PART, "values-with-signs", |size| text("key:$", size)),
        of(PART, "equals", |size| text("a=b&", size)),
        of(PART, "base64", |size| {
            text("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", size)
        }),
    ]
}

fn repeat(unit: &str, size: usize) -> String {
    unit.repeat((size / unit.len()).max(1))
}

fn repeat_array(unit: &str, size: usize) -> String {
    let all = vec![unit; (size / (unit.len() + 1)).max(1)];
    format!("[{}]", all.join(","))
}

/// An object whose members are in no order.
fn members(prefix: &str, size: usize) -> String {
    let each = prefix.len() + 16;
    let all: Vec<String> = (0..(size / each).max(1))
        .map(|at| format!(r#""{prefix}{:010x}":0"#, mixed(at as u64) >> 24))
        .collect();
    format!("{{{}}}", all.join(","))
}

thread_local! {
    static VARIANT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Makes all inputs from now on with other random numbers.
pub(crate) fn vary(number: usize) {
    VARIANT.set((number as u64) << 48);
}

/// A number that looks drawn at random.
fn mixed(number: u64) -> u64 {
    let mut mixed = (number ^ VARIANT.get())
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A word of letters, one for each number.
fn word(number: u64) -> String {
    let mut rest = number;
    let mut word = String::from("q");
    loop {
        word.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
        if rest == 0 {
            return word;
        }
    }
}

/// Words of so many letters.
fn random_words(size: usize, shortest: usize, longest: usize) -> String {
    random_words_of(size, shortest, longest, 0)
}

fn random_words_of(size: usize, shortest: usize, longest: usize, seed: u64) -> String {
    let mut text = String::with_capacity(size + longest);
    let mut at = seed << 32;
    while text.len() < size {
        at += 1;
        let length = shortest + mixed(at) as usize % (longest - shortest + 1);
        for letter in 0..length {
            let drawn = mixed(at << 8 | letter as u64);
            text.push(char::from(b'a' + (drawn % 26) as u8));
        }
        text.push(' ');
    }
    text
}

fn events(before: Vec<String>, lines: Vec<String>) -> Load {
    Load::Events {
        key: [0; 16],
        preset: Preset::Standard,
        before,
        lines,
    }
}

/// Lines of so many bytes, after so many that do not count.
fn streamed(size: usize, before: u64, line: impl Fn(u64) -> String) -> Load {
    let first = (0..before).map(&line).collect();
    let mut lines = VecDeque::new();
    let mut bytes = 0;
    while bytes < size {
        let next = line(before + lines.len() as u64);
        bytes += next.len();
        lines.push_back(next);
    }
    events(first, lines.into())
}

fn with(to: Preset, by: [u8; 16], load: Load) -> Load {
    match load {
        Load::Events { before, lines, .. } => Load::Events {
            key: by,
            preset: to,
            before,
            lines,
        },
        other => other,
    }
}

fn call_line(id: u64, tool: &str, args: &serde_json::Value) -> String {
    json!({"event": "call", "id": id.to_string(), "tool": tool, "args": args}).to_string()
}

/// One call.
fn call(tool: &str, args: &serde_json::Value) -> Load {
    events(Vec::new(), vec![call_line(1, tool, args)])
}

/// One result, as JSON.
fn result(status: &str, output: &str) -> Load {
    let line = format!(r#"{{"event":"result","id":"1","status":"{status}","output":{output}}}"#);
    events(vec![call_line(1, "get", &json!({"a": 1}))], vec![line])
}

fn said_json(output: &str) -> Load {
    result("ok", output)
}

/// One result, as text.
fn said(output: &str) -> Load {
    result("ok", &json!(output).to_string())
}

fn failed(output: &str) -> Load {
    result("error", &json!(output).to_string())
}

/// The result of a test run without an exit code.
fn tested(output: &str) -> Load {
    let line = json!({"event": "result", "id": "1", "status": "ok", "output": output}).to_string();
    events(
        vec![call_line(1, "Bash", &json!({"command": "pytest"}))],
        vec![line],
    )
}

/// What a model says in one event.
fn text(said: &str) -> Load {
    events(
        Vec::new(),
        vec![json!({"event": "text", "text": said}).to_string()],
    )
}
