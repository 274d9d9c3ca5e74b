//! Texts for models, and lines of the audit.

use super::*;

fn structured(id: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"x"}}],"structuredContent":{{"ok":true}}}}}}"#
    )
}

#[test]
fn words_are_put_where_the_model_sees_them() {
    // Without a promise the structured part becomes text.
    let mut bench = Bench::new(Preset::Standard);
    bench.list(&json!([{"name":"read"}]));
    let mut nudged = None;
    for id in 1..=3 {
        bench.call(id, "{}");
        nudged = Some(bench.receive(&structured(id)));
    }
    let Some(ToClient::Replace(line)) = nudged else {
        panic!("a nudge");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(line["result"].get("structuredContent"), None);
    assert_eq!(line["result"]["content"][1]["text"], r#"{"ok":true}"#);

    // With one it stays, and the words come again with the next thing that is seen.
    let mut bench = Bench::new(Preset::Standard);
    bench.list(&json!([{"name":"read","outputSchema":{"type":"object"}}]));
    let mut nudged = None;
    for id in 1..=3 {
        bench.call(id, "{}");
        nudged = Some(bench.receive(&structured(id)));
    }
    let Some(ToClient::Replace(line)) = nudged else {
        panic!("a nudge");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(line["result"]["structuredContent"], json!({"ok":true}));
    assert!(
        matches!(bench.round(9, r#"{"b":1}"#, "text"), Seen::Nudge(text) if text.contains("[unstuck]"))
    );
    assert_eq!(bench.round(10, r#"{"c":1}"#, "more"), Seen::Result);
}

#[test]
fn unchanged_results_are_said_short_where_that_is_wanted() {
    let mut options = GuardOptions::new("s", Settings::of(Preset::Ironcurtain));
    options.unchanged = Unchanged::SayShort;
    let mut bench = Bench::with(options);
    let long = "line\n".repeat(100);
    assert_eq!(bench.round(1, "{}", &long), Seen::Result);
    assert_eq!(bench.round(2, "{}", &long), Seen::Result);
    bench.list(&json!([{"name":"read","annotations":{"readOnlyHint":true}}]));
    assert_eq!(bench.round(3, "{}", &long), Seen::Result);
    assert!(
        matches!(bench.round(4, "{}", &long), Seen::Nudge(text) if text.contains("unchanged since call #3"))
    );
    assert_eq!(bench.round(5, "{}", &long.replace('l', "L")), Seen::Result);
    assert_eq!(bench.round(6, "{}", "short"), Seen::Result);
    assert_eq!(bench.round(7, "{}", "short"), Seen::Result);
}

#[test]
fn floods_of_denials_can_be_counted() {
    let mut options = GuardOptions::new("s", Settings::of(Preset::Ironcurtain));
    options.denials = Denials::Counted;
    let mut bench = Bench::with(options);
    for id in 1..=20 {
        bench.round(id, "{}", "x");
    }
    bench.audit();
    for id in 21..=520 {
        bench.now += 10_000;
        bench.round(id, "{}", "x");
    }
    let at = Micros(bench.now);
    bench.guard.close(at);
    let audit = bench.audit();
    assert!(audit.len() < 10, "{}", audit.len());
    let denied: u64 = audit
        .iter()
        .map(|line| match line["event"].as_str() {
            Some("denials") => line["count"].as_u64().unwrap(),
            _ => 1,
        })
        .sum();
    assert_eq!(denied, 500);
}

#[test]
fn lines_tell_who_called_what_and_how_it_went() {
    let mut bench = Bench::new(Preset::Standard);
    bench
        .guard
        .options
        .redactor
        .hide(ToolPattern::new("s__*"), "user");
    bench.call(1, r#"{"path":"a.txt","password":"hunter2","user":"joe"}"#);
    bench.now += 1_500;
    bench.answer(1, "the secret plans");
    let audit = bench.audit();
    assert_eq!(audit.len(), 2);
    assert_eq!(audit[0]["event"], "forward");
    let call = &audit[1];
    assert_eq!(
        call["arguments"],
        json!({"path":"a.txt","password":"[redacted]","user":"[redacted]"})
    );
    assert_eq!(
        (
            &call["server"],
            &call["tool"],
            &call["session"],
            &call["agent"],
            &call["id"]
        ),
        (
            &json!("s"),
            &json!("read"),
            &json!("default"),
            &json!("main"),
            &json!(1)
        )
    );
    assert_eq!(
        (&call["verdict"], &call["outcome"], &call["duration_us"]),
        (&json!("allow"), &json!("ok"), &json!(1_500))
    );
    assert_eq!(call["result"]["bytes"], 18);
    assert_eq!(call["fingerprint"], audit[0]["fingerprint"]);
    assert!(!audit[1].to_string().contains("plans"));
}
