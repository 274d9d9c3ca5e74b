use super::*;

fn split(stream: &[u8], size: usize) -> Vec<String> {
    let mut frames = Frames::default();
    let mut found = Vec::new();
    for chunk in stream.chunks(size) {
        frames.push(chunk);
        while let Some(span) = frames.next() {
            found.push(String::from_utf8_lossy(&frames.buffer[span]).into_owned());
        }
    }
    found
}

#[test]
fn events_end_with_an_empty_line_however_they_are_cut() {
    let stream = b": hi\r\n\r\ndata: a\n\nevent: x\rdata: b\r\rdata: c\ndata: d\n\ndata: rest";
    for size in 1..stream.len() {
        assert_eq!(
            split(stream, size),
            [
                ": hi\r\n\r\n",
                "data: a\n\n",
                "event: x\rdata: b\r\r",
                "data: c\ndata: d\n\n"
            ],
            "{size}"
        );
    }
}

#[test]
fn data_lines_are_joined() {
    assert_eq!(data_of(b"event: x\r\ndata: a\r\ndata:b\r\n\r\n"), "a\nb");
    assert_eq!(data_of(b": comment\n\n"), "");
}

#[test]
fn an_event_without_an_end_is_passed_on() {
    let mut stream = AnswerStream::new(Form::Anthropic, &Settings::default());
    let mut out = stream.push(b"data: {", |_| None);
    assert_eq!(out, b"");
    let rest = vec![b'x'; LONGEST];
    out = stream.push(&rest, |_| None);
    assert_eq!(out.len(), LONGEST + 7);
    assert_eq!(stream.push(b"\n\nmore", |_| None), b"\n\nmore");
}
