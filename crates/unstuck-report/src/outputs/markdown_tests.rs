use super::*;

#[test]
fn a_code_span_cannot_be_left() {
    assert_eq!(code("ls", 80, Cut::End), "`ls`");
    assert_eq!(code("a `b` ``c", 80, Cut::End), "```a `b` ``c```");
    assert_eq!(code("`x`", 80, Cut::End), "`` `x` ``");
    assert_eq!(code("a\n\n# b", 80, Cut::End), "`a # b`");
    assert_eq!(code(" \n", 80, Cut::End), "–");
}

#[test]
fn a_bar_does_not_end_a_cell() {
    assert_eq!(cell("`a | b`"), "`a \\| b`");
}
