use super::*;

/// After how many sentences some are found to say the same.
fn found(sentences: &[&str]) -> Option<usize> {
    let mut all = Sentences::default();
    sentences
        .iter()
        .position(|sentence| {
            for text in sentence.split(' ') {
                let mut word = StreamedWord::default();
                text.chars().for_each(|sign| word.push(sign));
                if !word.is_empty() {
                    all.begin(1, 1);
                    all.word(&word);
                }
            }
            all.end().is_some()
        })
        .map(|at| at + 1)
}

const PARAPHRASES: [&str; 15] = [
    "I have to fix the failing login test before anything else.",
    "The login test that fails must be fixed now.",
    "So the first thing is a fix for the login test, which is failing.",
    "Fixing the test of the login that fails comes first.",
    "Let me get the failing test for login fixed.",
    "Clearly the login has a failing test and I will fix it.",
    "Right, a fix is needed since the login test keeps failing.",
    "What remains is that failing login test, which needs fixing.",
    "The test is failing for login, so fixing that test it is.",
    "I am going to fix that failing test of the login.",
    "The fix for the login and its failing test is what I do next.",
    "Okay, login test failing, fix required.",
    "We need a login test that does not fail, so fix it.",
    "My job is fixing the test for login because it fails.",
    "Next up: the failing login test gets its fix.",
];

#[test]
fn fifteen_paraphrases_of_one_sentence_are_found() {
    let at = found(&PARAPHRASES);
    assert!(at.is_some_and(|at| at <= 12), "{at:?}");
}

#[test]
fn other_sentences_in_between_do_not_hide_them() {
    let other = "Nothing else matters much at the moment.";
    let mixed: Vec<_> = PARAPHRASES
        .iter()
        .flat_map(|sentence| [*sentence, other])
        .collect();
    assert!(found(&mixed).is_some());
}

#[test]
fn a_report_in_one_form_about_other_things_is_left_alone() {
    let parts = [
        "parser", "lexer", "printer", "planner", "loader", "mapper", "socket", "ledger", "widget",
        "journal", "codec", "broker", "reader", "gateway", "archive",
    ];
    for form in [
        "The {} module is implemented and its unit tests pass.",
        "All tests of the {} pass and its documentation is complete.",
        "Moved the {} settings into the shared configuration file.",
    ] {
        let report: Vec<_> = parts.iter().map(|part| form.replace("{}", part)).collect();
        let report: Vec<_> = report.iter().map(String::as_str).collect();
        assert_eq!(found(&report), None, "{form}");
    }
}

#[test]
fn a_report_with_other_numbers_is_left_alone() {
    let report: Vec<_> = (10..40)
        .map(|n| format!("Batch {n} of the import finished without errors."))
        .collect();
    let report: Vec<_> = report.iter().map(String::as_str).collect();
    assert_eq!(found(&report), None);
}

#[test]
fn equal_sentences_of_a_report_are_left_alone() {
    let report = [
        "The space is inside the math mode.",
        "So the space is lost.",
    ]
    .repeat(15);
    assert_eq!(found(&report), None);
}

#[test]
fn sentences_about_other_names_are_left_alone() {
    let names: Vec<_> = (0..15)
        .map(|n| PARAPHRASES[n].replace("login", &format!("login_{n}")))
        .collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert_eq!(found(&names), None);
}

#[test]
fn an_argument_that_moves_on_is_left_alone() {
    let thoughts = [
        "The request reaches the server without its token.",
        "The token is stored by the session when the person signs in.",
        "The session is created before the request is sent.",
        "That order looks correct in the code of the client.",
        "But the client retries a request when the server is busy.",
        "On a retry the session is built again from the stored state.",
        "The stored state does not hold the token.",
        "So a retried request has a session without a token.",
        "The fix is to store the token with the state.",
        "Then the retried request carries it as well.",
        "I should also look for other places that build a session.",
        "The tests of the client cover only the first request.",
        "A test for the retry has to be added.",
        "It needs a server that is busy once.",
        "Such a server exists in the helpers of the tests.",
    ];
    assert_eq!(found(&thoughts), None);
}

#[test]
fn memory_is_bounded() {
    let mut all = Sentences::default();
    for n in 0..5_000_u32 {
        let mut word = StreamedWord::default();
        format!("word{}", char::from_u32(97 + n % 26).unwrap())
            .chars()
            .for_each(|sign| word.push(sign));
        all.begin(u64::from(n), 1);
        all.word(&word);
    }
    assert!(all.draft.words.len() <= MOST_WORDS);
    assert!(all.draft.pairs.len() <= MOST_WORDS);
}
