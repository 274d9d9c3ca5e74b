//! What each renderer makes of the demonstration, compared with committed files. `UNSTUCK_UPDATE=1` writes them anew.

use std::{env, fs, path::PathBuf};

use unstuck_report::{RenderOptions, Report};

use crate::{
    demo::{NOW, demo},
    outputs::{html, json, json_lines, junit, markdown, sarif, terminal},
};

#[track_caller]
fn same(name: &str, made: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if env::var_os("UNSTUCK_UPDATE").is_some() {
        fs::write(&path, made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        made == committed,
        "{name} is not as committed; look at it with UNSTUCK_UPDATE=1 and `git diff`:\n{made}"
    );
}

#[test]
fn the_terminal_looks_as_it_did() {
    let wide = RenderOptions::of_width(100);
    same("terminal-100.ansi", &terminal(&demo(), &wide));
    let narrow = RenderOptions::of_width(80);
    same("terminal-80.ansi", &terminal(&demo(), &narrow));
}

#[test]
fn a_report_without_loops_is_short_and_says_so() {
    let mut report = demo();
    report.runs.retain(|run| run.loops.is_empty());
    let report = crate::demo::summed(report.runs, Vec::new());
    let all = [
        terminal(&report, &RenderOptions::default()),
        markdown(&report),
        terminal(&Report::default(), &RenderOptions::default()),
    ];
    same("nothing.txt", &all.join("\n=====\n"));
}

#[test]
fn json_is_as_it_was() {
    same("report.json", &json(&demo()).unwrap());
    same("report.jsonl", &json_lines(&demo()).unwrap());
}

#[test]
fn sarif_is_as_it_was() {
    // Its rules hold the pages of the rules, which change for reasons of their own.
    let mut log: serde_json::Value = serde_json::from_str(&sarif(&demo())).unwrap();
    for rule in log["runs"][0]["tool"]["driver"]["rules"]
        .as_array_mut()
        .unwrap()
    {
        rule["help"]["markdown"] = "…".into();
        for text in ["help", "fullDescription"] {
            assert!(rule[text]["text"].as_str().unwrap().len() > 40);
            rule[text]["text"] = "…".into();
        }
    }
    // The order of keys depends on how `serde_json` is built.
    let sorted = |value: &serde_json::Value| {
        let mut value = value.clone();
        value.sort_all_objects();
        format!("{value:#}\n")
    };
    same("report.sarif", &sorted(&log));
}

#[test]
fn markdown_is_as_it_was() {
    same("report.md", &markdown(&demo()));
}

#[test]
fn junit_is_as_it_was() {
    same("report.xml", &junit(&demo()).unwrap());
}

#[test]
fn the_page_is_its_three_parts_and_the_data() {
    // Style and script are files of their own; what is made here is the frame and the data.
    let page = html(&demo(), &RenderOptions::default().made_at(NOW)).unwrap();
    let cut = |text: &str, from: &str, to: &str| {
        let (head, rest) = text.split_once(from).unwrap();
        let (_, tail) = rest.split_once(to).unwrap();
        format!("{head}{from}…{to}{tail}")
    };
    let page = cut(&page, "<style>", "</style>");
    let page = cut(&page, "<script>", "</script>");
    let page = cut(&page, "style-src 'sha256-", "'");
    let page = cut(&page, "script-src 'sha256-", "'");
    same("report.html", &page);
}
