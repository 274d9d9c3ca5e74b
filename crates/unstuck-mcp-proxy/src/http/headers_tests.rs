use unstuck_mcp::Codec;

use super::*;

fn fits(headers: &[(&'static str, &str)], body: &str) -> bool {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(*name, value.parse().expect("a value"));
    }
    let mut codec = Codec::default();
    let message = codec.read(body.as_bytes()).expect("a message");
    agree(&map, &message, body.as_bytes()).is_ok()
}

#[test]
fn what_has_no_name_may_have_a_header_for_it() {
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert!(fits(&[("mcp-method", "tools/list")], list));
    assert!(fits(&[("mcp-name", "anything")], list));
    assert!(!fits(&[("mcp-method", "tools/call")], list));
}

#[test]
fn responses_have_nothing_to_compare() {
    let response = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert!(fits(
        &[("mcp-method", "tools/call"), ("mcp-name", "x")],
        response
    ));
}

#[test]
fn notifications_need_no_headers_but_must_not_lie() {
    let note = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    assert!(fits(&[], note));
    assert!(!fits(&[("mcp-method", "tools/call")], note));
    assert!(!fits(&[("mcp-protocol-version", "2025-03-26")], note));
}
