use proptest::prelude::*;

use super::*;

#[test]
fn characters_that_act_become_escapes() {
    let plain = r#"{"a":"é\n世 😀"}"#;
    assert!(matches!(quiet_json(plain), Cow::Borrowed(_)));
    assert_eq!(
        quiet_json("\"\u{7f}\u{e0041}x\u{fffe}\""),
        r#""\u007f\udb40\udc41x\ufffe""#
    );
}

proptest! {
    #[test]
    fn nothing_that_acts_is_left(text in any::<String>()) {
        let text: String = text.chars().filter(|each| *each >= ' ').collect();
        let quiet = quiet_json(&text);
        prop_assert!(!quiet.chars().any(|each| each.is_control() || acts_unseen(each)));
    }
}
