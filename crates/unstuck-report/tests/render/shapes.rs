//! What other programs rely on.

use std::collections::BTreeSet;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use unstuck::RuleName;
use unstuck_report::{
    RenderOptions, Report, ReportVerdict, SkipReason, SkippedFile, SkippedFiles, json_schema,
};

use crate::{
    demo::{NOW, axes, demo, large, summed, unpriced},
    outputs::{html, json, junit, markdown, sarif, terminal},
};

#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "no `{key}` in {value}");
    }
}

#[test]
fn json_has_the_promised_keys() {
    let report: Value = serde_json::from_str(&json(&demo()).unwrap()).unwrap();
    has(&report, &["runs", "errors", "totals"]);
    let run = &report["runs"][0];
    has(
        run,
        &[
            "path", "format", "session", "agent", "calls", "results", "verdict", "loops", "wasted",
        ],
    );
    has(&run["wasted"], &["calls", "tokens", "usd"]);
    has(
        &run["loops"][0],
        &[
            "rule", "verdict", "repeats", "period", "from", "to", "pattern", "wasted",
        ],
    );
    has(&report["errors"][0], &["path", "line", "error"]);
    assert_eq!(report["errors"][1]["line"], Value::Null);
    assert_eq!(run["verdict"], "halt");
}

/// Every key of a value is one of the schema's, and every key the schema asks for is there.
#[track_caller]
fn fits(value: &Value, schema: &Value, root: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return fits(value, &root["$defs"][name], root, place);
    }
    if let Some(items) = value.as_array() {
        for (index, item) in items.iter().enumerate() {
            fits(item, &schema["items"], root, &format!("{place}[{index}]"));
        }
    }
    if let Some(object) = value.as_object() {
        let properties = schema["properties"].as_object().expect(place);
        for (key, item) in object {
            let known = properties.get(key);
            let known = known.unwrap_or_else(|| panic!("{place}.{key} is not in the schema"));
            fits(item, known, root, &format!("{place}.{key}"));
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            let key = key.as_str().unwrap();
            assert!(
                object.contains_key(key),
                "{place}.{key} is required and not there"
            );
        }
    }
}

#[test]
fn the_schema_describes_what_is_written() {
    let schema = json_schema();
    let report: Value = serde_json::from_str(&json(&demo()).unwrap()).unwrap();
    fits(&report, &schema, &schema, "report");
    let bare: Value =
        serde_json::from_str(&json(&unstuck_report::Report::default()).unwrap()).unwrap();
    fits(&bare, &schema, &schema, "report");
}

#[test]
fn sarif_keeps_to_its_specification() {
    let log: Value = serde_json::from_str(&sarif(&demo())).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<_> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), RuleName::ALL.len());
    for rule in rules {
        assert!(
            rule["shortDescription"]["text"]
                .as_str()
                .unwrap()
                .ends_with('.')
        );
        assert!(rule["help"]["text"].is_string());
        assert!(
            rule["help"]["markdown"]
                .as_str()
                .unwrap()
                .contains("## Not a loop when")
        );
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len() as u64, demo().totals.loops);
    let mut prints = BTreeSet::new();
    for result in results {
        let rule = result["ruleId"].as_str().unwrap();
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], rule);
        assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(
            place["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .is_ascii()
        );
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        assert!(place["region"]["endLine"].as_u64() >= place["region"]["startLine"].as_u64());
        let print = result["partialFingerprints"]["unstuckLoop/v1"]
            .as_str()
            .unwrap();
        assert!(
            prints.insert(print.to_owned()),
            "two loops with one fingerprint"
        );
    }
    let call = &run["invocations"][0];
    assert_eq!(call["executionSuccessful"], false);
    let notes = call["toolExecutionNotifications"].as_array().unwrap();
    assert_eq!(notes.len(), 2);
    assert_eq!(
        notes[0]["locations"][0]["physicalLocation"]["region"]["startLine"],
        212
    );
}

#[test]
fn the_page_allows_its_own_style_and_script_and_nothing_else() {
    let page = html(&demo(), &RenderOptions::default().made_at(NOW)).unwrap();
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap();
        rest.split_once(to).unwrap().0.to_owned()
    };
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let policy = between("Content-Security-Policy\" content=\"", "\"");
    let parts: Vec<_> = policy.split("; ").collect();
    assert_eq!(
        parts,
        [
            "default-src 'none'".to_owned(),
            format!("style-src {}", hash(&between("<style>", "</style>"))),
            format!("script-src {}", hash(&between("<script>", "</script>"))),
            "img-src data:".to_owned(),
            "base-uri 'none'".to_owned(),
            "form-action 'none'".to_owned(),
        ]
    );
    // Nothing is left to be filled in.
    let frame = page.replace(&between("<script type", "</script>"), "");
    assert!(!frame.contains("%%"));
}

#[test]
fn the_script_never_writes_markup() {
    let page = html(&demo(), &RenderOptions::default()).unwrap();
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "setAttribute(\"style\"",
        "fetch(",
        "XMLHttpRequest",
        "import(",
    ] {
        assert!(!page.contains(word), "{word} in the page");
    }
}

#[test]
fn a_large_report_still_fits_a_comment() {
    let text = markdown(&large(4000));
    assert!(text.len() < 60_000, "{} bytes", text.len());
    assert!(text.contains(" more runs with loops"));
}

#[test]
fn what_is_not_known_is_not_nothing() {
    let report = unpriced();
    let text = markdown(&report);
    assert!(text.contains("cost unknown"), "{text}");
    assert!(!text.contains("$0.00"), "{text}");
    assert!(!text.contains("| 0 |"), "tokens: {text}");
    let text = terminal(&report, &RenderOptions::of_width(100));
    assert!(text.contains("cost unknown"), "{text}");
    assert!(!text.contains("$0.00"), "{text}");
}

#[test]
fn a_report_of_nothing_does_not_say_that_all_is_well() {
    let mut report = Report::default();
    report.totals.files = 2;
    for text in [
        markdown(&report),
        terminal(&report, &RenderOptions::of_width(100)),
        html(&report, &RenderOptions::default()).unwrap(),
    ] {
        assert!(text.contains("No agent runs found in 2 files"), "{text}");
    }
}

/// The part of a page that is shown without scripts.
fn without_scripts(report: &Report) -> String {
    let page = html(report, &RenderOptions::default()).unwrap();
    let (_, rest) = page.split_once("<noscript>").unwrap();
    rest.split_once("</noscript>").unwrap().0.to_owned()
}

#[test]
fn a_page_without_scripts_names_skipped_files() {
    let mut report = Report::default();
    report.totals.skipped = 12;
    report.skipped = vec![SkippedFiles {
        reason: SkipReason::Utf16,
        count: 12,
        advice: "Convert them first.".to_owned(),
        files: vec![SkippedFile {
            path: "a<b>.jsonl".to_owned(),
            detail: String::new(),
        }],
    }];
    let text = without_scripts(&report);
    for words in [
        "No agent runs found in 12 files (UTF-16 text).",
        "Skipped 12 files, UTF-16 text: a&lt;b&gt;.jsonl and 11 more. Convert them first.",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let mut report = Report::default();
    (report.totals.runs, report.totals.files) = (1, 1);
    let text = without_scripts(&report);
    assert!(
        text.contains("The run did not get stuck in a loop."),
        "{text}"
    );
}

#[test]
fn a_run_is_named_by_its_task_and_project() {
    let report = axes();
    let text = terminal(&report, &RenderOptions::of_width(100));
    assert!(
        text.contains("shop: Make the checkout test green"),
        "{text}"
    );
    let text = markdown(&report);
    assert!(
        text.contains("### `Make the checkout test green`"),
        "{text}"
    );
    assert!(text.contains("project `shop`"), "{text}");
}

#[test]
fn a_place_without_a_line_has_no_region() {
    let mut report = axes();
    for each in &mut report.runs[0].loops {
        (each.from, each.to) = (0, 0);
    }
    let log: serde_json::Value = serde_json::from_str(&sarif(&report)).unwrap();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place.get("region").is_none(), "{place}");
    }
    assert!(!markdown(&report).contains("lines 0"));
    assert!(!junit(&report).unwrap().contains(":0"));
}

#[test]
fn the_first_loop_shown_of_a_run_is_its_worst() {
    let text = terminal(&axes(), &RenderOptions::of_width(100));
    let (halt, nudge) = (text.find("halt   "), text.rfind("nudge  "));
    assert!(halt < nudge, "{text}");
}

/// A run with two loops: a mild one first, the worst one later.
fn worst_comes_late() -> Report {
    let mut report = axes();
    for run in &mut report.runs {
        run.loops.sort_by_key(|each| each.calls.from);
        run.loops.reverse();
        let last = run.loops.len();
        for (index, each) in run.loops.iter_mut().enumerate() {
            each.verdict = if index + 1 == last {
                ReportVerdict::Halt
            } else {
                ReportVerdict::Nudge
            };
            each.calls.from = index as u64 + 1;
        }
    }
    report
}

#[test]
fn every_report_shows_the_worst_loop_first() {
    let report = worst_comes_late();
    let run = report
        .runs
        .iter()
        .find(|run| run.loops.len() > 1)
        .expect("a run with two loops");
    let (mild, worst) = (&run.loops[0].rule, &run.loops.last().unwrap().rule);
    assert_ne!(mild, worst);
    let text = markdown(&report);
    let at = |rule: &str| text.find(&format!("by `{rule}`")).unwrap();
    assert!(at(worst) < at(mild), "{text}");
    let page = html(&report, &RenderOptions::default().made_at(NOW)).unwrap();
    let (_, summary) = page.split_once("<tbody>").unwrap();
    let at = |rule: &str| summary.find(&format!("<br>{rule} × ")).unwrap();
    assert!(at(worst) < at(mild), "{summary}");
}

#[test]
fn a_run_without_a_title_is_named_by_its_file() {
    let mut report = demo();
    for run in &mut report.runs {
        run.title.clear();
        run.path = "/a/0c9d.jsonl".to_owned();
        run.session = "0c9d".to_owned();
    }
    report.runs[1].session = "second".to_owned();
    let page = html(&report, &RenderOptions::default().made_at(NOW)).unwrap();
    assert!(page.contains("<b>0c9d.jsonl</b>"));
    assert!(page.contains("<b>0c9d.jsonl (second)</b>"));
    assert!(!page.contains("<b>0c9d</b>"));
}

#[test]
fn markdown_says_whose_loops_it_lists() {
    let words = "The loops of the first 10 runs are listed here";
    assert!(markdown(&large(40)).contains(words));
    assert!(!markdown(&demo()).contains(words));
}

#[test]
fn reports_for_people_say_that_nothing_was_stopped() {
    let words = "Verdicts are what unstuck would have done; nothing was stopped.";
    assert!(terminal(&demo(), &RenderOptions::default()).contains(words));
    assert!(markdown(&demo()).contains(words));
    let page = html(&demo(), &RenderOptions::default().made_at(NOW)).unwrap();
    assert!(page.contains(&format!("<p>{words}</p>")));
}

#[test]
fn one_is_not_several() {
    let mut report = demo();
    let mut run = report.runs.remove(0);
    run.loops.truncate(1);
    run.loops[0].wasted.tokens = 1;
    report = summed(vec![run], Vec::new());
    let shown = terminal(&report, &RenderOptions::default());
    assert!(shown.contains("The run got stuck in a loop"), "{shown}");
    assert!(shown.contains("· 1 token ·"), "{shown}");
    assert!(!shown.contains("1 tokens"), "{shown}");
    assert!(markdown(&report).starts_with("## The run got stuck in a loop\n"));
    let page = html(&report, &RenderOptions::default().made_at(NOW)).unwrap();
    assert!(page.contains("<h1>The run got stuck in a loop. 1 loop and "));
}

#[test]
fn money_is_written_with_six_decimals() {
    let mut report = demo();
    report.totals.wasted.usd = Some(404.355_000_000_008_5);
    let text = json(&report).unwrap();
    assert!(text.contains("\"usd\": 404.355\n"), "{text}");
}

#[test]
fn junit_says_how_to_keep_secrets() {
    let mut report = demo();
    report.redact();
    let text = junit(&report).unwrap();
    assert!(
        text.contains("Secrets were removed; scan with the option no-redact to keep them."),
        "{text}"
    );
}

#[test]
fn the_rule_to_read_about_is_that_of_the_worst_loop() {
    let mut report = demo();
    report.runs[0].loops.reverse();
    let rules: Vec<_> = report.runs[0].loops.iter().map(|each| &each.rule).collect();
    assert_eq!(rules, ["test-fix-cycle", "exact-repeat"]);
    let shown = terminal(&report, &RenderOptions::default());
    assert!(shown.contains("unstuck explain exact-repeat"), "{shown}");
}
