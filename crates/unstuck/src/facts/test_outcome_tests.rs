use super::*;
use crate::vocab::phrases::Phrase;

fn outcome(output: &str, status: Status, exit_code: Option<i64>) -> Outcome {
    Outcome {
        status,
        exit_code,
        ..Outcome::ok("1", Json::string(output))
    }
}

fn without_code(output: &str) -> Option<TestOutcome> {
    of(&outcome(output, Status::Ok, None), CompareCalls::Standard)
}

#[test]
fn summaries_of_runners_are_recognised() {
    let failed = |text: &str| without_code(text) == Some(TestOutcome::Failed);
    let passed = |text: &str| without_code(text) == Some(TestOutcome::Passed);
    let all = |phrases: &[Phrase], recognised: &dyn Fn(&str) -> bool| {
        for phrase in phrases {
            let spelled = Json::string(phrase.matches);
            assert!(spelled.as_str().contains(phrase.text), "{}", phrase.text);
            assert!(recognised(phrase.matches), "{}", phrase.matches);
            assert!(!recognised(phrase.differs), "{}", phrase.differs);
        }
    };
    all(&runners::COUNTED_BEFORE, &failed);
    all(&runners::COUNTED_BEHIND, &failed);
    all(&runners::FAILED, &failed);
    all(&runners::PASSED, &passed);
    for phrase in runners::COUNTED_BEFORE
        .iter()
        .chain(&runners::COUNTED_BEHIND)
    {
        assert!(passed(phrase.differs), "{}", phrase.differs);
    }
}

#[test]
fn a_test_run_is_judged_by_its_exit_code_before_its_words() {
    let judge = |output: &str, code| of(&outcome(output, Status::Ok, code), CompareCalls::Standard);
    assert_eq!(judge("3 passed", Some(1)), Some(TestOutcome::Failed));
    assert_eq!(
        judge("ERROR in a log line", Some(0)),
        Some(TestOutcome::Passed)
    );
    assert_eq!(judge("2 failed, 3 passed", None), Some(TestOutcome::Failed));
    assert_eq!(judge("0 failed, 3 passed", None), Some(TestOutcome::Passed));
    assert_eq!(judge("nothing to say", None), None);
}

#[test]
fn attocode_judges_by_words_alone() {
    let judge = |output: &str| {
        of(
            &outcome(output, Status::Error, Some(1)),
            CompareCalls::Primary,
        )
    };
    assert_eq!(judge("0 failed, 5 passed"), Some(TestOutcome::Failed));
    assert_eq!(judge("5 passed"), Some(TestOutcome::Passed));
    assert_eq!(judge("line\n12 failed"), Some(TestOutcome::Failed));
    assert_eq!(judge("it failed"), None);
}
