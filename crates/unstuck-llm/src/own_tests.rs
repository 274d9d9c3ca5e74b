use super::*;

#[test]
fn a_denial_names_its_call() {
    let args = Json::parse(r#"{"command":"cat a\nb"}"#).unwrap_or_default();
    let text = denial("[unstuck] The same call again.", "Ba\"sh", &args);
    assert_eq!(
        text,
        "[unstuck] The same call again.\nNot run: \"Ba\\\"sh\" {\"command\":\"cat a\\nb\"}\n"
    );
    assert_eq!(denied(&text), [("Ba\"sh".into(), args)]);
    assert_eq!(without_own(&text), None);
    assert_eq!(
        without_own(&format!("Let me look.\n{text}")).as_deref(),
        Some("Let me look.")
    );
    let goes_on = format!("{text}\n\nI try another file.\n\n{text}\nAnd a third.");
    assert_eq!(
        without_own(&goes_on).as_deref(),
        Some("I try another file.\n\n\nAnd a third.")
    );
    assert_eq!(denied(&goes_on).len(), 2);
}

#[test]
fn a_call_that_is_denied_again_is_named_again() {
    let first = denial(
        "[unstuck] The same call again.",
        "bash",
        &Json::empty_object(),
    );
    let again = denied_again(&first);
    assert_eq!(
        again,
        "[unstuck] This call was not run either.\nNot run: \"bash\" {}\n"
    );
    assert_eq!(denied(&format!("{first}\n\n{again}")).len(), 2);
    assert_eq!(without_own(&format!("{first}\n\n{again}")), None);
}

#[test]
fn arguments_that_are_long_are_left_out() {
    let args = Json::string(&"x".repeat(MOST_ARGUMENTS));
    let text = denial("[unstuck] Again.", "write", &args);
    assert_eq!(text, "[unstuck] Again.\nNot run: \"write\"\n");
    assert_eq!(denied(&text), []);
}

#[test]
fn only_texts_of_this_program_name_denied_calls() {
    assert_eq!(denied("Not run: \"Bash\" {}"), []);
    assert_eq!(denied("[unstuck] x\nNot run: Bash {}"), []);
}

#[test]
fn automatic_continuations_are_not_a_person() {
    for text in [
        "Continue",
        "please continue.",
        "Continue?",
        "Stop hook feedback:\n- Not done yet",
        " Keep going! ",
        "This session is being continued from a previous conversation that ran out of context.",
        "[unstuck] stopped",
    ] {
        assert!(is_automatic(text), "{text}");
    }
    for text in [
        "continue, but read the log first",
        "Try the other file",
        "go on with step 2 and leave the tests alone",
    ] {
        assert!(!is_automatic(text), "{text}");
    }
}
