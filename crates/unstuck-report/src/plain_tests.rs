use super::*;

#[test]
fn what_a_terminal_obeys_is_shown_instead() {
    let text = "\x1b[31mred\x1b]0;title\x07 a\0b \u{202e}gnp.exe\u{2066} z\u{200b}z \u{9b}31m";
    assert_eq!(
        one_line(text, 200, Cut::End),
        "␛[31mred␛]0;title␇ a␀b <U+202E>gnp.exe<U+2066> z<U+200B>z <U+009B>31m"
    );
}

#[test]
fn lines_become_spaces_in_one_line() {
    assert_eq!(
        one_line("  a\r\n\t b \u{2028}c\n", 80, Cut::End),
        "a b <U+2028>c"
    );
}

#[test]
fn a_long_text_is_cut_at_the_side_that_says_least() {
    assert_eq!(one_line("abcdefgh", 5, Cut::End), "abcd…");
    assert_eq!(one_line("abcdefgh", 5, Cut::Start), "…efgh");
    assert_eq!(one_line("abcde", 5, Cut::End), "abcde");
    assert_eq!(one_line("abc", 0, Cut::End), "");
}

#[test]
fn wide_characters_take_two_columns() {
    let cut = one_line("日本語日本語", 7, Cut::End);
    assert_eq!(cut, "日本語…");
    assert_eq!(width(&cut), 7);
    assert_eq!(width(&left("日本", 6)), 6);
    assert_eq!(right("ab", 4), "  ab");
}

#[test]
fn an_escape_that_does_not_fit_is_left_out_whole() {
    assert_eq!(one_line("ab\u{202e}cd", 6, Cut::End), "ab…");
}

#[test]
fn lines_are_kept_where_they_may_be() {
    assert_eq!(lines("a\r\n\tb\x1b\u{2029}c", 100), "a\n\tb␛<U+2029>c");
    assert_eq!(lines("abcdef", 3), "abc…");
}
