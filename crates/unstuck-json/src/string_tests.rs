use std::cmp::Ordering;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

fn canonical_key(key: &str) -> String {
    let mut quoted = String::new();
    write_quoted(key, &mut quoted);
    quoted[1..quoted.len() - 1].to_owned()
}

/// What `run_end` says, byte by byte.
fn slow_run_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'\\' if bytes.get(at + 1).is_some_and(|&byte| is_short_escape(byte)) => 2,
            b'"' | b'\\' | 0..0x20 => break,
            _ => 1,
        };
    }
    at
}

#[test]
fn every_byte_is_special_or_not_at_every_place_of_a_word() {
    for byte in 0..=u8::MAX {
        for place in 0..24 {
            let mut text = [b'x'; 24];
            text[place] = byte;
            let special = byte < 0x20 || byte == b'"' || byte == b'\\';
            let expected = if special { place } else { text.len() };
            assert_eq!(find_special(&text, 0), expected, "{byte:#x} at {place}");
        }
    }
}

#[test]
fn every_pair_of_bytes_ends_a_run_or_not_at_every_place_of_a_block() {
    for place in [0, 15, 16, 17, 30, 31, 32, 33, 46] {
        for first in [b'"', b'\\', b'x', 0x1f, 0xc3] {
            for second in 0..=u8::MAX {
                let mut text = [b'x'; 64];
                text[place] = first;
                text[place + 1] = second;
                assert_eq!(
                    run_end(&text, 0),
                    slow_run_end(&text),
                    "{first:#x} {second:#x} at {place}"
                );
            }
        }
    }
}

#[test]
fn every_control_character_survives_a_round_trip() {
    for code in 0..0x80_u8 {
        let character = char::from(code);
        let key = canonical_key(&character.to_string());
        let mut decoded = String::new();
        let end = unescape(&format!("{key}\""), 0, &mut decoded, Reading::Exact).unwrap();
        assert_eq!((decoded, end), (character.to_string(), key.len() + 1));
    }
}

#[test]
fn a_surrogate_pair_is_one_character_and_half_a_pair_is_none() {
    assert_eq!(escape(br"\ud83d\ude00", 0), Ok(('😀', 12)));
    for half in [
        r"\ud83d",
        r"\ud83dx",
        r"\ud83d\n",
        r"\ud83dA",
        r"\ude00\ud83d",
    ] {
        assert_eq!(
            escape(half.as_bytes(), 0),
            Err(JsonError::LoneSurrogate { at: 0 }),
            "{half}"
        );
    }
    assert_eq!(escape(br"\ud83d\u12", 0), Err(JsonError::End { at: 10 }));
    assert_eq!(
        escape(br"\ud83d\uzzzz", 0),
        Err(JsonError::Escape { at: 6 })
    );
}

#[test]
fn keys_beyond_the_basic_plane_sort_before_its_last_part() {
    assert_eq!(
        compare_keys("\u{10000}".as_bytes(), "\u{e000}".as_bytes()),
        Ordering::Less
    );
    assert_eq!(
        compare_keys("\u{10ffff}".as_bytes(), "\u{ffff}\\n".as_bytes()),
        Ordering::Less
    );
    assert_eq!(
        compare_keys("\u{d7ff}".as_bytes(), "\u{10000}".as_bytes()),
        Ordering::Less
    );
}

/// Characters around every border where orders of keys could differ.
fn border_text() -> impl Strategy<Value = String> {
    let borders = "\u{0}\u{8}\t\n\u{1f} \"/09A[\\]az\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}";
    let borders: Vec<char> = borders.chars().collect();
    prop::collection::vec(prop::sample::select(borders), 0..6)
        .prop_map(|characters| characters.into_iter().collect())
}

/// The same cases on every run.
fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(8785),
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(fixed(1024))]

    #[test]
    fn keys_sort_by_their_utf16_units(left in border_text(), right in border_text()) {
        prop_assert_eq!(
            compare_keys(canonical_key(&left).as_bytes(), canonical_key(&right).as_bytes()),
            left.encode_utf16().cmp(right.encode_utf16())
        );
    }

    #[test]
    fn prefixes_of_keys_never_contradict_their_order(
        left in border_text(),
        right in border_text(),
        after in "(\":[0-9]{0,9})?",
    ) {
        let prefix = |key: &str| {
            let key = canonical_key(key);
            key_prefix(format!("\"{key}{after}").as_bytes(), 1, key.len() + 1)
        };
        let order = left.encode_utf16().cmp(right.encode_utf16());
        prop_assert!([order, Ordering::Equal].contains(&prefix(&left).cmp(&prefix(&right))));
    }

    #[test]
    fn runs_end_where_a_look_at_each_byte_says(
        bytes in prop::collection::vec(
            prop_oneof![
                30 => Just(vec![b'x']),
                3 => Just(b"\\n".to_vec()),
                3 => Just(b"\\\"".to_vec()),
                3 => Just(b"\\\\".to_vec()),
                1 => any::<u8>().prop_map(|byte| vec![b'\\', byte]),
                1 => any::<u8>().prop_map(|byte| vec![byte]),
            ],
            0..300,
        )
    ) {
        let bytes = bytes.concat();
        prop_assert_eq!(run_end(&bytes, 0), slow_run_end(&bytes));
    }
}

#[test]
fn a_string_ends_at_its_first_quote_that_is_not_escaped() {
    let alphabet = ["\\\"", "\\\\", "x", "\\n", "0123456789abcdef"];
    // Every order of a few pieces, at every place relative to the blocks.
    for pad in 0..20 {
        for order in 0..alphabet.len().pow(4) {
            let mut text = String::from("\"");
            text.push_str(&"p".repeat(pad));
            let mut rest = order;
            for _ in 0..4 {
                text.push_str(alphabet[rest % alphabet.len()]);
                rest /= alphabet.len();
            }
            let end = text.len() + 1;
            text.push_str("\",\"tail of the line that is long enough for a block\"");
            assert_eq!(string_end(text.as_bytes(), 1), Ok(end), "{text}");
        }
    }
    for text in [
        "\"",
        "\"abc",
        "\"abc\\",
        "\"abc\\\"",
        "\"0123456789abcdef0123456789abcdef\\\"",
    ] {
        let at = text.len();
        assert_eq!(
            string_end(text.as_bytes(), 1),
            Err(JsonError::End { at }),
            "{text}"
        );
    }
}
