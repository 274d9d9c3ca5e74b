use hyper::header::HeaderValue;

use super::*;

fn of(kinds: &[&str], encoding: Option<&'static str>) -> Content {
    let mut headers = HeaderMap::new();
    for kind in kinds {
        let kind = HeaderValue::from_str(kind).expect("a header");
        headers.append(CONTENT_TYPE, kind);
    }
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Content::of(&headers)
}

#[test]
fn only_utf_8_is_read() {
    for kind in [
        "application/json",
        "Application/JSON ; Charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/json; profile=x; charset=utf-8;",
        "application/json;",
    ] {
        assert_eq!(of(&[kind], None), Content::Json, "{kind}");
    }
    for kind in ["text/event-stream", "text/event-stream;charset=utf-8"] {
        assert_eq!(of(&[kind], None), Content::Events, "{kind}");
    }
    for kind in [
        "application/json; charset=utf-7",
        "application/json; charset=utf-16le",
        "application/json; charset=latin1",
        "application/json; charset=",
        "application/json; charset",
        "application/json; charset=utf-8; charset=utf-7",
        "application/json; charset=utf-7; charset=utf-8",
        "application/json; charset*=utf-7''utf-8",
        "application/json; charset*0=utf-; charset*1=7",
        "application/json; x=\";charset=utf-7\"",
        "application/json; charset =utf-7",
        "application/json, text/plain",
        "application/json-seq",
        "application/vnd.api+json",
        "text/event-stream-x",
        "multipart/mixed; boundary=x",
        "text/plain",
        "",
    ] {
        assert_eq!(of(&[kind], None), Content::Other, "{kind}");
    }
    assert_eq!(of(&[], None), Content::Other);
    assert_eq!(of(&[JSON, JSON], None), Content::Other);
    assert_eq!(of(&[JSON], Some("identity")), Content::Json);
    for encoding in ["gzip", "br", "", "identity, gzip"] {
        assert_eq!(of(&[JSON], Some(encoding)), Content::Other, "{encoding}");
    }
}
