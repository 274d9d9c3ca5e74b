use proptest::prelude::*;

use super::{
    super::{
        tests::{is_guard, wish},
        undo,
    },
    *,
};

fn wishes() -> Vec<Wish> {
    vec![wish("Before", "guard"), wish("After", "guard")]
}

fn inserted(text: &str) -> Edited {
    insert(text, &wishes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn removed(text: &str) -> String {
    remove(text, &["hooks"], &is_guard).unwrap()
}

const BLOCK: &str = r#"[[hooks.Before]]
matcher = "*"
[[hooks.Before.hooks]]
type = "command"
command = "guard"
timeout = 5
"#;

#[test]
fn tables_are_added_at_the_end() {
    let text = "# mine\nmodel = \"m\" # good\n\n[hooks.state]\nx = 1";
    let edited = insert(text, &[wish("Before", "guard")]).unwrap();
    assert_eq!(edited.text, format!("{text}\n\n{BLOCK}"));
    assert_eq!(insert("", &[wish("Before", "guard")]).unwrap().text, BLOCK);
}

#[test]
fn what_is_no_toml_is_refused_with_its_place() {
    let error = insert("a = 1\nb = = 2\n", &wishes()).unwrap_err();
    assert_eq!(error.line, 2, "{error}");
    assert!(error.message.starts_with("this is not TOML"), "{error}");
}

#[test]
fn lists_written_inline_are_refused_with_their_place() {
    let error = insert("[hooks]\nBefore = []\n", &wishes()).unwrap_err();
    assert_eq!(
        error.message,
        "`hooks.Before` is written inline; write it as `[[hooks.Before]]` tables"
    );
    assert_eq!((error.line, error.column), (2, 10));
    let error = insert("hooks = {}\n", &wishes()).unwrap_err();
    assert_eq!(
        error.message,
        "`hooks` is written inline; write it as a `[hooks]` table"
    );
}

#[test]
fn handlers_are_found_wherever_they_were_moved_to() {
    let text = format!(
        r#"{BLOCK}
# theirs
[[hooks.Before]]
[[hooks.Before.hooks]]
command = "lint"

[[hooks.Before.hooks]]
command = "guard"

[other]
"#
    );
    assert_eq!(
        removed(&text),
        "\n# theirs\n[[hooks.Before]]\n[[hooks.Before.hooks]]\ncommand = \"lint\"\n\n[other]\n"
    );
}

#[test]
fn what_is_left_is_told() {
    assert_eq!(rest(&removed(&inserted("").text)), Rest::Nothing);
    assert_eq!(rest(&removed(&inserted("# mine\n").text)), Rest::Something);
}

#[test]
fn commands_are_listed_by_event_however_they_are_written() {
    let text = "[hooks]\nBefore = [{ hooks = [{ command = \"x\" }] }]\n".to_owned();
    let text = format!("{text}\n[[hooks.After]]\n[[hooks.After.hooks]]\ncommand = \"y\"\n");
    let found = commands(&text, &["hooks"]).unwrap();
    let pair = |event: &str, command: &str| (event.to_owned(), command.to_owned());
    assert_eq!(found, [pair("Before", "x"), pair("After", "y")]);
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "# a note\n",
        "\n",
        "a = \"# no note\" # note\n",
        "[t]\n",
        "[t.u] # note\n",
        "\n[[hooks.Before]]\nmatcher = 'x'\n",
        "[[hooks.After]]\n[[hooks.After.hooks]]\ncommand = \"theirs\"\n\n",
        "[hooks.state.\"a:b\"]\nhash = '''x\n[[hooks.Before]]\n'''\n",
        "x = [1, # one\n 2]\r\n",
        "   \n",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_was_added_is_taken_back_to_the_byte(
        pieces in prop::collection::vec(piece(), 0..8),
        cut in any::<bool>(),
    ) {
        let mut text = pieces.concat();
        if cut {
            text = text.trim_end().to_owned();
        }
        prop_assume!(parse(&text).is_ok());
        let edited = inserted(&text);
        prop_assert_eq!(undo(&edited.text, &edited.record.steps), Some(text.clone()));
        // Without the record, too, but for the end of the last line.
        let without = removed(&edited.text);
        prop_assert_eq!(without.trim_end(), text.trim_end());
    }
}
