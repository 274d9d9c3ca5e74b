use proptest::prelude::*;

use super::*;

/// The position at which laps were found, and their period.
fn first(text: &str) -> Option<(usize, usize)> {
    let mut period = Period::default();
    text.chars()
        .enumerate()
        .find_map(|(at, letter)| Some((at + 1, period.letter(letter, 0)?.period)))
}

/// The same by looking at every period at every position.
fn oracle(text: &str) -> Option<(usize, usize)> {
    let letters: Vec<char> = text.chars().collect();
    let mut runs = vec![0_usize; LONGEST + 1];
    for (at, letter) in letters.iter().enumerate() {
        for period in 1..=LONGEST.min(at) {
            runs[period] = if letters[at - period] == *letter {
                runs[period] + 1
            } else {
                0
            };
            let lap = &letters[at + 1 - period..=at];
            let words = lap.contains(&' ') && lap.iter().any(|letter| letter.is_alphabetic());
            let covered = if words { COVERED } else { COVERED_BY_DATA } as usize;
            if runs[period] > 0 && runs[period] + period >= covered.max(LAPS as usize * period) {
                return Some((at + 1, period));
            }
        }
    }
    None
}

/// For how many more characters the laps go on that are seen at a position.
fn lasts(text: &str, position: usize, period: usize) -> usize {
    let letters: Vec<char> = text.chars().collect();
    let further = letters[position..]
        .iter()
        .zip(&letters[position - period..]);
    further
        .take_while(|(letter, before)| letter == before)
        .count()
}

/// Noise, then laps, then noise; few letters, so that much repeats by chance.
fn text() -> impl Strategy<Value = String> {
    let words = |most| {
        proptest::collection::vec(
            proptest::sample::select(vec!["a", "b", "ab", "the", "court"]),
            1..most,
        )
    };
    (words(60), words(60), 1..12_usize, words(60)).prop_map(|(before, lap, laps, after)| {
        let lap = lap.join(" ") + " ";
        before.join(" ") + ". " + &lap.repeat(laps) + &after.join(" ")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laps_are_found_when_they_are_there_and_soon(text in text()) {
        let (found, expected) = (first(&text), oracle(&text));
        let Some((expected, period)) = expected else {
            prop_assert!(found.is_none(), "nothing there, but found {:?}", found);
            return Ok(());
        };
        let soon = period.max(GRAM) + 48;
        prop_assert!(found.is_none_or(|(found, _)| found >= expected), "{:?} before {}", found, expected);
        // What is over before it has to be found need not be.
        if lasts(&text, expected, period) >= soon {
            let in_time = |(found, _)| found <= expected + soon;
            prop_assert!(found.is_some_and(in_time), "{:?} for {} {}", found, expected, period);
        }
    }
}

#[test]
fn a_token_said_over_and_over_is_found_at_two_hundred_characters() {
    assert_eq!(first(&"court ".repeat(300)), Some((200, 6)));
    assert_eq!(first(&"SELECT ".repeat(300)), Some((200, 7)));
    assert_eq!(first(&"court ".repeat(33)), None);
}

#[test]
fn what_is_no_words_takes_longer() {
    assert_eq!(first(&"a".repeat(5_000)), Some((800, 1)));
    assert_eq!(first(&"12345 ".repeat(900)), Some((800, 6)));
    assert_eq!(first(&"A".repeat(799)), None);
}

#[test]
fn scripts_without_spaces_are_words() {
    assert_eq!(first(&"我们需要再看一次".repeat(40)), Some((200, 8)));
}

#[test]
fn four_laps_of_the_longest_period_are_found() {
    let lap: String = (0..LONGEST as u32)
        .map(|n| char::from_u32(0x4e00 + n * 7 % 9_973).unwrap())
        .collect();
    let (at, period) = first(&lap.repeat(5)).unwrap();
    assert_eq!(period, LONGEST);
    assert!((4 * LONGEST..4 * LONGEST + 64).contains(&at), "{at}");
    assert_eq!(first(&lap.repeat(3)), None);
}

#[test]
fn after_a_restart_it_takes_as_long_again() {
    let mut period = Period::default();
    let mut found = Vec::new();
    for (at, letter) in "court ".repeat(150).chars().enumerate() {
        if period.letter(letter, 0).is_some() {
            found.push(at + 1);
            period.restart();
        }
    }
    assert_eq!(found, [200, 400, 600, 800]);
}

#[test]
fn a_lap_has_one_mark_wherever_it_begins() {
    let mark = |text: &str| {
        let mut period = Period::default();
        for letter in text.chars() {
            period.letter(letter, 0);
        }
        period.mark(6)
    };
    let chant = "court ".repeat(20);
    assert_eq!(mark(&chant), mark(&chant[..chant.len() - 2]));
    assert_ne!(mark(&chant), mark(&"coart ".repeat(20)));
}

#[test]
fn a_lap_is_quoted_from_the_beginning_of_a_word() {
    let mut period = Period::default();
    for letter in "court court court cou".chars() {
        period.letter(letter, 0);
    }
    assert_eq!(period.lap(6).trim(), "court");
}

#[test]
fn memory_is_bounded() {
    let mut period = Period::default();
    for n in 0..100_000_u32 {
        period.letter(char::from_u32(97 + n.wrapping_mul(n) / 64 % 26).unwrap(), 0);
    }
    assert_eq!(period.kept.len(), KEPT);
    assert!(period.proposals.len() <= PROPOSALS);
}
