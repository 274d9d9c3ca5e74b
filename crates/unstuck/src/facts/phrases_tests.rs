//! Runs the examples of all phrases through the functions that use them.

use super::{
    Ending, Polling, Refused, Speaker, failure_lines::FailureLines, noop_reply, polling, refusal,
    shell, silence,
};
use crate::{
    event::Outcome,
    normalize::normalize,
    vocab::phrases::{
        Phrase,
        bad_arguments::{BAD_JSON, CALLED, CONDITIONS, FORM, FORM_OF_NAMED, OF_ARGUMENTS, VALUE},
        refusals::{
            BEFORE_NAME, BEHIND_NAME, COMPLAINTS, OF_THE_HOST, QUOTES, UNKNOWN_NAME, UNKNOWN_TOOL,
        },
        replies::{
            HOST_NUMBERS, NOTES, OVERLOADED, SILENT_WRAPPING, STATUS_CODES, STATUS_INTRODUCTIONS,
            UNCHANGED, UNDER_WAY,
        },
        runners::WRONG,
    },
};
use unstuck_json::Json;

/// Every phrase is in its example, recognised there, and not recognised in the other one.
fn examples(phrases: &[Phrase], recognised: impl Fn(&str) -> bool) {
    for phrase in phrases {
        let example = phrase.matches.replace('\n', " ").to_lowercase();
        let Phrase { text, origin, .. } = phrase;
        assert!(!origin.is_empty(), "{text}");
        assert!(example.contains(&text.to_lowercase()), "{text}");
        assert!(recognised(phrase.matches), "{text}: {}", phrase.matches);
        assert!(!recognised(phrase.differs), "{text}: {}", phrase.differs);
    }
}

fn failed(text: &str) -> Refused {
    refusal::of(Some(&Json::string(text)), true, "fetch_page", Speaker::Tool)
}

#[test]
fn phrases_about_unknown_tools_are_recognised() {
    let unknown = |text: &str| failed(text) == Refused::UnknownTool;
    examples(&UNKNOWN_TOOL, unknown);
    examples(&UNKNOWN_NAME, unknown);
    examples(&BEFORE_NAME, unknown);
    examples(&BEHIND_NAME, unknown);
}

#[test]
fn phrases_about_arguments_are_recognised() {
    let form = |text: &str| matches!(failed(text), Refused::Form(_));
    examples(&FORM, form);
    examples(&FORM_OF_NAMED, form);
    examples(&BAD_JSON, form);
    examples(&OF_ARGUMENTS, form);
    examples(&CALLED, form);
    examples(&CONDITIONS, |text| !form(text));
    examples(&VALUE, |text| matches!(failed(text), Refused::Value(_)));
}

#[test]
fn text_behind_a_quotation_does_not_tell_errors_apart() {
    examples(&QUOTES, |text| {
        let with = |end: &str| failed(&format!("{text}{end}"));
        with("a") == with("b")
    });
}

#[test]
fn phrases_of_hosts_count_for_code_too() {
    examples(&OF_THE_HOST, |text| {
        let output = Json::string(text);
        refusal::of(Some(&output), true, "fetch_page", Speaker::Code) != Refused::No
    });
}

#[test]
fn a_success_that_begins_with_a_complaint_is_none() {
    examples(&COMPLAINTS, |text| {
        let output = Json::string(text);
        refusal::of(Some(&output), false, "fetch_page", Speaker::Tool) != Refused::No
    });
}

#[test]
fn phrases_about_waiting_are_recognised() {
    let waits = |ending| {
        move |text: &str| {
            polling::of_result(Polling::IfSaid, Some(&Json::string(text)), ending).is_some()
        }
    };
    examples(&UNDER_WAY, waits(Ending::Success));
    for phrases in [&OVERLOADED[..], &STATUS_CODES, &STATUS_INTRODUCTIONS] {
        examples(phrases, waits(Ending::Failure));
    }
}

#[test]
fn replies_about_nothing_are_recognised() {
    examples(&UNCHANGED, |text| {
        noop_reply::says_unchanged(Some(&Json::string(text)))
    });
    examples(&SILENT_WRAPPING, |text| {
        shell::answers_no(&Outcome::error("c", Json::string(text)))
    });
}

#[test]
fn numbers_of_hosts_do_not_count() {
    examples(&HOST_NUMBERS, |text| {
        let canonical = Json::string(text);
        normalize(canonical.as_str()) != canonical.as_str().as_bytes()
    });
}

#[test]
fn lines_of_runners_say_what_was_wrong() {
    examples(&WRONG, |text| {
        let mut lines = FailureLines::default();
        lines.read(text);
        lines.mark().is_some()
    });
}

#[test]
fn notes_of_hosts_say_nothing() {
    examples(&NOTES, |text| {
        silence::says_nothing(Some(&Json::string(text)))
    });
}
