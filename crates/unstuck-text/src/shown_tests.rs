use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn nothing_that_acts_is_printed(text in any::<String>()) {
        let shown = Shown::line(&text).to_string();
        prop_assert!(!shown.chars().any(|each| each.is_control() || acts_unseen(each)));
        let lines = Shown::lines(&text).to_string();
        let acts = |each: char| each.is_control() && each != '\n' && each != '\t' || acts_unseen(each);
        prop_assert!(!lines.chars().any(acts));
    }

    #[test]
    fn a_cut_keeps_the_beginning(text in "[a-z]{0,40}", limit in 0_usize..50) {
        let shown = Shown::line(&text).at_most(limit).to_string();
        prop_assert!(shown.chars().count() <= limit + 1);
        prop_assert!(text.starts_with(shown.trim_end_matches('…')));
    }
}

#[test]
fn escapes_of_one_byte_and_of_two_are_shown() {
    assert_eq!(
        Shown::line("\u{9b}31mred\u{7f}").to_string(),
        "<U+009B>31mred␡"
    );
    assert_eq!(
        Shown::lines("a\r\nb\tc\u{1b}[2J").to_string(),
        "a\nb\tc␛[2J"
    );
}

#[test]
fn a_width_pads_what_is_shown() {
    assert_eq!(format!("{:<5}|", Shown::line("a\n")), "a␊   |");
}
