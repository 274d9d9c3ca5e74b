//! The audit and the reports take the same secrets out of JSON.

use unstuck_json::Json;

#[test]
fn both_copies_of_the_redaction_of_json_agree() {
    let texts = [
        "hunter22",
        "a plain sentence",
        "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
        "postgres://user:secret@db/x",
        "4111111111111111",
        "-psword",
        "--password=hunter22",
        "${SECRET}",
        "a\"b\n\u{7}",
    ];
    let names = [
        "password",
        "name",
        "value",
        "args",
        "argv",
        "command",
        "path",
        "key",
        "max_tokens",
        "Header",
    ];
    let mut values: Vec<String> = texts
        .iter()
        .map(|text| Json::string(text).as_str().to_owned())
        .collect();
    values.extend(["4111111111111111", "12", "true", "null"].map(str::to_owned));
    for value in &values {
        check(value);
        for name in names {
            check(&format!(r#"{{"{name}":{value}}}"#));
            check(&format!(r#"{{"{name}":{value},"value":{value}}}"#));
            check(&format!(r#"{{"name":"API_KEY","{name}":{value}}}"#));
            check(&format!(
                r#"{{"command":"mysql","{name}":[{value},{value},"db"]}}"#
            ));
            check(&format!(
                r#"[["{name}",{value}],{value},{{"{name}":[["{name}",{value}]]}}]"#
            ));
        }
    }
}

fn check(text: &str) {
    let value = Json::parse(text).expect("JSON");
    assert_eq!(
        unstuck_text::redact_json(&value).as_str(),
        unstuck_mcp::redact_json(&value).as_str(),
        "{text}"
    );
}
