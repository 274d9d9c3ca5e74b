use super::*;

#[test]
fn words_that_ask_for_tests_are_left_out_with_their_values() {
    let words = "--edition=2024 --crate-type lib --test src/lib.rs --test-run-directory /here --extern a=liba.rlib --no-run --test-args --nocapture -L dependency=deps";
    let kept = without_tests(words.split(' ').map(OsString::from));
    let expected =
        "--edition=2024 --crate-type lib src/lib.rs --extern a=liba.rlib -L dependency=deps";
    assert_eq!(
        kept,
        expected.split(' ').map(OsString::from).collect::<Vec<_>>()
    );
}
