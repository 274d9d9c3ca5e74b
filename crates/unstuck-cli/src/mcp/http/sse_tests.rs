use super::*;

/// The events of a stream, the same however it is cut.
fn split(stream: &str) -> Vec<String> {
    let events = |size: usize| {
        let mut events = Events::new(1_000);
        let mut found = Vec::new();
        for part in stream.as_bytes().chunks(size) {
            events.push(part);
            while let Some(event) = events.next().expect("short events") {
                found.push(String::from_utf8(event.to_vec()).expect("text"));
            }
        }
        found
    };
    let whole = events(stream.len());
    for size in 1..5 {
        assert_eq!(
            events(size).concat(),
            whole.concat(),
            "{stream:?} by {size}"
        );
    }
    whole
}

#[test]
fn events_end_with_an_empty_line_of_any_kind() {
    assert_eq!(
        split("data: a\n\ndata: b\n\n"),
        ["data: a\n\n", "data: b\n\n"]
    );
    assert_eq!(
        split("data: a\r\n\r\n: c\r\n\r\n"),
        ["data: a\r\n\r\n", ": c\r\n\r\n"]
    );
    assert_eq!(
        split("data: a\r\rdata: b\r\r"),
        ["data: a\r\r", "data: b\r\r"]
    );
    assert_eq!(
        split("data: a\ndata: b\n\ndata: rest"),
        ["data: a\ndata: b\n\n"]
    );
    assert_eq!(split("\n\ndata: a\n\n"), ["\n", "\n", "data: a\n\n"]);
}

#[test]
fn an_event_is_given_out_as_soon_as_it_is_whole() {
    let mut events = Events::new(1_000);
    events.push(b"data: a\r\n\r");
    assert_eq!(
        events.next().expect("short").as_deref(),
        Some(&b"data: a\r\n\r"[..])
    );
    events.push(b"\ndata: b\n\n");
    assert_eq!(events.next().expect("short").as_deref(), Some(&b"\n"[..]));
    assert_eq!(
        events.next().expect("short").as_deref(),
        Some(&b"data: b\n\n"[..])
    );
    assert_eq!(events.next(), Ok(None));
}

#[test]
fn long_events_are_refused() {
    let mut events = Events::new(10);
    events.push(&[b'x'; 5_000]);
    assert_eq!(events.next(), Err(TooLong));
}

#[test]
fn data_is_what_clients_read() {
    let read =
        |event: &str| data(event.as_bytes()).map(|data| String::from_utf8(data).expect("text"));
    assert_eq!(read("data: a\n\n").as_deref(), Some("a"));
    assert_eq!(
        read("data:a\nid: 1\ndata:  b\n\n").as_deref(),
        Some("a\n b")
    );
    assert_eq!(
        read("event: message\r\ndata: a\r\n\r\n").as_deref(),
        Some("a")
    );
    assert_eq!(read("\u{feff}data: a\n\n").as_deref(), Some("a"));
    assert_eq!(read("event: ping\ndata: a\n\n"), None);
    assert_eq!(read(": data: a\n\n"), None);
    assert_eq!(read("id: 1\ndata: \n\n"), None);
    assert_eq!(read("dataset: a\n\n"), None);
}

#[test]
fn only_the_words_change() {
    let changed = |event: &str, data: &str| {
        String::from_utf8(with_data(event.as_bytes(), data.as_bytes())).expect("text")
    };
    assert_eq!(
        changed(
            ": c\r\nid: 1\r\ndata: a\r\ndata: b\r\nretry: 5\r\n\r\n",
            "x\n"
        ),
        ": c\r\nid: 1\r\ndata: x\nretry: 5\r\n\r\n"
    );
    assert_eq!(changed("data: a\n\n", "{\n}"), "data: {\ndata: }\n\n");
    assert!(has_id(b"id: 1\ndata: a\n\n") && !has_id(b"data: id: 1\n\n"));
    assert_eq!(event(b"{}\n"), b"event: message\ndata: {}\n\n");
}
