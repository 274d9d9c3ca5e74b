//! Finds values that different programs wrote in different ways.
//!
//! ```text
//! cargo run -p unstuck-json --example canonical
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{collections::BTreeMap, error::Error};

use unstuck_json::Json;

/// Arguments of one call, as four programs wrote them, and of another one.
const ARGUMENTS: [&str; 5] = [
    r#"{"path":"a.txt","limit":100}"#,
    r#"{ "limit": 1e2, "path": "a.txt" }"#,
    r#"{"path":"\u0061.txt","limit":100.0}"#,
    r#"{"path":"b.txt","path":"a.txt","limit":100}"#,
    r#"{"path":"a.txt","limit":9007199254740993}"#,
];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut counts = BTreeMap::new();
    for text in ARGUMENTS {
        let json = Json::parse(text)?;
        *counts.entry(json.as_str().to_owned()).or_insert(0) += 1;
    }
    for (canonical, count) in &counts {
        println!("{count} x {canonical}");
    }
    assert_eq!(counts[r#"{"limit":100,"path":"a.txt"}"#], 4);
    // Integers beyond 2^53 keep their last digit.
    assert_eq!(counts[r#"{"limit":9007199254740993,"path":"a.txt"}"#], 1);
    Ok(())
}
