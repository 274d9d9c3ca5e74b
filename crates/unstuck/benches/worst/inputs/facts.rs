//! Inputs of the part `facts`: results that facts are extracted from.

use std::fmt::Write as _;

use serde_json::json;

use super::{Input, call, failed, mixed, of, repeat, repeat_array, result, said, tested};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "facts of results";
    vec![
        of(PART, "panics", |size| failed(&repeat("panic: \n", size))),
        of(PART, "threads", |size| {
            failed(&repeat("thread 'a' panicked at 'b\n", size))
        }),
        of(PART, "stack-traces", |size| {
            failed(&repeat("Stack trace:\n", size))
        }),
        of(PART, "tracebacks", |size| {
            failed(&repeat("Traceback (most recent call last\n", size))
        }),
        of(PART, "exceptions", |size| {
            failed(&format!(
                "Traceback (most recent call last)\n{}",
                repeat("a.a.a b\n", size)
            ))
        }),
        of(PART, "frames", |size| failed(&repeat(" at a b\n", size))),
        of(PART, "ruby", |size| {
            failed(&repeat("a.rb:1:in 'a'\n", size))
        }),
        of(PART, "carriage-returns", |size| {
            failed(&repeat("\r\r\r\r\n", size))
        }),
        of(PART, "signs-in-a-message", |size| {
            failed(&repeat("-", size))
        }),
        of(PART, "quotes-in-a-message", |size| {
            failed(&repeat("' `\"a", size))
        }),
        of(PART, "labels-in-a-message", |size| {
            failed(&repeat("error:", size))
        }),
        of(PART, "tags", |size| failed(&repeat("<aaaa>\n", size))),
        of(PART, "messages-in-objects", |size| {
            let one = format!("{}[]{}", r#"{"stdout":"#.repeat(60), "}".repeat(60));
            result(
                "error",
                &format!(
                    r#"{{"a":{},"stdout":{{"stdout":{{"stdout":[]}}}}}}"#,
                    repeat_array(&one, size)
                ),
            )
        }),
        of(PART, "refusals", |size| {
            failed(&repeat("error: unknown too is require", size))
        }),
        of(PART, "polls", |size| {
            said(&repeat("still runnin in progres ", size))
        }),
        of(PART, "tests-that-failed", |size| {
            tested(&repeat("1 failed ", size))
        }),
        of(PART, "names-of-tests", |size| {
            let mut text = String::new();
            let mut at = 0;
            while text.len() < size {
                at += 1;
                let _ = writeln!(text, "FAILED a::{:x}", mixed(at));
            }
            tested(&text)
        }),
        of(PART, "labels-of-runners", |size| {
            tested(&repeat("Failures:            ", size))
        }),
        of(PART, "edits", |size| {
            let old = repeat("a\n", size / 2);
            call(
                "edit",
                &json!({"path": "a", "old_string": old, "new_string": format!("{old}b")}),
            )
        }),
        of(PART, "writes", |size| {
            call(
                "write",
                &json!({"path": "a", "content": repeat("a\"", size)}),
            )
        }),
        of(PART, "a-long-path", |size| {
            call("read", &json!({"path": repeat("a/", size)}))
        }),
        of(PART, "many-arguments", |size| {
            let args: serde_json::Map<String, serde_json::Value> = (0..size / 14)
                .map(|at| (format!("f{at:08}"), json!(0)))
                .collect();
            call("read", &args.into())
        }),
    ]
}
