use super::*;

#[test]
fn other_syntaxes_are_recognised_with_what_to_write() {
    for (pattern, help) in [
        ("{bash,sh}", "one `[[tools]]` entry for each name"),
        ("bash|sh", "one `[[tools]]` entry for each name"),
        ("mcp__.*", "write `mcp__*`"),
        ("mcp__git.*", "write `mcp__git*`"),
        ("^Bash$", "write `Bash`"),
        ("Bash(npm test)", "write `Bash`"),
        ("Bash(npm run test:*)", "write `Bash`"),
        ("[abc", "no character classes"),
        ("[a-z]*", "no character classes"),
    ] {
        let found = foreign_pattern(pattern).unwrap_or_default();
        assert!(found.contains(help), "{pattern}: {found}");
    }
}

#[test]
fn names_and_wildcards_are_left_alone() {
    for pattern in [
        "Bash",
        "*",
        "mcp__*__sleep",
        "read_?ile",
        "browser.*",
        "server:tool",
        "tool-name",
        "ls (safe)",
    ] {
        assert_eq!(foreign_pattern(pattern), None, "{pattern}");
    }
}
