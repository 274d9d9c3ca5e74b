//! What it costs to look into a command.
//!
//! `cargo bench -p unstuck-shell`

#![allow(missing_docs, reason = "a bench")]

use unstuck_shell::{Script, understand};

const COMMANDS: [(&str, &str); 8] = [
    ("plain", "ls -la src"),
    ("read", "sed -n '100,150p' src/engine/parse.rs"),
    ("paged", "nl -ba src/engine/parse.rs | sed -n '100,150p'"),
    (
        "search",
        "grep -rn \"def resolve_expression\" django/db/models --include='*.py' | head -20",
    ),
    (
        "tests",
        "cd /repo && timeout 60 python -m pytest -xvs tests/test_a.py::test_b 2>&1 | tail -40",
    ),
    (
        "code",
        "python3 -c \"import sys; from a import b; print(b(sys.argv))\"",
    ),
    (
        "shell",
        "bash -lc 'cd /repo && cargo test -p engine -- --nocapture 2>&1 | tail -5'",
    ),
    (
        "document",
        "cat > reproduce.py <<'EOF'\nimport django\nfrom django.conf import settings\n\nsettings.configure()\ndjango.setup()\nprint(settings.DEBUG)\nEOF\npython3 reproduce.py",
    ),
];

fn main() {
    divan::main();
}

#[divan::bench(args = COMMANDS.map(|(name, _)| name))]
fn look(bencher: divan::Bencher<'_, '_>, name: &str) {
    let command = text(name);
    bencher.bench(|| understand(divan::black_box(command), None));
}

#[divan::bench(args = COMMANDS.map(|(name, _)| name))]
fn parse(bencher: divan::Bencher<'_, '_>, name: &str) {
    let command = text(name);
    bencher.bench(|| Script::parse(divan::black_box(command)));
}

fn text(name: &str) -> &'static str {
    let known = COMMANDS.iter().find(|(known, _)| *known == name);
    known.map_or("", |(_, command)| command)
}
