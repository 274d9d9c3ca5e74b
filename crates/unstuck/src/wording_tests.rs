use proptest::prelude::*;

use super::*;

fn names(text: &str, reading: Reading) -> Vec<&str> {
    pieces(text, reading)
        .filter(|piece| !piece.bare.is_empty() && piece.tagged().1 == Nature::Name)
        .map(|piece| piece.bare)
        .collect()
}

/// What a stream says of one word.
fn streamed(word: &str) -> StreamedWord {
    let mut streamed = StreamedWord::default();
    word.chars().for_each(|sign| streamed.push(sign));
    streamed
}

#[test]
fn what_is_a_name_depends_on_the_reading() {
    let text = "Please ask Anna and/or Bob about src/auth.rs, twice. Then can't X?";
    assert_eq!(
        names(text, Reading::Argument),
        ["Anna", "and/or", "Bob", "src/auth.rs"]
    );
    assert_eq!(
        names(text, Reading::Message),
        ["Anna", "and/or", "Bob", "src/auth.rs", "X"]
    );
    for (word, is_name) in [
        ("Anna", false),
        ("src/auth", true),
        ("a.b", true),
        ("end.", false),
        ("readFile", true),
        ("v2", true),
        ("2", false),
        ("`x`", true),
    ] {
        assert_eq!(streamed(word).is_name(), is_name, "{word}");
    }
}

#[test]
fn writing_without_spaces_has_words() {
    let bare = |reading| -> Vec<_> {
        pieces("登录 ok页", reading)
            .map(|piece| piece.bare)
            .collect()
    };
    assert_eq!(bare(Reading::Argument), ["登", "录", "ok", "页"]);
    assert_eq!(bare(Reading::Message), ["登录", "ok页"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn runs_are_what_whitespace_separates(text in "[a-cé中 \\t\\n\\x0b\\x1c\u{85}\u{a0}\u{2003}\u{3000}]{0,24}") {
        let expected: Vec<_> = text.split_whitespace().collect();
        let mut rest = &*text;
        let runs = std::iter::from_fn(|| {
            let (run, letters, after) = next_run(rest)?;
            rest = after;
            let small = run.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(small || letters != Letters::Small);
            Some(run)
        });
        prop_assert_eq!(runs.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sets_are_compared_as_sets(
        later in proptest::collection::btree_set(0..40_u8, 0..30),
        earlier in proptest::collection::btree_set(0..40_u8, 0..30),
        most in 1..40_usize,
    ) {
        let expected = |bound: u8| Comparison {
            shared: later.intersection(&earlier).filter(|item| **item < bound).count(),
            fresh: later.difference(&earlier).filter(|item| **item < bound).count(),
            gone: earlier.difference(&later).filter(|item| **item < bound).count(),
        };
        prop_assert_eq!(Comparison::of(&later, &earlier), expected(u8::MAX));
        let beyond = later.union(&earlier).nth(most).copied().unwrap_or(u8::MAX);
        prop_assert_eq!(Comparison::of_smallest(most, &later, &earlier), expected(beyond));
    }

    #[test]
    fn the_smallest_are_kept(items in proptest::collection::vec(0..60_u8, 0..90), most in 1..20_usize) {
        let mut kept = Vec::new();
        for item in &items {
            keep_smallest(&mut kept, *item, most);
        }
        let all: std::collections::BTreeSet<u8> = items.into_iter().collect();
        prop_assert_eq!(kept, all.into_iter().take(most).collect::<Vec<_>>());
    }
}
