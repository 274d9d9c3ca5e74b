use super::*;
use crate::Settings;

#[test]
fn stars_and_question_marks_match_as_in_file_names() {
    let cases = [
        ("bash", "bash", true),
        ("bash", "Bash", false),
        ("*", "", true),
        ("*", "anything", true),
        ("fs__*", "fs__read", true),
        ("fs__*", "xfs__read", false),
        ("*read*", "fs__read_file", true),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false),
        ("", "", true),
        ("", "x", false),
    ];
    for (pattern, name, expected) in cases {
        assert_eq!(
            ToolPattern::new(pattern).matches(name),
            expected,
            "{pattern} {name}"
        );
    }
}

#[test]
fn a_hostile_pattern_does_not_take_for_ever() {
    let pattern = ToolPattern::new("*a".repeat(200) + "b");
    assert!(!pattern.matches(&"a".repeat(2_000)));
}

#[test]
fn examples_that_fail_are_named() {
    let mut entry = ToolSettings::new("kubectl_*");
    entry.examples = vec!["kubectl_get".into(), "kubectl".into()];
    entry.counter_examples = vec!["helm".into(), "kubectl_delete".into()];
    let failed: Vec<&str> = entry.failed_examples().collect();
    assert_eq!(failed, ["kubectl", "kubectl_delete"]);
}

#[test]
fn entries_that_can_never_apply_are_reported() {
    let mut exempt = ToolSettings::new("bash");
    exempt.exempt = true;
    exempt.key_fields = vec!["command".into()];
    let settings = Settings {
        tools: vec![ToolSettings::new("b*"), exempt, ToolSettings::new("")],
        ..Settings::default()
    };
    let warnings: Vec<_> = settings
        .load_warnings()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        warnings,
        [
            "tools[1].tool: `bash` can never apply, because the earlier entry `b*` matches first",
            "tools[1].key_fields: `key_fields` has no effect, because `bash` is exempt",
            "tools[2].tool: an empty pattern matches no tool",
        ]
    );
}
