use super::{ACKNOWLEDGING, COUNTED, FILLING, NEGATING, is_only_wrapping, says_nothing};
use unstuck_json::Json;

fn of(json: &str) -> bool {
    says_nothing(Some(&Json::parse(json).unwrap()))
}

#[test]
fn no_output_says_nothing() {
    assert!(says_nothing(None));
    for empty in [
        "null",
        r#""""#,
        r#""\n""#,
        "[]",
        "{}",
        "0",
        r#"{"results":[],"total":0}"#,
        r#"{"stdout":"","stderr":"","exit_code":0}"#,
        r#""(no output)""#,
        r#""<returncode>0</returncode>\n<output>\n</output>""#,
        r#""\n[Python Interpreter: /usr/bin/python]\n[Command finished with exit code 0]""#,
        r#""[The command completed with exit code 0.]\n[Current working directory: /srv/app]\n[Command finished with exit code 0]""#,
    ] {
        assert!(of(empty), "{empty}");
    }
}

#[test]
fn an_acknowledgement_says_nothing() {
    for acknowledgement in [
        "true",
        r#""ok""#,
        r#""Updated.""#,
        r#""Certificate sent.""#,
        r#""The invoice has been created successfully""#,
        r#"{"ok":true}"#,
        r#"{"status":"success"}"#,
    ] {
        assert!(of(acknowledgement), "{acknowledgement}");
    }
}

#[test]
fn the_answer_that_there_is_nothing_says_nothing() {
    for nothing in [
        r#""No matches found""#,
        r#""No files found""#,
        r#""0 results""#,
        r#""Found 0 files""#,
        r#""none""#,
        r#""Nothing found.""#,
    ] {
        assert!(of(nothing), "{nothing}");
    }
}

#[test]
fn a_short_text_may_say_something() {
    for text in [
        r#""denied""#,
        r#""not found""#,
        r#""Please complete the captcha""#,
        r#""Access denied: the request was not sent""#,
        r#""Error: created with errors""#,
        r#""42""#,
        "17",
        r#""Paris""#,
        r#"{"state":"queued"}"#,
        r#"{"total":3}"#,
        r#""The order was sent to Berlin by courier on Monday""#,
    ] {
        assert!(!of(text), "{text}");
    }
}

#[test]
fn the_exit_code_tells_wrapping_apart() {
    let text = "[Python Interpreter: /usr/bin/python]\n[Command finished with exit code 1]";
    assert!(is_only_wrapping(text, "1"));
    assert!(!is_only_wrapping(text, "0"));
    assert!(!is_only_wrapping("Command finished, 3 lines", "0"));
}

#[test]
fn every_word_of_a_list_is_found_in_any_case_and_no_other_word() {
    for list in [&ACKNOWLEDGING, &COUNTED, &FILLING, &NEGATING] {
        for word in list.words {
            assert!(list.has(word) && list.has(&word.to_uppercase()), "{word}");
            for other in [format!("{word}x"), format!("x{word}"), word.repeat(9)] {
                assert!(!list.has(&other), "{other}");
            }
        }
        for other in ["", "0", "_", "{", "`", "ärger", &"a".repeat(40)] {
            assert!(!list.has(other), "{other}");
        }
    }
}
