//! What redaction costs on short texts as tools are given: paths, commands, prose, JSON, code and ids.
//!
//! ```text
//! cargo run --release -p unstuck-text --example cost              nanoseconds per text, by kind
//! cargo run --release -p unstuck-text --example cost -- prose 60  sixty rounds over one kind, for counting instructions
//! ```
//!
//! Instructions per text are the difference between two runs under `valgrind --tool=callgrind`, one of ten rounds and one
//! of sixty, divided by fifty times the number of texts. That number is the same on every run; times are not.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "it measures time, takes arguments and prints a report; the crate does none of that"
)]

use std::{hint::black_box, time::Instant};

use unstuck_text::{names_a_secret, redact};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let only = arguments.next();
    if let (Some(only), Some(rounds)) = (&only, arguments.next()) {
        for _ in 0..rounds.parse().unwrap_or(1) {
            round(only);
        }
        return;
    }
    for kind in TEXTS.iter().map(|(kind, _)| *kind).chain(["name"]) {
        const ROUNDS: u32 = 2_000;
        let best = (0..5).map(|_| {
            let start = Instant::now();
            let texts: u32 = (0..ROUNDS).map(|_| round(kind)).sum();
            start.elapsed() / texts
        });
        println!(
            "{kind:5} {:6} ns",
            best.min().unwrap_or_default().as_nanos()
        );
    }
}

/// Redacts every text of a kind, or of all kinds, once. Returns how many there are.
fn round(kind: &str) -> u32 {
    let mut texts = 0;
    if kind == "name" {
        for name in NAMES {
            black_box(names_a_secret(black_box(name)));
            texts += 1;
        }
    }
    for text in TEXTS
        .iter()
        .filter(|(of, _)| kind == "all" || *of == kind)
        .flat_map(|(_, texts)| *texts)
    {
        black_box(redact(black_box(text)));
        texts += 1;
    }
    texts
}

/// Arguments as agents give them to tools. None holds a secret.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "path",
        &[
            "src/main.rs",
            "/home/joe/projects/shop/src/auth/login_handler.py",
            "crates/unstuck-text/src/redact/words.rs",
            "/workspace/frontend/components/UserProfileCard.test.tsx",
            "C:\\Users\\joe\\Documents\\report.docx",
            "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
            "tests/test_parser_numbers.py::test_large_numbers",
            "/var/log/nginx/access.log.1",
            "docs/adr/0043-locks-after-a-panic.md",
            "~/.config/unstuck/config.toml",
        ],
    ),
    (
        "shell",
        &[
            "cargo test -p unstuck-text --all-targets",
            "git commit -m 'fix the parser of numbers'",
            "ls -la /tmp && cat /etc/hosts | grep local",
            "pytest tests/test_parser.py -x -q --maxfail=1",
            "docker run --rm -p 8080:80 -v /tmp:/tmp nginx:1.25",
            "npm install --save-dev typescript eslint",
            "grep -rn \"fn redact\" crates/ --include='*.rs' | head -20",
            "cd /workspace/app && python manage.py migrate --noinput 2>&1 | tail -n 5",
            "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l | sort -n",
            "curl -s https://api.example.com/v1/items?page=2&limit=50 | jq '.items[0].id'",
            "sed -n '120,180p' src/engine/session.rs",
            "echo done > /tmp/out.txt; kubectl get pods -n staging -o wide",
        ],
    ),
    (
        "prose",
        &[
            "read the file and summarise it",
            "Please fix the failing test in the login module and run the whole suite again.",
            "The quick brown fox jumps over the lazy dog.",
            "How do I configure the retry policy for HTTP requests in the client?",
            "I looked at the error message: the connection was refused because the server had not started yet, so I waited five seconds and tried it again.",
            "search for recent papers on retrieval augmented generation 2025",
            "Add a section about limits to the README, then open a pull request.",
            "Customer asked for a refund of order 48213; the parcel arrived damaged on 2026-11-02.",
            "weather in Berlin tomorrow afternoon",
            "Implement pagination: the endpoint returns at most 50 items per page, and a cursor for the next page. Keep the old parameters working for one more release.",
        ],
    ),
    (
        "json",
        &[
            "{\"path\": \"src/lib.rs\", \"line\": 12, \"text\": \"hello world\"}",
            "{\"query\":\"SELECT id, name FROM customers WHERE created_at > '2026-01-02T03:04:05Z'\"}",
            "[{\"id\":1,\"name\":\"alpha\",\"done\":false},{\"id\":2,\"name\":\"beta\",\"done\":true}]",
            "{\"url\":\"https://example.com/docs/getting-started?page=2&limit=50\",\"timeout\":30}",
            "{\"command\":\"cargo build\",\"cwd\":\"/workspace\",\"env\":{\"RUST_LOG\":\"debug\"}}",
            "{\"status\":\"ok\",\"count\":3,\"items\":[\"a\",\"b\",\"c\"]}",
        ],
    ),
    (
        "code",
        &[
            "fn main() { let config = Config::load(\"app.toml\")?; println!(\"{config:?}\"); }",
            "SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id LIMIT 10",
            "def parse(self, text: str, limit: int = 10) -> list[str]:\n    return text.split()[:limit]",
            "const { data, error } = await client.from('users').select('id, email').eq('active', true);",
            "    if (response.status !== 200) { throw new Error(`HTTP ${response.status}`); }",
            "self.assertEqual(len(result.items), 3)",
            "import { useState, useEffect } from 'react';",
        ],
    ),
    (
        "id",
        &[
            "mcp__filesystem__read_multiple_files",
            "1234567890",
            "2026-11-15T10:20:30Z",
            "InternationalizationController",
            "https://example.com/a/b",
            "joe@example.com",
            "utf-8",
            "claude-sonnet-4-5",
        ],
    ),
];
/// Names of such arguments.
const NAMES: &[&str] = &[
    "path",
    "command",
    "file_path",
    "query",
    "url",
    "old_string",
    "new_string",
    "timeout",
    "limit",
    "description",
    "pattern",
    "content",
    "max_results",
    "includeHidden",
    "id",
    "name",
];
