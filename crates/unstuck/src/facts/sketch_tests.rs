use proptest::prelude::*;

use super::*;
use unstuck_json::Json;

fn sketch(args: &str) -> Option<Sketch> {
    let args = Json::parse(args).unwrap();
    Sketch::of(
        &Fingerprinter::default(),
        "search_docs",
        &Args::new(args.view()),
        None,
    )
}

/// How two queries compare.
fn queries(first: &str, second: &str) -> Likeness {
    let of = |query| sketch(&format!(r#"{{"query":"{query}","site":"a"}}"#)).unwrap();
    of(first).likeness(&of(second))
}

/// How two sentences compare.
fn sentences(first: &str, second: &str) -> Likeness {
    let of = |text| sketch(&format!(r#"{{"id":7,"status":"{text}"}}"#)).unwrap();
    of(first).likeness(&of(second))
}

#[test]
fn data_has_no_sketch() {
    for args in [
        "{}",
        "3",
        r#"{"path":"src/a.rs","limit":3}"#,
        r#"{"name":"a short name of things"}"#,
        r#"{"code":"for i in range(10): x[i] = y[i] + 1; print(x[i], y[i])"}"#,
        r#"{"ids":["a1 b2 c3 d4 e5 f6 g7 h8 i9","a2"]}"#,
    ] {
        assert_eq!(sketch(args), None, "{args}");
    }
}

#[test]
fn a_tool_that_searches_takes_a_bare_query() {
    assert!(sketch(r#""token refresh""#).is_some());
    let args = Json::parse(r#""token refresh""#).unwrap();
    assert_eq!(
        Sketch::of(
            &Fingerprinter::default(),
            "open",
            &Args::new(args.view()),
            None
        ),
        None
    );
}

#[test]
fn a_query_is_reworded() {
    for (first, second) in [
        ("foo bar error", "error foo bar"),
        ("foo bar error", "Foo bar errors python"),
        ("foo bar error python 3.11", "foo bar error python"),
        ("how to fix the foo bar error", "foo bar error how to solve"),
        ("登录 页面 错误", "登录页面的错误"),
    ] {
        assert_eq!(
            queries(first, second),
            Likeness::Reworded,
            "{first} / {second}"
        );
        assert_eq!(
            queries(second, first),
            Likeness::Reworded,
            "{second} / {first}"
        );
    }
}

#[test]
fn another_query_is_not() {
    for (first, second, likeness) in [
        (
            "weather london tomorrow",
            "weather paris tomorrow",
            Likeness::Swapped,
        ),
        (
            "weather in London today",
            "today weather in Paris",
            Likeness::Swapped,
        ),
        (
            "issue 123 in parser",
            "issue 124 in the parser",
            Likeness::Swapped,
        ),
        ("foo", "foo bar", Likeness::Different),
        (
            "best pizza in town",
            "cheap flights to rome",
            Likeness::Different,
        ),
    ] {
        assert_eq!(queries(first, second), likeness, "{first} / {second}");
    }
}

#[test]
fn a_sentence_is_reworded() {
    let first = "The section is final and needs no further edits from this side, as reported";
    for second in [
        "The section is final and needs no further edits from this side; nothing else is open",
        "As before, the section is final and needs no further edits of any kind from this side",
    ] {
        assert_eq!(sentences(first, second), Likeness::Reworded, "{second}");
    }
}

#[test]
fn a_sentence_about_something_else_is_not() {
    let first = "Please delete the account of customer smith and confirm when it is done";
    for second in [
        "Please delete the account of customer jones and confirm when it is done",
        "Please delete the account of customer mary jane jones and confirm when it is done",
    ] {
        assert_eq!(sentences(first, second), Likeness::Swapped, "{second}");
    }
    let first = "Check the opening hours of Olio, Sneekers and Palace to see which are open late";
    let second = "Check the opening hours of Sneekers and Palace to see which are open late";
    assert_eq!(
        sentences(first, second),
        Likeness::Swapped,
        "a list is worked off"
    );
    let first = "So far 10 of the 90 records were copied and all of them are fine";
    let second = "All is fine, and so far 20 of the 90 records were copied without a hitch";
    assert_ne!(
        sentences(first, second),
        Likeness::Reworded,
        "a number moves"
    );
}

#[test]
fn other_data_is_another_call() {
    let of = |args: &str| sketch(args).unwrap();
    let first = of(r#"{"query":"foo bar error","site":"a"}"#);
    for other in [
        r#"{"query":"foo bar error","site":"b"}"#,
        r#"{"query":"foo bar error","page":2,"site":"a"}"#,
        r#"{"q":"foo bar error","site":"a"}"#,
    ] {
        assert_eq!(first.likeness(&of(other)), Likeness::Different, "{other}");
    }
}

#[test]
fn a_sketch_has_a_fixed_size() {
    assert!(size_of::<Sketch>() <= 216, "{}", size_of::<Sketch>());
    let long = "all kinds of words that go on and on ".repeat(60);
    let Some(sketch) = sketch(&format!(r#"{{"query":"{long}"}}"#)) else {
        panic!("no sketch");
    };
    let stored = postcard::to_allocvec(&sketch).unwrap();
    assert!(stored.len() <= 10 + 2 + WORDS * 5, "{}", stored.len());
}

#[test]
fn a_stored_sketch_with_too_many_words_is_refused() {
    let stored = Stored {
        frame: Mark(1),
        words: vec![Word(2); WORDS + 1],
        wording: Wording::Query,
    };
    let bytes = postcard::to_allocvec(&stored).unwrap();
    assert!(postcard::from_bytes::<Sketch>(&bytes).is_err());
}

fn words() -> impl Strategy<Value = Vec<Word>> {
    proptest::collection::vec(
        (0..60_u32).prop_map(|word| Word(word.wrapping_mul(0x9e37_79b1))),
        0..=WORDS,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_look_refuses_nothing_that_is_alike(first in words(), second in words()) {
        use std::collections::BTreeSet;
        let sets = [&first, &second].map(|words| words.iter().copied().collect::<BTreeSet<_>>());
        let common = sets[0].intersection(&sets[1]).count();
        let all = sets[0].union(&sets[1]).count();
        let [a, b] = [&first, &second].map(|words| Sketch::new(Mark(1), words, Wording::Query));
        let alike = common >= FEWEST_COMMON && common * 2 >= all;
        prop_assert_eq!(a.likeness(&b) != Likeness::Different, alike);
        prop_assert_eq!(a.likeness(&b), b.likeness(&a));
    }

    #[test]
    fn a_sample_is_the_same_whatever_the_order(mut words in proptest::collection::vec(any::<u32>().prop_map(Word), 49..200)) {
        let mut first = words.clone();
        sample(&mut first);
        words.reverse();
        sample(&mut words);
        first.sort_unstable();
        words.sort_unstable();
        prop_assert!(first.len() <= WORDS);
        prop_assert_eq!(first, words);
    }

    #[test]
    fn any_arguments_have_a_sketch_or_none(text in ".{0,200}", name in "[a-z_]{0,8}|query|q") {
        let args = serde_json::json!({ name: [text, { "inner": 1 }] }).to_string();
        if let Some(found) = sketch(&args) {
            prop_assert_eq!(sketch(&args), Some(found));
            let stored = postcard::to_allocvec(&found).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Sketch>(&stored).unwrap(), found);
        }
    }
}

#[test]
fn words_that_were_cut_in_advance_make_the_same_sketch() {
    for args in [
        r#"{"query":"fix the Login bug in src/auth.py, twice"}"#,
        r#"{"query":"ÜBER die Brücke; 漢字 classes","site":"a","q":"another question of the call"}"#,
        r#"{"query":"a \"quoted\" word or two"}"#,
        r#"{"query":["several","words of a query"]}"#,
        r#"{"query":""}"#,
        r#"{"query":7}"#,
        r#"{"id":7,"status":"the report about the build was not sent to the team today"}"#,
    ] {
        let args = Json::parse(args).unwrap();
        let args = Args::new(args.view());
        let asked = CutQuery::of(&args);
        let of = |asked| Sketch::of(&Fingerprinter::default(), "search_docs", &args, asked);
        assert_eq!(of(asked.as_ref()), of(None), "{}", args.whole);
    }
}
