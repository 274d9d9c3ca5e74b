//! The searches that are left out, and the words that are passed over, hold no secret: what is found is what every search
//! finds in every word.

use super::*;
use tests::{examples, shapes};

/// What all searches find, whatever the text holds, with a look into every word.
fn find_plainly(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    urls::find_blocks(text, &mut found);
    urls::find_credentials(text, &mut found);
    urls::find_hashes(text, &mut found);
    urls::find_pgpass(text, &mut found);
    numbers::find(text, &mut found);
    numbers::find_accounts(text, &mut found);
    prose::find_passwords(text, &mut found);
    // Quotes alone between its words are not enough for a phrase.
    let spaces = text.bytes().filter(|byte| b" \n,".contains(byte));
    if spaces.count() >= 11 {
        prose::find_phrases(text, &mut found);
    }
    prose::find_wide_phrases(text, &mut found);
    foreign::find(text, &mut found);
    words::walk::<false>(text, &mut found);
    join(text, &mut found);
    found
}

const MORE: &[&str] = &[
    "abcdefab-abcd-abcd-abcd-abcdefabcdef",
    "ABCDEFAB-ABCD-ABCD-ABCD-ABCDEFABCDEF",
    "oak again sun offer wealth tomorrow",
    "/usr/bin/mysql",
    "nmysql",
    "?code=",
    "&k=",
    "--pw",
    "p_w",
    "[redacted]",
    "rest\u{a0}",
];

const BETWEEN: &[&str] = &[
    "", " ", "=", ":", "\"", "'", " = ", ": ", "\n", ",", "|", "&", "?", ";", "/", "-", "_", ".",
    "：", "é", "\\", "@", "(", ")", "<", ">", "$", "`", "\t", "%", "~", "+", " | ", "#", "1", "A",
    "\\n", "\\t", "\\r\\n", " <<< ", "\":[\"", "\",\"",
];

/// Compares texts that are put together from the examples, from their words and from pieces of both.
fn compare(texts: usize) {
    let mut numbers = shapes::Numbers::new();
    let mut pieces: Vec<String> = MORE.iter().map(|piece| (*piece).to_owned()).collect();
    for (_, secret, plain) in examples() {
        for text in [
            shapes::shape(secret, &mut numbers).text,
            plain.replace("\\n", "\n"),
        ] {
            pieces.extend(text.split(' ').map(str::to_owned));
            pieces.push(text);
        }
    }
    let mut state = 1_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % limit
    };
    let mut secrets = 0;
    for _ in 0..texts {
        let mut text = String::new();
        for _ in 0..=below(12) {
            let piece = &pieces[below(pieces.len())];
            let cut = piece.floor_char_boundary(below(piece.len() + 1));
            match below(4) {
                0 => text.push_str(&piece[..cut]),
                1 => text.push_str(&piece[cut..]),
                2 => text.push_str(&piece.to_uppercase()),
                _ => text.push_str(piece),
            }
            text.push_str(BETWEEN[below(BETWEEN.len())]);
        }
        let plainly = find_plainly(&text);
        assert_eq!(find_secrets(&text), plainly, "{text:?}");
        secrets += usize::from(!plainly.is_empty());
    }
    assert!(
        secrets > texts / 10 && secrets < texts,
        "{secrets} of {texts}"
    );
}

#[test]
fn what_is_passed_over_holds_no_secret() {
    compare(4_000);
}

/// Takes ten seconds: `cargo test --release -p unstuck-text -- --ignored`.
#[test]
#[ignore = "compares a million texts"]
fn what_is_passed_over_holds_no_secret_in_a_million_texts() {
    compare(1_000_000);
}

#[test]
fn examples_are_found_either_way() {
    let mut numbers = shapes::Numbers::new();
    for (what, secret, plain) in examples() {
        for text in [&*shapes::shape(secret, &mut numbers).text, plain] {
            assert_eq!(find_secrets(text), find_plainly(text), "{what}: {text}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_searched_alike_either_way(text in proptest::prelude::any::<String>()) {
        proptest::prop_assert_eq!(find_secrets(&text), find_plainly(&text));
    }

    #[test]
    fn words_of_any_kind_are_searched_alike_either_way(
        text in "([a-z]{1,8}|[A-Z]{1,4}|[0-9]{1,5}|[ \"':=_./%~+$#@&?-]|key|token|-p|mysql|：){0,40}"
    ) {
        proptest::prop_assert_eq!(find_secrets(&text), find_plainly(&text));
    }
}
