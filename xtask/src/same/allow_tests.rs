use std::path::Path;

use super::*;
use crate::same::compare::compare;
use crate::same::replay::Mode;
use crate::same::streams::{Kind, Stream};

fn difference() -> Difference {
    let one = "{\"line\":7,\"level\":1,\"rule\":\"a\"}\n";
    let two = "{\"line\":7,\"level\":2,\"rule\":\"b\"}\n";
    let compared = compare(one.as_bytes(), two.as_bytes(), |_| false).unwrap();
    compared.first.unwrap()
}

fn allows(text: &str) -> bool {
    let place = std::env::temp_dir().join(format!("unstuck-allow-{}", std::process::id()));
    let modes = Mode::all(&place, false).unwrap();
    let stream = Stream {
        kind: Kind::Cases,
        name: "polls".to_owned(),
        path: Path::new("polls.jsonl").to_owned(),
        events: 9,
    };
    let replay = Replay {
        stream: &stream,
        preset: "standard",
        mode: &modes[0],
    };
    let allowed = Allowed::parse(text).unwrap();
    let allows = allowed.allows(&replay, &difference());
    assert_eq!(allowed.unused().count(), usize::from(!allows));
    allows
}

#[test]
fn a_difference_is_allowed_where_every_word_matches() {
    assert!(allows(
        "# why\n\ncases/polls standard enforced 7 level,rule\n"
    ));
    assert!(allows("cases/* * * * rule,message,level"));
    assert!(allows("* * * * *"));
}

#[test]
fn another_stream_line_mode_or_field_is_not() {
    assert!(!allows("cases/reported-cases * * * *"));
    assert!(!allows("vectors/* * * * *"));
    assert!(!allows("* attocode * * *"));
    assert!(!allows("* * observed * *"));
    assert!(!allows("* * * 8 *"));
    assert!(!allows("* * * * level"));
}

#[test]
fn a_line_with_words_missing_is_named() {
    let error = Allowed::parse("# ok\ncases/polls standard\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: expected `KIND/NAME PRESET MODE LINE FIELDS`, found 2 words"
    );
}
