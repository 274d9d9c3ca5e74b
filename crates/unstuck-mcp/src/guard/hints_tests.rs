use super::*;

fn hints(meta: &str) -> Hints {
    Hints::of(Some(&Json::parse(meta).unwrap()))
}

fn counted(meta: &str, caller: &Current, names: Names) -> (String, String) {
    let (session, agent) = hints(meta).claims.counted(caller, names);
    (session.into(), agent.into())
}

const CODEX: &str = r#"{"callId":"c","x-codex-turn-metadata":{"session_id":"s1","thread_id":"t2"},"sessionId":"s1"}"#;

#[test]
fn names_are_only_claims() {
    let claims = hints(CODEX).claims;
    assert_eq!(claims.session.as_deref(), Some("s1"));
    assert_eq!(claims.agent.as_deref(), Some("t2"));
    let counted = counted(CODEX, &Current::Connection, Names::Claimed);
    assert_eq!((&*counted.0, &*counted.1), ("default", "main"));
    assert!(hints(r#"{"progressToken":1}"#).claims.is_empty());
}

#[test]
fn trusted_names_are_counted_apart_below_the_transports_session() {
    let on_stdio = |meta| counted(meta, &Current::Connection, Names::Trusted);
    assert_eq!(on_stdio(CODEX), ("s1".into(), "t2".into()));
    let first = on_stdio(r#"{"sessionId":"s1","threadId":"s1"}"#);
    assert_eq!(first, ("s1".into(), "main".into()));
    assert_eq!(on_stdio("{}"), ("default".into(), "main".into()));
    let http = Current::Session {
        name: "http-1".into(),
        owner: None,
    };
    let other = counted(r#"{"sessionId":"http-2"}"#, &http, Names::Trusted);
    assert_eq!(other, ("http-1/http-2".into(), "main".into()));
}

#[test]
fn a_client_may_give_its_name_and_version() {
    let meta = r#"{"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}}"#;
    assert_eq!(hints(meta).claims.client.as_deref(), Some("a 1"));
    let meta = Json::parse(meta).unwrap();
    assert_eq!(claimed_client(&meta).as_deref(), Some("a 1"));
}

#[test]
fn a_modern_request_is_told_by_its_version() {
    assert_eq!(
        hints(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#).era,
        Era::Stateless
    );
    assert_eq!(hints("{}").era, Era::Handshake);
}
