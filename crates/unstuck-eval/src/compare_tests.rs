use serde_json::json;

use super::*;

#[test]
fn everything_that_the_reference_holds_is_compared() {
    let reference = json!({"a": {"n": 3, "share": 0.1}, "list": [1, null], "events per second": 5});
    let ours =
        json!({"a": {"n": 3.0, "share": 0.100_000_000_000_01, "more": 1}, "list": [1, null, 7]});
    let agreement = Agreement::between(&reference, &ours);
    assert_eq!(
        agreement,
        Agreement {
            compared: 4,
            differences: Vec::new()
        }
    );
}

#[test]
fn a_difference_is_named_by_its_place() {
    let reference = json!({"a": {"n": 3, "share": 0.1, "unit": "tokens"}, "b": [1, 2]});
    let ours = json!({"a": {"n": 4, "unit": "steps"}, "b": [1]});
    let places: Vec<_> = Agreement::between(&reference, &ours)
        .differences
        .into_iter()
        .map(|(place, ..)| place)
        .collect();
    assert_eq!(places, ["/a/n", "/a/share", "/a/unit", "/b/1"]);
}
