use super::*;
use unstuck_session::HeldCaller;

fn shown(proxy: &ProxyStatus) -> String {
    let mut out = Vec::new();
    print(&mut out, proxy, 0).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn costs_are_rounded_and_counts_agree_with_their_words() {
    let session = |micros| ProxySession {
        session: "s1".to_owned(),
        agent: "main".to_owned(),
        requests: 1,
        nudges: 1,
        denials: 2,
        tokens: 1_200,
        micros,
        ..ProxySession::default()
    };
    let proxy = ProxyStatus {
        calls: 1,
        sessions: vec![session(55_800), session(0)],
        ..ProxyStatus::of("llm-1")
    };
    let text = shown(&proxy);
    assert!(text.contains("1 request, 4 denials, mode"), "{text}");
    let tokens =
        "s1 main: 1 request, 1 nudge, 2 denials, 1,200 tokens today as far as this proxy knows";
    assert!(text.contains(&format!("{tokens}, $0.06")), "{text}");
    assert!(text.contains(&format!("{tokens}, cost unknown")), "{text}");
}

#[test]
fn denials_of_mcp_are_those_of_rules() {
    let held = HeldCaller {
        denials: 1,
        ..HeldCaller::default()
    };
    let proxy = ProxyStatus {
        calls: 8,
        held: vec![held],
        ..ProxyStatus::of("mcp-1")
    };
    let text = shown(&proxy);
    assert!(text.contains("8 calls, 1 denial by rules, mode"), "{text}");
}
