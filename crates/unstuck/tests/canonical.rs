//! The canonical form, by the vectors every implementation shares and against another one.

use serde_json::Value;
use sha2::{Digest, Sha256};
use unstuck::Json;

const VECTORS: &str = include_str!("../../../conformance/canonical.jsonl");

#[test]
fn every_vector_holds() {
    let mut rows = 0;
    for line in VECTORS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["json"].as_str().unwrap();
        let canonical = Json::parse(text);
        if row["error"] == true {
            assert!(canonical.is_err(), "accepted {text}");
        } else {
            let canonical = canonical.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(canonical.as_str(), row["canonical"].as_str().unwrap());
            assert_eq!(sha256(canonical.as_str()), row["sha256"].as_str().unwrap());
        }
        rows += 1;
    }
    assert_eq!(rows, 101);
}

fn sha256(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
