use super::*;

#[test]
fn a_string_loses_its_quotes_and_escapes_even_where_it_is_cut_off() {
    assert_eq!(readable(r#""a\n\"b\" \u0007c""#), "a\n\"b\" \u{7}c");
    assert_eq!(readable(r#""cut \u00"#), "cut \0");
    assert_eq!(readable(r#""cut\"#), "cut");
    assert_eq!(readable(r#"{"a":1}"#), r#"{"a":1}"#);
}

#[test]
fn a_text_becomes_one_line_of_limited_length() {
    assert_eq!(shorten(" a\n\n b\tc ", 10), "a b c");
    assert_eq!(shorten("äöü äöü", 5), "äöü ä…");
    assert_eq!(cut("one\ntwo", 5), "one\nt…");
    assert_eq!(cut("one", 3), "one");
}

#[test]
fn what_a_harness_puts_around_an_output_is_left_out() {
    let codex =
        "Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code 7\nOutput:\nrefused\n";
    assert_eq!(unwrapped(codex), "refused\n");
    let gemini = "<untrusted_context>\nOutput: no rule\nExit Code: 2\n</untrusted_context>";
    assert!(unwrapped(gemini).starts_with("no rule\n"));
    let silent = "Chunk ID: 0a\nProcess exited with code 7\nOutput:\n";
    assert_eq!(unwrapped(silent), silent);
    assert_eq!(unwrapped("plain"), "plain");
}
