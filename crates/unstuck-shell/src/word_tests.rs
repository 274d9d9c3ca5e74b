use super::*;

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

#[test]
fn only_what_needs_quotes_gets_them() {
    assert_eq!(quoted("src/a-b_c.py"), "src/a-b_c.py");
    assert_eq!(quoted("a b"), "'a b'");
    assert_eq!(quoted("it's"), r"'it'\''s'");
    assert_eq!(quoted(""), "''");
    assert_eq!(quoted("$x"), "'$x'");
}

#[test]
fn a_first_word_is_never_taken_for_a_keyword_or_an_assignment() {
    let first = |word: Word<'_>| {
        let mut out = String::new();
        word.write_first(&mut out);
        out
    };
    assert_eq!(first(Word::literal("for")), "'for'");
    assert_eq!(first(Word::quoted("A=1")), "'A=1'");
    assert_eq!(first(Word::spelled("A=${b}")), "''A=${b}");
    assert_eq!(first(Word::literal("ls")), "ls");
}

#[test]
fn a_path_may_begin_here_or_not() {
    assert_eq!(without_here("././a/b"), "a/b");
    assert_eq!(without_here("./a.py"), "a.py");
    assert_eq!(without_here("./"), "./");
    assert_eq!(without_here("./2"), "./2");
    assert_eq!(without_here("./-x"), "./-x");
    assert_eq!(without_here(".//x"), ".//x");
}
