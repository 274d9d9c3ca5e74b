//! Text from transcripts acts nowhere.

use serde_json::Value;
use unstuck_report::{RenderOptions, Report};

use crate::{
    demo::{demo, hostile},
    outputs::{html, json, json_lines, junit, markdown, sarif, terminal},
};

/// A pattern of a megabyte, and one of many thousand members.
fn huge() -> Report {
    let mut report = demo();
    let long = "a <b> \u{202e}\x1b[0m ".repeat(70_000);
    report.runs[0].loops[0].pattern = vec![long.clone()];
    report.runs[0].loops[0].unchanged.clone_from(&long);
    report.runs[1].loops[0].unchanged.clear();
    report.runs[1].loops[0].last_result = long;
    report.runs[1].loops[0].pattern = vec!["x".to_owned(); 20_000];
    report
}

/// Nothing but printable characters and line ends, once our own colours are out.
#[track_caller]
fn only_shows(text: &str) {
    for each in text.chars() {
        let acts = each.is_control() && each != '\n' && each != '\t'
            || matches!(each, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        assert!(!acts, "{each:?} in {text}");
    }
}

fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    // Ours are all of the form ESC [ digits m.
    while let Some((before, after)) = rest.split_once("\x1b[") {
        let (code, after) = after.split_once('m').unwrap();
        assert!(
            code.chars()
                .all(|each| each.is_ascii_digit() || each == ';'),
            "not one of our colours: {code:?}"
        );
        out += before;
        rest = after;
    }
    out + rest
}

#[test]
fn the_terminal_is_told_nothing_by_a_transcript() {
    for report in [hostile(), huge()] {
        for width in [0, 80, 1000] {
            let text = terminal(&report, &RenderOptions::of_width(width));
            only_shows(&without_colours(&text));
        }
    }
}

#[test]
fn no_line_on_the_terminal_is_longer_than_the_terminal() {
    for report in [demo(), hostile(), huge()] {
        for width in [80, 100, 120] {
            let text = without_colours(&terminal(&report, &RenderOptions::of_width(width)));
            for line in text.lines() {
                let columns = unicode_width::UnicodeWidthStr::width(line);
                // What names models or commands is prose, and may be wrapped.
                let prose = line.starts_with("No price for");
                assert!(columns <= width || prose, "{columns} of {width}: {line}");
            }
        }
    }
}

#[test]
fn markdown_keeps_hostile_text_in_code() {
    for report in [hostile(), huge()] {
        let text = markdown(&report);
        only_shows(&text);
        assert!(
            text.len() < 60_000,
            "{} bytes are too many for a comment",
            text.len()
        );
        for line in text.lines() {
            let outside = outside_code(line);
            for sign in ['<', '[', '@', '&'] {
                assert!(!outside.contains(sign), "{sign} outside of code: {line}");
            }
        }
    }
}

/// A line without its code spans, as a reader of Markdown sees them.
fn outside_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        out += &rest[..start];
        let fence = rest[start..]
            .chars()
            .take_while(|each| *each == '`')
            .count();
        let body = &rest[start + fence..];
        let mut at = 0;
        let end = loop {
            let next = body[at..].find('`').expect("a span is closed") + at;
            let run = body[next..].chars().take_while(|each| *each == '`').count();
            if run == fence {
                break next;
            }
            at = next + run;
        };
        rest = &body[end + fence..];
    }
    out + rest
}

#[test]
fn xml_stays_xml() {
    for report in [hostile(), huge()] {
        let text = junit(&report).unwrap();
        only_shows(&text);
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut failures = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(tag) => {
                    let known = ["testsuites", "testsuite", "testcase", "failure", "error"];
                    let name = tag.name().as_ref().to_owned();
                    assert!(known.contains(&name.as_str()), "an element {name}");
                    failures += u64::from(name == "failure");
                }
                _ => {}
            }
        }
        assert_eq!(failures, report.totals.loops);
    }
}

#[test]
fn json_carries_everything_and_stays_json() {
    for report in [hostile(), huge()] {
        let whole: Value = serde_json::from_str(&json(&report).unwrap()).unwrap();
        let kept = &whole["runs"][0]["loops"][0]["pattern"][0];
        assert_eq!(kept, &report.runs[0].loops[0].pattern[0]);
        let lines = json_lines(&report).unwrap();
        let lines: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let others = report.errors.len() + report.skipped.len() + 2;
        assert_eq!(lines.len(), report.runs.len() + others);
        assert_eq!(lines[0]["unstuck"]["tool_version"], whole["tool_version"]);
        assert_eq!(lines[1]["run"], whole["runs"][0]);
        assert_eq!(lines[report.runs.len() + 1]["error"], whole["errors"][0]);
        assert_eq!(lines[lines.len() - 1]["totals"], whole["totals"]);
    }
}

#[test]
fn sarif_messages_only_show() {
    for report in [hostile(), huge()] {
        let log: Value = serde_json::from_str(&sarif(&report)).unwrap();
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let text = result["message"]["text"].as_str().unwrap();
            only_shows(text);
            assert!(!text.replace("\\[", "").replace("\\]", "").contains("]("));
        }
    }
}

#[test]
fn the_data_of_the_page_cannot_leave_its_element() {
    for report in [hostile(), huge()] {
        let page = html(&report, &RenderOptions::default()).unwrap();
        let (head, rest) = page
            .split_once(r#"<script type="application/json" id="data">"#)
            .unwrap();
        let (data, tail) = rest.split_once("</script>").unwrap();
        assert!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(tail.matches("<script").count(), 1);
        assert_eq!(head.matches("<script").count(), 0);
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(
            data["runs"][0]["loops"][0]["pattern"][0],
            report.runs[0].loops[0].pattern[0]
        );
    }
}
