use std::time::{Duration, Instant};

use super::{Lost, Objects};

/// The objects of a text, each as `line: text`, and what was lost.
fn found(text: &str) -> (Vec<String>, Vec<u64>) {
    let mut objects = Objects::default();
    let (mut found, mut lost) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1..) {
        let each = &mut |object: super::Object<'_>| {
            let text = std::str::from_utf8(object.text).unwrap().replace('\n', "");
            found.push(format!("{}: {text}", object.line));
        };
        if let Err(Lost { line }) = objects.line(number, line.as_bytes(), each) {
            lost.push(line);
        }
    }
    (found, lost)
}

#[test]
fn objects_are_found_behind_prefixes_of_every_kind() {
    for prefix in [
        "",
        "123:",
        "[2026-03-01 09:00:00] [INFO] ",
        "2026-03-01T09:00:00.1234567Z ",
        "agent | ",
        "\u{1b}[32mINFO\u{1b}[0m {job} ",
        "{\"a\":1} ",
    ] {
        let (found, lost) = found(&format!("{prefix}{{\"b\":\"}}\"}} done"));
        assert_eq!(found.last().unwrap(), "1: {\"b\":\"}\"}", "{prefix}");
        assert_eq!(lost, [0; 0], "{prefix}");
    }
}

#[test]
fn objects_over_many_lines_are_put_together_with_and_without_their_prefix() {
    for prefix in ["", "9", "[09:59:59] [INFO] "] {
        let mut text = String::new();
        for (line, number) in [
            "{",
            "  \"a\": [",
            "    1,",
            "    {\"b\": \"x\"}",
            "  ]",
            "}",
        ]
        .iter()
        .zip(9..)
        {
            let prefix = match prefix {
                "9" => format!("{number}:"),
                prefix => prefix.to_owned(),
            };
            text.extend([&*prefix, line, "\n"]);
        }
        let (found, lost) = found(&text);
        assert_eq!(found.len(), 1, "{text}");
        let whole: String = found[0].split_whitespace().collect();
        assert_eq!(whole, "1:{\"a\":[1,{\"b\":\"x\"}]}", "{text}");
        assert_eq!(lost, [0; 0]);
    }
}

#[test]
fn what_is_not_json_is_passed_over_and_what_an_agent_did_not_finish_is_reported() {
    let text = "starting {\nfn main() {\n  {\n{\"type\":\"a\",\"x\":\"cut\n{\"type\":\"b\"}\n{\n\"type\": 1,\n{\"type\":\"c\"}\n";
    let (found, lost) = found(text);
    assert_eq!(found, ["5: {\"type\":\"b\"}", "8: {\"type\":\"c\"}"]);
    assert_eq!(lost, [4, 6]);
}

#[test]
fn several_objects_of_a_line_are_all_found() {
    let (found, _) = found("x: {\"a\":1} {\"b\":2}{\n\"c\":3} {\"d\":4} {");
    assert_eq!(
        found,
        [
            "1: {\"a\":1}",
            "1: {\"b\":2}",
            "1: {\"c\":3}",
            "2: {\"d\":4}"
        ]
    );
}

#[test]
fn hostile_lines_cost_no_more_than_their_length() {
    let began = Instant::now();
    let length = 4 << 20;
    for piece in [
        "{",
        "{\"",
        "{\"a\":",
        "{ {",
        "\\",
        "{\"a\":[",
        "}",
        "1:{\"type\":\"",
    ] {
        let line = piece.repeat(length / piece.len());
        let mut objects = Objects::default();
        for number in 1..=3 {
            let _ = objects.line(number, line.as_bytes(), &mut |_| {});
        }
    }
    let mut objects = Objects::default();
    for number in 1..200_000 {
        let _ = objects.line(number, b"[x] {\"type\": [", &mut |_| {});
    }
    // In a build that is not optimised, on a machine that is busy.
    assert!(began.elapsed() < Duration::from_mins(1));
}
