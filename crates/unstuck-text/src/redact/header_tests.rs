use super::*;

#[test]
fn the_end_of_a_line_is_found_from_anywhere() {
    let text = "a b\nc \" d e\nf";
    let ends = |from: usize| text[from..].find(ENDS).map_or(text.len(), |end| from + end);
    for first in 1..text.len() {
        let mut line = Line::default();
        assert_eq!(line.end(text, first), ends(first));
        for second in 1..text.len() {
            assert_eq!(line.end(text, second), ends(second), "{first}, {second}");
        }
    }
}

#[test]
fn a_line_may_name_a_header_many_times() {
    let line = "Authorization: Basic dXNlcjpwYXNz1 ".repeat(3);
    let text = format!("{line}\nCookie: a=b; c=d");
    assert_eq!(
        crate::redact(&text),
        "Authorization: Basic [redacted] \nCookie: [redacted]"
    );
}
