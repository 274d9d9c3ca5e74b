use super::*;

/// How many passages it took to find some that are alike.
fn found(passages: &[&str]) -> Option<usize> {
    let mut all = Passages::default();
    let mut position = 0;
    passages
        .iter()
        .position(|passage| {
            let signs = passage.chars().map(|letter| match letter {
                ' ' => Sign::Gap,
                letter => Sign::Letter(letter),
            });
            signs.chain([Sign::LineEnd]).fold(false, |found, sign| {
                position += 1;
                all.read(sign, position, 1).is_some() || found
            })
        })
        .map(|at| at + 1)
}

const ROUND: &str = "I should check whether the token is refreshed before the request is signed, because the order of these two steps decides which one of the tokens the server sees in the end";

#[test]
fn the_same_passage_four_times_is_found() {
    assert_eq!(found(&[ROUND; 6]), Some(4));
    assert_eq!(found(&[ROUND; 3]), None);
}

#[test]
fn a_changed_word_does_not_hide_it() {
    let changed: Vec<String> = ["first", "again", "now", "once more"]
        .iter()
        .map(|word| format!("{word} {ROUND}"))
        .collect();
    let changed: Vec<&str> = changed.iter().map(String::as_str).collect();
    assert_eq!(found(&changed), Some(4));
}

#[test]
fn other_passages_in_between_do_not_hide_it() {
    let other = "Another thought that has nothing to do with it, and is long enough to be a passage of its own";
    assert_eq!(
        found(&[ROUND, other, ROUND, ROUND, "short", ROUND]),
        Some(6)
    );
}

#[test]
fn passages_about_other_things_are_other_passages() {
    for names in [
        ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"],
        ["parseDate", "parseTime", "parseZone", "parseYear"],
        ["case_a", "case_b", "case_c", "case_d"],
        ["v1", "v2", "v3", "v4"],
    ] {
        let passages: Vec<String> = names
            .iter()
            .map(|name| format!("{ROUND} in {name}"))
            .collect();
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        assert_eq!(found(&passages), None, "{names:?}");
    }
}

#[test]
fn short_passages_are_none() {
    assert_eq!(found(&["Let me look at this once more."; 40]), None);
}

#[test]
fn sentences_of_one_line_are_passages_of_their_own() {
    let line = format!("{ROUND}. ").repeat(4);
    assert_eq!(found(&[line.trim_end()]), Some(1));
}

#[test]
fn memory_is_bounded() {
    let mut all = Passages::default();
    for n in 0..20_000_u32 {
        let sign = match n % 7 {
            0 => Sign::Gap,
            at => Sign::Letter(char::from_u32(97 + (n * at) % 26).unwrap()),
        };
        all.read(sign, n.into(), 1);
    }
    assert!(all.remembered.len() <= REMEMBERED);
    assert!(
        all.remembered
            .iter()
            .all(|passage| passage.triples.len() <= TRIPLES)
    );
    assert!(all.draft.letters <= LONGEST);
}
