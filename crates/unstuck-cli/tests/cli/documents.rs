//! Facts in the documentation that the code decides: exit codes, the schema of snapshots, what presets miss.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::run::Place;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a page")
}

/// Numbers that directly follow a text.
fn numbers_after(text: &str, start: &str) -> BTreeSet<u32> {
    let parts = text.split(start).skip(1);
    parts
        .filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[..end].parse().ok()
        })
        .collect()
}

fn sources(directory: &Path, into: &mut String) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            *into += &fs::read_to_string(&path).expect("a source");
        }
    }
}

#[test]
fn the_exit_codes_of_the_page_are_those_of_the_code() {
    let mut code = String::new();
    for entry in fs::read_dir(root().join("crates")).expect("crates") {
        let entry = entry.expect("a crate");
        // The evaluation is another program.
        if entry.file_name() != "unstuck-eval" {
            let directory = entry.path().join("src");
            if directory.is_dir() {
                sources(&directory, &mut code);
            }
        }
    }
    let mut used = numbers_after(&code, "ExitCode::from(");
    used.extend(numbers_after(&code, "INTERRUPTED: u8 = "));
    used.extend([0, 1]); // `SUCCESS` and `FAILURE`
    let listed: BTreeSet<u32> = page("docs/exit-codes.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok())
        .collect();
    assert_eq!(listed, used);
    let versioning = page("VERSIONING.md");
    let all = "| 0, 1, 2 and 130, with the meanings on the page [exit codes](docs/exit-codes.md)";
    assert!(versioning.contains(all));
    assert_eq!(used, BTreeSet::from([0, 1, 2, 130]));
}

#[test]
fn the_changelog_has_the_schema_of_snapshots() {
    // `cargo xtask generate` writes this one.
    let schema = numbers_after(&page("VERSIONING.md"), "Snapshots have schema ");
    let changelog = page("CHANGELOG.md");
    let (newest, _) = changelog.split_once("\n## 0.").unwrap_or((&changelog, ""));
    assert_eq!(schema.len(), 1);
    assert_eq!(numbers_after(newest, "snapshots of schema "), schema);
    assert_eq!(numbers_after(newest, "snapshots schema "), schema);
}

#[test]
fn the_readme_is_short() {
    assert!(page("README.md").lines().count() <= 150);
}

#[test]
fn the_readme_counts_the_vectors_of_the_presets() {
    let presets = ["attocode", "attractor", "ironcurtain", "tool-loop-detector"];
    let vectors: usize = presets
        .map(|preset| page(&format!("conformance/{preset}.jsonl")).lines().count())
        .iter()
        .sum();
    let sentence = format!("reproduce earlier loop detectors; {vectors} test vectors check that.");
    assert!(page("README.md").contains(&sentence), "{sentence}");
}

/// Words that name no thing, with which a page or a help text may not speak of one. CONTRIBUTING.md lists some of them.
const VAGUE: [&str; 8] = [
    "whoever",
    "nobody",
    "somebody",
    "what came back",
    "is told",
    "was told",
    "were told",
    "tells of",
];

#[test]
fn pages_and_help_name_the_thing() {
    let mut files = vec![
        "README.md".into(),
        "CHANGELOG.md".into(),
        "DESIGN.md".into(),
        "SECURITY.md".into(),
    ];
    for directory in ["docs", "docs/adr", "docs/guide", "docs/rules", "man"] {
        for entry in fs::read_dir(root().join(directory)).expect("pages") {
            let path = entry.expect("a page").path();
            let name = path.strip_prefix(root()).expect("a page");
            if path.is_file() {
                files.push(name.to_str().expect("text").to_owned());
            }
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    let mut found = Vec::new();
    for file in &files {
        let text = page(file).replace('\n', " ").to_lowercase();
        let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let text = words.join(" ");
        for vague in VAGUE {
            if format!(" {text} ").contains(&format!(" {vague} ")) {
                found.push(format!("{file}: {vague}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Events of one agent. Calls have a result and end a turn.
#[derive(Default)]
struct Stream {
    lines: Vec<Value>,
    /// Milliseconds between two calls.
    pace: u64,
}

impl Stream {
    fn new() -> Self {
        Self {
            pace: 10_000,
            ..Self::default()
        }
    }

    fn at(&self) -> u64 {
        self.lines.len() as u64 * self.pace
    }

    fn call(&mut self, tool: &str, args: impl Into<Value>, output: &str) {
        let (id, at) = (self.lines.len(), self.at());
        let args: Value = args.into();
        self.lines
            .push(json!({"event": "call", "at": at, "id": id, "tool": tool, "args": args}));
        self.lines
            .push(json!({"event": "result", "at": at, "id": id, "output": output}));
        self.lines.push(json!({"event": "turn", "at": at}));
    }

    fn text(&mut self, text: &str) {
        self.lines.push(json!({"event": "text", "text": text}));
        self.lines.push(json!({"event": "turn"}));
    }

    /// Strictest verdict, from 0 for allow to 3 for halt.
    fn strictest(&self, place: &Place, preset: &str) -> usize {
        let lines: Vec<_> = self.lines.iter().map(Value::to_string).collect();
        let text = lines.join("\n");
        let args = ["check", "--no-config", "--preset", preset];
        let ran = place.run_with(&args, text.as_bytes());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let verdicts = ["allow", "nudge", "deny", "halt"];
        let of = |line: &str| {
            let decision: Value = serde_json::from_str(line).expect("JSON");
            let verdict = decision["verdict"].as_str().expect("a verdict").to_owned();
            verdicts.iter().position(|known| *known == verdict)
        };
        ran.out.lines().filter_map(of).max().expect("a decision")
    }
}

/// A loop for each line under "Misses", by preset and line.
fn missed() -> BTreeMap<(&'static str, &'static str), Stream> {
    let mut cases = BTreeMap::new();
    let mut add = |preset, miss, fill: &dyn Fn(&mut Stream)| {
        let mut stream = Stream::new();
        fill(&mut stream);
        assert!(cases.insert((preset, miss), stream).is_none(), "{miss}");
    };
    let file = |name: &str| json!({ "path": name });
    let chant = |stream: &mut Stream| {
        stream.text(&"I will now look at the failing test again. ".repeat(40));
    };

    add(
        "standard",
        "repeats of calls without results, unless they are a burst",
        &|stream| {
            for number in 0..15 {
                let at = number * 10_000;
                stream.lines.push(
                    json!({"event": "call", "at": at, "id": number, "tool": "read", "args": {"path": "a"}}),
                );
                stream.lines.push(json!({"event": "turn", "at": at}));
            }
        },
    );
    add(
        "standard",
        "loops of more than 128 different calls",
        &|stream| {
            for number in 0..600 {
                let name = format!("f{}", number % 200);
                stream.call(
                    "edit",
                    json!({"path": name, "text": name}),
                    &format!("edited {name}"),
                );
            }
        },
    );
    add(
        "standard",
        "results that change in ways that it neither knows nor learns",
        &|stream| {
            for result in [
                "The wind is calm and the sea is flat today.",
                "Rain falls on the hills since early morning.",
                "A clear night with many stars over the bay.",
                "Fog covers the harbour and ships are waiting.",
                "Snow is expected in the valley this evening.",
                "Warm air moves north along the western coast.",
                "Clouds break up slowly behind the mountains.",
            ] {
                stream.call("weather", file("bay"), result);
            }
        },
    );
    add("standard", "single words replaced by synonyms", &|stream| {
        for word in ["car", "automobile", "vehicle", "auto"] {
            stream.call("search", json!({ "query": word }), "[]");
        }
    });
    add(
        "standard",
        "repetition inside code, lists and tables",
        &|stream| {
            let code = "```python\n".to_owned() + &"    total = total + 1\n".repeat(60) + "```\n";
            stream.text(&code);
        },
    );
    add("standard", "the same thought in new words", &|stream| {
        stream.text(
            "The cache must be the cause of this. I think stale entries explain what we see. Old values that were \
             never evicted are probably to blame. Something kept in memory for too long seems to be behind it. Most \
             likely an outdated record is served again and again. It looks as if expired data is still handed out.",
        );
    });

    add(
        "ironcurtain",
        "slow loops of calls: only results of steps are compared",
        &|stream| {
            for _ in 0..40 {
                stream.call("read", file("a"), "same");
            }
        },
    );
    add(
        "ironcurtain",
        "steps whose output differs in a time or an id: everything is compared byte by byte",
        &|stream| {
            for second in 0..20 {
                stream.lines.push(json!({
                    "event": "step", "code": "deploy()", "output": format!("failed at 12:00:{second:02}"),
                }));
            }
        },
    );
    add("ironcurtain", "failing tests", &|stream| {
        for number in 0..10 {
            stream.call("edit", json!({"path": "a", "text": number}), "ok");
            stream.call("bash", json!({"command": "pytest"}), "1 failed: test_login");
        }
    });
    add("ironcurtain", "repeated text", &chant);
    add("ironcurtain", "loops of a swarm", &|stream| {
        for number in 0..24 {
            let agent = format!("worker-{}", number % 3);
            let at = number * 10_000;
            stream.lines.push(json!({"event": "call", "agent": agent, "at": at, "id": number, "tool": "read", "args": {"path": "a"}}));
            stream.lines.push(json!({"event": "result", "agent": agent, "at": at, "id": number, "status": "error", "output": "none"}));
        }
    });

    add("attractor", "cycles of four calls and more", &|stream| {
        for _ in 0..6 {
            for name in ["a", "b", "c", "d"] {
                stream.call("read", file(name), "same");
            }
        }
    });
    add("attractor", "cycles whose arguments vary", &|stream| {
        for number in 0..8 {
            stream.call("read", file(&format!("a{number}")), "same");
            stream.call("list", file(&format!("b{number}")), "same");
        }
    });
    add("attractor", "repeated text", &chant);

    add(
        "attocode",
        "repeats with another call in between",
        &|stream| {
            for number in 0..8 {
                stream.call("read", file("a"), "same");
                stream.call("list", json!({ "depth": number }), "same");
            }
        },
    );
    add("attocode", "cycles", &|stream| {
        for _ in 0..6 {
            stream.call("read", file("a"), "same");
            stream.call("list", file("b"), "same");
        }
    });
    add("attocode", "commands with another spelling", &|stream| {
        for command in ["ls -la src", "ls -al src", "ls -l -a src"] {
            stream.call("shell", json!({ "command": command }), "same");
        }
    });

    add(
        "tool-loop-detector",
        "calls whose arguments vary",
        &|stream| {
            for number in 0..10 {
                stream.call("search", json!({"query": "cause", "try": number}), "none");
            }
        },
    );
    add(
        "tool-loop-detector",
        "repeats more than 20 calls apart",
        &|stream| {
            for round in 0..4 {
                stream.call("read", file("a"), "same");
                for number in 0..20 {
                    stream.call("read", file(&format!("{round}-{number}")), "same");
                }
            }
        },
    );
    cases
}

/// The lines under "Misses" of the page, by preset.
fn listed() -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let (mut preset, mut is_list) = (String::new(), false);
    for line in page("docs/guide/presets.md").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.trim_matches('`').clone_into(&mut preset);
            is_list = false;
        }
        is_list |= line == "Misses:";
        if let Some(miss) = line.strip_prefix("- ").filter(|_| is_list) {
            found.insert((preset.clone(), miss.to_owned()));
        }
    }
    found
}

#[test]
fn presets_miss_what_their_page_lists() {
    let cases = missed();
    let tested: BTreeSet<_> = cases
        .keys()
        .map(|(preset, miss)| ((*preset).to_owned(), (*miss).to_owned()))
        .collect();
    assert_eq!(listed(), tested);
    let place = Place::new("documents-presets");
    let found: Vec<_> = cases
        .iter()
        .filter(|((preset, _), stream)| stream.strictest(&place, preset) > 0)
        .map(|(case, _)| case)
        .collect();
    assert!(found.is_empty(), "not missed: {found:?}");
}

/// Shows that the streams above are missed for the reason that the page gives.
#[test]
fn shorter_and_equal_loops_are_found() {
    let place = Place::new("documents-found");
    let mut short = Stream::new();
    for number in 0..600 {
        let name = format!("f{}", number % 100);
        short.call(
            "edit",
            json!({"path": name, "text": name}),
            &format!("edited {name}"),
        );
    }
    let mut equal = Stream::new();
    for _ in 0..4 {
        equal.call("search", json!({"query": "car"}), "[]");
    }
    for stream in [short, equal] {
        assert!(stream.strictest(&place, "standard") > 0);
    }
}

#[test]
fn attocode_never_halts() {
    let mut stream = Stream::new();
    for _ in 0..60 {
        stream.call("read", json!({"path": "a"}), "same");
    }
    let place = Place::new("documents-attocode");
    assert_eq!(stream.strictest(&place, "attocode"), 2);
}
