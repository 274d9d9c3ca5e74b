use super::*;

fn all_of(schema: &str) -> Vec<(String, String)> {
    let schema = Json::parse(schema).unwrap();
    let named = |mirrored: &Mirrored| (mirrored.header.to_string(), mirrored.path.join("."));
    Mirrored::all_of(Some(schema.view()))
        .iter()
        .map(named)
        .collect()
}

#[test]
fn annotated_arguments_are_found_at_any_depth() {
    let schema = r#"{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},
        "query":{"type":"string"},
        "options":{"type":"object","properties":{"limit":{"type":"integer","x-mcp-header":"Limit"}}},
        "bad":{"x-mcp-header":""},"worse":{"x-mcp-header":7},"worst":{"x-mcp-header":"a: b"}}}"#;
    let found = [("Limit", "options.limit"), ("Region", "region")];
    let found = found.map(|(header, path)| (header.to_owned(), path.to_owned()));
    assert_eq!(all_of(schema), found);
    assert!(all_of("[]").is_empty() && all_of(r#"{"properties":7}"#).is_empty());
    assert!(Mirrored::all_of(None).is_empty());
}

#[test]
fn schemas_without_an_end_have_one() {
    let mut deep = r#"{"x-mcp-header":"Deep"}"#.to_owned();
    for _ in 0..30 {
        deep = format!(r#"{{"properties":{{"a":{deep}}}}}"#);
    }
    assert!(all_of(&deep).is_empty());
    let many: Vec<_> = (0..1_000)
        .map(|n| format!(r#""p{n}":{{"x-mcp-header":"H{n}"}}"#))
        .collect();
    let many = format!(r#"{{"properties":{{{}}}}}"#, many.join(","));
    assert_eq!(all_of(&many).len(), MOST);
}

#[test]
fn arguments_that_are_null_or_not_there_are_not_given() {
    let schema = Json::parse(r#"{"properties":{"a":{"properties":{"b":{"x-mcp-header":"B"}}}}}"#);
    let mirrored = &Mirrored::all_of(Some(schema.unwrap().view()))[0];
    let given = |arguments: &str| {
        let arguments = Json::parse(arguments).unwrap();
        let value = mirrored.argument(Some(&arguments));
        value.map(|value| value.as_str().to_owned())
    };
    assert_eq!(given(r#"{"a":{"b":"x"}}"#).as_deref(), Some("\"x\""));
    for nothing in ["{}", r#"{"a":{}}"#, r#"{"a":{"b":null}}"#, r#"{"a":7}"#] {
        assert_eq!(given(nothing), None, "{nothing}");
    }
    assert!(mirrored.argument(None).is_none());
}
