use super::*;

fn read(form: Form, body: &str) -> Option<(Members, Option<String>)> {
    let mut request = Request::read(form, body.as_bytes()).ok()?;
    let first = request.first().map(str::to_owned);
    crate::known::part(&[], &mut request).ok()?;
    Some((request.members, first))
}

#[test]
fn members_are_found_on_both_sides_of_the_history() {
    let body = r#"{"tools":[{}],"messages":[{"role":"user","content":"a"}, {}],"model":"m","stream":true}"#;
    let (members, first) = read(Form::Anthropic, body).unwrap_or_default();
    assert_eq!(first.as_deref(), Some(r#"{"role":"user","content":"a"}"#));
    assert!(members.is_streamed && members.has_tools && !members.is_forgotten);
    assert_eq!(members.model.map(|span| &body[span]), Some(r#""m""#));
}

#[test]
fn sessions_are_read_from_bodies() {
    for (body, session) in [
        (r#"{"prompt_cache_key":"a","input":[]}"#, "a"),
        (
            r#"{"metadata":{"user_id":"user_1_session_b"},"input":[]}"#,
            "b",
        ),
        (
            r#"{"metadata":{"user_id":"{\"session_id\":\"c\"}"},"input":"x"}"#,
            "c",
        ),
    ] {
        let (members, _) = read(Form::Responses, body).unwrap_or_default();
        assert_eq!(members.session.as_deref(), Some(session), "{body}");
    }
}

#[test]
fn what_is_not_a_request_is_unreadable() {
    for body in [
        "",
        "[]",
        "{",
        r#"{"messages":{}}"#,
        r#"{"model":"m"}"#,
        r#"{"messages":[{"role":"user"#,
        r#"{"messages":[]} x"#,
        "{\"messages\":[\"\u{1}",
    ] {
        assert_eq!(read(Form::Chat, body), None, "{body}");
    }
    assert!(Request::read(Form::Chat, b"{\"messages\":[\"\xff\"]}").is_err());
}
