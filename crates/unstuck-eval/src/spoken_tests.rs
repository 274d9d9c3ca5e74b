use super::*;

fn words(json: &str) -> String {
    let value: Box<RawValue> = serde_json::from_str(json).unwrap();
    spoken(&value).unwrap()
}

#[test]
fn a_string_is_what_it_says() {
    assert_eq!(words(r#""on we go \u2026""#), "on we go …");
}

#[test]
fn other_values_are_written_as_python_does() {
    let json = r#"{"b":1,"a":[1.0,1e16,1.5e-7,0.1,-2,null,true,1e22],"é\n":"\u0001\u2028\""}"#;
    let python =
        r#"{"b": 1, "a": [1.0, 1e+16, 1.5e-07, 0.1, -2, null, true, 1e+22], "é\n": "\u0001"#;
    assert_eq!(words(json), format!("{python}\u{2028}\\\"\"}}"));
    assert_eq!(words("[]"), "[]");
    assert_eq!(words(r#"{"a":1,"b":2,"a":3}"#), r#"{"a": 3, "b": 2}"#);
}
