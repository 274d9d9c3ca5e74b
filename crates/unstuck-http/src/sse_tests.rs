use super::*;

/// The events of a stream, the same however it is cut, as they are written and as they are read.
fn read(stream: &[u8]) -> Vec<(String, Option<String>)> {
    let events = |size: usize| {
        let mut events = Events::new(1_000);
        let mut found = Vec::new();
        for part in stream.chunks(size) {
            events.push(part);
            while let Some(event) = events.next_event().expect("short events") {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let message = event.message().map(<[u8]>::to_vec);
                found.push((
                    text(&event.write(message.as_deref())),
                    message.as_deref().map(text),
                ));
            }
        }
        found
    };
    let whole = events(stream.len().max(1));
    for size in 1..5 {
        assert_eq!(events(size), whole, "by {size}");
    }
    whole
}

fn messages(stream: &str) -> Vec<Option<String>> {
    let read = read(stream.as_bytes()).into_iter();
    read.map(|(_, message)| message).collect()
}

fn written(stream: &str) -> String {
    let read = read(stream.as_bytes()).into_iter();
    read.map(|(written, _)| written).collect()
}

#[test]
fn events_end_with_an_empty_line_of_any_kind() {
    for stream in [
        "data: a\n\ndata: b\n\n",
        "data: a\r\n\r\ndata: b\r\n\r\n",
        "data: a\r\rdata: b\r\r",
        "data: a\n\r\ndata: b\r\n\n",
        "\n\r\r\ndata: a\r\n\r\n\ndata: b\n\r",
        "data: a\n\ndata: b\n\ndata: rest",
    ] {
        assert_eq!(written(stream), "data: a\n\ndata: b\n\n", "{stream:?}");
    }
}

#[test]
fn an_event_is_given_out_as_soon_as_it_is_whole() {
    let mut events = Events::new(1_000);
    events.push(b"data: a\r\n\r");
    assert_eq!(
        events
            .next_event()
            .map(|event| event.map(|event| event.write(None))),
        Ok(Some(b":\n\n".to_vec()))
    );
    events.push(b"\ndata: b\n\n");
    let next = events.next_event().expect("short").expect("an event");
    assert_eq!(next.message(), Some(&b"b"[..]));
    assert_eq!(events.next_event(), Ok(None));
}

#[test]
fn long_events_are_refused() {
    for line in ["data: ", ": ", "id: ", "unknown"] {
        for end in ["", "\n", "\n\n"] {
            let mut events = Events::new(10);
            let line = format!("{line}{}{end}", "x".repeat(5_000));
            events.push(line.as_bytes());
            assert_eq!(events.next_event(), Err(TooLong), "{end:?}");
        }
    }
    let mut events = Events::new(10);
    let mut refused = false;
    for _ in 0..1_000 {
        events.push(b": comment\n");
        refused |= events.next_event().is_err();
    }
    assert!(refused);
}

#[test]
fn an_unfinished_event_takes_the_memory_that_is_reported() {
    // Lines of any kind, and far more of them than an event may have fields.
    for line in [
        ":\n",
        ": a\n",
        "data\n",
        "data: a\n",
        "id: 1\n",
        "event: a\n",
        "retry: 1\n",
        "x\n",
    ] {
        let mut events = Events::new(1 << 20);
        let stream = line.repeat((1 << 20) / line.len());
        for part in stream.as_bytes().chunks(64 << 10) {
            events.push(part);
            assert_eq!(events.next_event(), Ok(None));
            assert!(events.unread() <= (1 << 20) + (128 << 10), "{line:?}");
            assert!(events.unread() >= events.event.capacity());
        }
        let data = events.event.data.as_ref().map_or(0, Vec::len);
        assert!(events.unread() >= data);
        assert!(events.event.capacity() <= 2 * data + 64, "{line:?}");
    }
    // A long line that is not complete, and the same once it is.
    let mut events = Events::new(1 << 20);
    let line = format!("data: {}", "x".repeat(1 << 20));
    for part in line.as_bytes().chunks(1_000) {
        events.push(part);
        assert_eq!(events.next_event(), Ok(None));
    }
    assert!((1 << 20..=(1 << 20) + SLACK).contains(&events.unread()));
    events.push(b"\n");
    assert_eq!(events.next_event(), Ok(None));
    assert!((1 << 20..=(1 << 20) + 5 * SLACK).contains(&events.unread()));
    events.push(b"\n");
    assert!(events.next_event().is_ok_and(|event| event.is_some()));
    assert!(events.unread() <= 5 * SLACK);
}

#[test]
fn an_event_keeps_one_comment() {
    assert_eq!(written(":\n: a\n: b\ndata: 1\n\n"), ":\ndata: 1\n\n");
    assert_eq!(written(": a\n: b\n\n: c\n\n"), ": a\n\n: c\n\n");
}

#[test]
fn fields_are_read_by_the_rules_of_the_standard() {
    let one = |stream: &str| {
        let mut all = messages(stream);
        assert_eq!(all.len(), 1, "{stream:?}");
        all.remove(0)
    };
    for (stream, message) in [
        ("data: a\n\n", Some("a")),
        ("data:a\nid: 1\ndata:  b\n\n", Some("a\n b")),
        ("event: message\r\ndata: a\r\n\r\n", Some("a")),
        ("event\ndata: a\n\n", Some("a")),
        ("event:\ndata: a\n\n", Some("a")),
        // The last one applies.
        ("event: other\nevent: message\ndata: a\n\n", Some("a")),
        ("event: message\ndata: a\nevent: other\n\n", None),
        ("event: other\nevent:\ndata: a\n\n", Some("a")),
        ("event: ping\ndata: a\n\n", None),
        ("event: Message\ndata: a\n\n", None),
        ("event:  message\ndata: a\n\n", None),
        // A mark at the beginning is skipped, one elsewhere is a part of a name that means nothing.
        ("\u{feff}data: a\n\n", Some("a")),
        ("data: a\n\u{feff}event: other\n\n", Some("a")),
        ("data\ndata: a\n\n", Some("\na")),
        ("Data: b\ndata: a\n\n", Some("a")),
        (" data: b\ndata: a\n\n", Some("a")),
        (": data: a\n\n", None),
        ("id: 1\ndata: \n\n", None),
    ] {
        assert_eq!(one(stream).as_deref(), message, "{stream:?}");
    }
    assert!(messages("dataset: a\n\n").is_empty());
    assert_eq!(messages("data: a\n\n\u{feff}data: b\n\n").len(), 1);
}

#[test]
fn what_is_written_is_read_in_one_way() {
    for (stream, expected) in [
        ("id: 1\ndata: \n\n", "id: 1\ndata: \n\n"),
        (
            ": hello\n\nid: 7\nevent: message\ndata: {}\n\n",
            ": hello\n\nid: 7\nevent: message\ndata: {}\n\n",
        ),
        (
            "event: other\nevent: message\ndata: {}\n\n",
            "event: message\ndata: {}\n\n",
        ),
        (
            "id: 1\nid: 2\nretry: 5\ndata: {}\n\n",
            "id: 2\nretry: 5\ndata: {}\n\n",
        ),
        // Neither what official clients ignore nor what others would take for a line end.
        ("event: other\nid: 3\ndata: {}\n\n", "id: 3\ndata: \n\n"),
        ("event: other\ndata: {}\n\n", ":\n\n"),
        (": a\u{2028}data: {}\ndata: 1\n\n", ":\ndata: 1\n\n"),
        ("id: a\u{85}data: {}\ndata: 1\n\n", "data: 1\n\n"),
        ("id: a\0\ndata: 1\n\n", "data: 1\n\n"),
        ("retry: 5x\nother: {}\ndata: 1\n\n", "data: 1\n\n"),
        ("data: {\r\ndata: }\r\n\r\n", "data: {\ndata: }\n\n"),
    ] {
        assert_eq!(written(stream), expected, "{stream:?}");
        assert_eq!(written(expected), expected);
    }
    assert_eq!(read(b"id: \xff\ndata: 1\n\n")[0].0, "data: 1\n\n");
    assert_eq!(event(b"{}\n"), b"event: message\ndata: {}\n\n");
    assert_eq!(
        event(b"{\r\n}"),
        b"event: message\ndata: {\ndata: \ndata: }\n\n"
    );
}

#[test]
fn only_ids_let_a_stream_be_resumed() {
    let has_id = |stream: &[u8]| {
        let mut events = Events::new(100);
        events.push(stream);
        events
            .next_event()
            .expect("short")
            .expect("an event")
            .has_id()
    };
    assert!(has_id(b"id: 1\ndata: a\n\n"));
    assert!(!has_id(b"data: id: 1\n\n") && !has_id(b"id:\ndata: a\n\n"));
}
