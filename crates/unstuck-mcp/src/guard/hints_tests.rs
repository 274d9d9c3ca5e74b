use super::*;

fn hints(meta: &str) -> (String, String, Era) {
    let hints = Hints::of(Some(&Json::parse(meta).unwrap()));
    (hints.session.into(), hints.agent.into(), hints.era)
}

#[test]
fn sessions_and_threads_are_told_apart_where_a_client_names_them() {
    let (session, agent, _) = hints(
        r#"{"callId":"c","x-codex-turn-metadata":{"session_id":"s1","thread_id":"t2"},"sessionId":"s1"}"#,
    );
    assert_eq!((&*session, &*agent), ("s1", "t2"));
    let (session, agent, _) = hints(r#"{"sessionId":"s1","threadId":"s1"}"#);
    assert_eq!((&*session, &*agent), ("s1", "main"));
    let (session, agent, _) = hints(r#"{"progressToken":1}"#);
    assert_eq!((&*session, &*agent), ("default", "main"));
}

#[test]
fn a_modern_request_is_told_by_its_version() {
    assert_eq!(
        hints(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#).2,
        Era::Stateless
    );
    assert_eq!(hints("{}").2, Era::Handshake);
}
