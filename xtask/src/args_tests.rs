use super::*;

fn args(words: &[&str]) -> Args {
    Args::new(words.iter().map(ToString::to_string).collect())
}

#[test]
fn flags_and_words_come_in_order() {
    let mut args = args(&["--check", "file"]);
    assert_eq!(args.next().unwrap(), Some(Arg::Flag("--check".into())));
    assert_eq!(args.next().unwrap(), Some(Arg::Word("file".into())));
    assert_eq!(args.next().unwrap(), None);
}

#[test]
fn a_value_is_the_next_word_or_attached() {
    let mut args = args(&["--seconds", "5", "--only=fmt,doc"]);
    assert_eq!(args.next().unwrap(), Some(Arg::Flag("--seconds".into())));
    assert_eq!(args.value("--seconds").unwrap(), "5");
    assert_eq!(args.next().unwrap(), Some(Arg::Flag("--only".into())));
    assert_eq!(args.value("--only").unwrap(), "fmt,doc");
    assert_eq!(args.next().unwrap(), None);
}

#[test]
fn a_missing_value_names_the_flag() {
    let mut args = args(&["--binary"]);
    args.next().unwrap();
    let error = args.value("--binary").unwrap_err();
    assert_eq!(error.to_string(), "`--binary` needs a value");
}

#[test]
fn a_value_nobody_takes_is_an_error() {
    let mut args = args(&["--check=yes"]);
    args.next().unwrap();
    assert!(args.next().is_err());
}
