use unstuck::{Json, settings::ToolPattern};

use super::*;

#[path = "../../unstuck-text/tests/data/shapes.rs"]
mod shapes;

fn recorded(redactor: &Redactor, arguments: &str) -> String {
    let mut out = String::new();
    redactor.arguments("db__login", &Json::parse(arguments).unwrap(), &mut out);
    out
}

#[test]
fn two_hundred_shapes_of_secrets_are_taken_out() {
    let shapes = shapes::all();
    assert!(shapes.len() >= 200, "{}", shapes.len());
    let leaked: Vec<_> = shapes
        .iter()
        .filter(|shape| {
            let argument = Json::string(&shape.text);
            let line = recorded(&Redactor::default(), &format!(r#"{{"text":{argument}}}"#));
            shape.secrets.iter().any(|secret| line.contains(&**secret))
        })
        .map(|shape| (&shape.text, redact(&shape.text)))
        .collect();
    assert!(leaked.is_empty(), "{leaked:#?}");
}

/// Filled from several seeds, and measured as the audit writes them.
#[test]
fn secrets_in_structured_arguments_are_taken_out() {
    let mut leaks = std::collections::BTreeMap::new();
    let count = shapes::list(shapes::STRUCTURED, 1).len();
    assert!(count >= 130, "{count}");
    for seed in 1..=8 {
        for (place, (known, shape)) in shapes::list(shapes::STRUCTURED, seed).iter().enumerate() {
            let text = shape.text.replace('\n', "\\n");
            let line = recorded(&Redactor::default(), &text);
            if shape.leaks_into(&line) && !known {
                leaks.insert(place, format!("{text} -> {line}"));
            }
        }
    }
    assert!(leaks.is_empty(), "{} leak: {leaks:#?}", leaks.len());
}

#[test]
fn structured_arguments_without_a_secret_stay() {
    for arguments in [
        r#"{"args":["run","-p","8080:80","nginx"],"command":"docker"}"#,
        r#"{"required":["username","password"]}"#,
        r#"{"env":["PATH=/bin","TZ=UTC"]}"#,
        r#"{"env":[{"name":"HOST","value":"db"},{"name":"PORT","value":"5432"}]}"#,
        r#"{"key":"Name","value":"web"}"#,
        r#"{"Key":"Owner","Value":"joe"}"#,
        r#"{"element":"Search box","ref":"e5","text":"rust parser"}"#,
        r#"{"headers":[["Accept","*/*"],["Host","example.com"]]}"#,
        r#"{"argv":["git","show","HEAD"]}"#,
        r#"{"name":"password","type":"string"}"#,
        r#"{"fields":["id","token","created_at"]}"#,
        r#"{"args":["--token","$TOKEN"]}"#,
        r#"{"name":"SECRET","value":"${SECRET}"}"#,
        r#"{"element":"Name field","text":"sunshine"}"#,
        r#"{"name":"token_count","value":"12345"}"#,
        r#"{"label":"Zip code","value":"94107"}"#,
        r#"{"content":"a page","key":"title"}"#,
        r#"{"args":["-p","a/b"],"cmd":"sudo mkdir"}"#,
    ] {
        assert_eq!(recorded(&Redactor::default(), arguments), arguments);
    }
}

#[test]
fn what_people_want_to_read_stays() {
    for text in [
        "src/auth/login_handler.py",
        "/home/joe/projects/unstuck/crates/unstuck-mcp/src/redact.rs",
        "SELECT id, name FROM customers WHERE created_at > '2026-01-02T03:04:05Z'",
        "git commit -m 'fix the parser of numbers'",
        "https://example.com/docs/getting-started?page=2&limit=50",
        "the quick brown fox jumps over the lazy dog",
        "mcp__filesystem__read_multiple_files",
        "pytest tests/test_parser_numbers.py::test_large_numbers -x -q",
        "node_modules/@modelcontextprotocol/server-everything",
        "2026-11-15",
        "1234567890",
        "InternationalizationController",
        "max_tokens",
        "a token bucket",
    ] {
        assert_eq!(redact(text), text);
    }
    let arguments = r#"{"limit":100,"max_tokens":4096,"path":"src/main.rs","recursive":true}"#;
    assert_eq!(recorded(&Redactor::default(), arguments), arguments);
}

#[test]
fn a_telling_name_hides_its_value_whatever_it_is() {
    assert_eq!(
        recorded(
            &Redactor::default(),
            r#"{"a":{"apiKey":["x"]},"password":"abc","user":"joe","Authorization":{"x":1},"pin":1234}"#
        ),
        r#"{"Authorization":"[redacted]","a":{"apiKey":"[redacted]"},"password":"[redacted]","pin":"[redacted]","user":"joe"}"#
    );
}

#[test]
fn fields_can_be_hidden_for_single_tools() {
    let mut redactor = Redactor::new(RecordedArguments::Raw);
    redactor.hide(ToolPattern::new("db__*"), "user");
    assert_eq!(
        recorded(&redactor, r#"{"a":[{"user":"joe"}],"password":"abc"}"#),
        r#"{"a":[{"user":"[redacted]"}],"password":"abc"}"#
    );
    let mut out = String::new();
    redactor.arguments(
        "fs__read",
        &Json::parse(r#"{"user":"joe"}"#).unwrap(),
        &mut out,
    );
    assert_eq!(out, r#"{"user":"joe"}"#);
}

#[test]
fn long_arguments_are_recorded_by_their_size() {
    let long = format!(r#"{{"text":"{}"}}"#, "word ".repeat(10_000));
    assert_eq!(
        recorded(&Redactor::default(), &long),
        format!("\"[{} bytes]\"", long.len())
    );
    let none = Redactor::new(RecordedArguments::None);
    assert_eq!(recorded(&none, r#"{"a":1}"#), "\"[7 bytes]\"");
}

#[test]
fn a_card_may_come_as_a_number() {
    assert_eq!(
        recorded(&Redactor::default(), r#"{"n":4111111111111111}"#),
        r#"{"n":"[redacted]"}"#
    );
}
