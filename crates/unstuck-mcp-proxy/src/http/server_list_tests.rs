use super::*;

#[test]
fn variables_are_put_in_their_place() {
    assert_eq!(
        expand("plain $HOME $ {x}").expect("text"),
        "plain $HOME $ {x}"
    );
    assert_eq!(
        expand("a${UNSTUCK_NO_SUCH:-b}c${UNSTUCK_NO_SUCH:-}").expect("text"),
        "abc"
    );
    let path = env::var("PATH").expect("a path");
    assert_eq!(expand("${PATH}").expect("text"), path);
    assert!(expand("${UNSTUCK_NO_SUCH}").is_err());
    assert!(expand("${PATH").is_err());
}

#[test]
fn an_entry_is_a_command_or_a_url() {
    let read = |text: &str| {
        serde_json::from_str::<Entry>(text)
            .expect("an entry")
            .behind()
    };
    assert!(
        matches!(read(r#"{"command":"a","args":["b"]}"#), Ok(Backend::Command(launch)) if launch.words == ["a", "b"])
    );
    assert!(matches!(
        read(r#"{"url":"https://a.example/mcp"}"#),
        Ok(Backend::Url { .. })
    ));
    for wrong in [
        "{}",
        r#"{"command":"a","url":"http://a"}"#,
        r#"{"url":"ws://a"}"#,
        r#"{"url":"http://a","headers":{"a b":"c"}}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    // What cannot be sent may be a secret all the same.
    let error = read(r#"{"url":"http://a","headers":{"a":"hidden\n"}}"#).expect_err("no header");
    assert!(!format!("{error:?}").contains("hidden"));
}
