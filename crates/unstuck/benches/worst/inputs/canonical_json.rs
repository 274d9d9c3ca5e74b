//! Inputs of the part `canonical-json`: JSON that is canonicalised.

use super::{Input, Load, members, mixed, of, repeat, repeat_array};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "canonical JSON";
    fn deep(core: String) -> Load {
        let mut text = core;
        for _ in 0..126 {
            text = format!(r#"{{"b":{text},"a":0}}"#);
        }
        Load::Json(text)
    }
    vec![
        of(PART, "members-in-disorder", |size| {
            Load::Json(members("", size))
        }),
        of(PART, "members-with-equal-prefixes", |size| {
            Load::Json(members("aaaaaaaa", size))
        }),
        of(PART, "members-with-long-equal-prefixes", |size| {
            Load::Json(members(&"a".repeat(200), size))
        }),
        of(PART, "members-in-reverse", |size| {
            let count = size / 16;
            let all: Vec<String> = (0..count)
                .rev()
                .map(|at| format!(r#""aaaa{at:08}":0"#))
                .collect();
            Load::Json(format!("{{{}}}", all.join(",")))
        }),
        of(PART, "empty-names-of-escapes", |size| {
            let count = size / 24;
            let all: Vec<String> = (0..count)
                .map(|at| {
                    format!(
                        r#""\u0001\u00{:02x}{:x}":0"#,
                        32 + mixed(at as u64) % 64,
                        mixed(at as u64) >> 40
                    )
                })
                .collect();
            Load::Json(format!("{{{}}}", all.join(",")))
        }),
        of(PART, "duplicates", |size| {
            Load::Json(format!("{{{}\"a\":0}}", repeat(r#""b":0,"a":0,"#, size)))
        }),
        of(PART, "deep-objects-in-disorder", |size| {
            deep(format!(
                "\"{}\"",
                "a".repeat(size.saturating_sub(1_500).max(1))
            ))
        }),
        of(PART, "deep-and-wide", |size| {
            let one = format!("{}0{}", r#"{"b":"#.repeat(120), r#","a":0}"#.repeat(120));
            Load::Json(repeat_array(&one, size))
        }),
        of(PART, "wide-in-each-level", |size| {
            let mut text = String::from("0");
            let wide = members("", size / 120);
            let wide = &wide[1..wide.len() - 1];
            for _ in 0..120 {
                text = format!(r#"{{"zz":{text},{wide}}}"#);
            }
            Load::Json(text)
        }),
        of(PART, "small-objects-in-disorder", |size| {
            Load::Json(repeat_array(r#"{"b":0,"a":0}"#, size))
        }),
        of(PART, "arrays", |size| {
            let one = format!("{}{}", "[".repeat(120), "]".repeat(120));
            Load::Json(repeat_array(&one, size))
        }),
        of(PART, "surrogate-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\ud83d\ude00", size)))
        }),
        of(PART, "letter-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\u0061", size)))
        }),
        of(PART, "control-escapes", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\u0001", size)))
        }),
        of(PART, "line-breaks", |size| {
            Load::Json(format!("\"{}\"", repeat(r"\n", size)))
        }),
        of(PART, "one-long-number", |size| {
            Load::Json(format!("0.{}", "7".repeat(size)))
        }),
        of(PART, "long-numbers", |size| {
            Load::Json(repeat_array(&format!("0.{}", "7".repeat(800)), size))
        }),
        of(PART, "nearly-halves", |size| {
            Load::Json(repeat_array(
                "9007199254740993.0000000000000000000000000000000001e-300",
                size,
            ))
        }),
        of(PART, "short-numbers", |size| {
            Load::Json(repeat_array("1e-5", size))
        }),
        of(PART, "blanks", |size| {
            Load::Json(format!("[0{}]", repeat(" \n", size)))
        }),
    ]
}
