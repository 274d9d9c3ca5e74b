#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use unstuck::{Mode, Preset, settings::Rung};
use unstuck_config::Fail;

use super::*;

#[test]
fn options_are_laid_over_a_configuration_text() {
    let options = Options::read(
        r#"{"config":"mode = \"observe\"\n[rules.exact-repeat]\nnudge = 4\n",
            "settings":{"preset":"attocode","fail":"closed","rules":{"exact-repeat":{"nudge":5,"halt":null}}}}"#,
    )
    .unwrap();
    assert_eq!(options.settings.preset, Preset::Attocode);
    assert_eq!(options.settings.mode, Mode::Observe);
    assert_eq!(options.settings.rules.exact_repeat.nudge, Rung::at(5));
    assert_eq!(options.fail, Some(Fail::Closed));
}

#[test]
fn an_unknown_option_is_an_error_with_a_suggestion() {
    let error = Options::read(r#"{"settings":{"rules":{"exact-repeat":{"nudg":5}}}}"#).unwrap_err();
    assert_eq!(error.code(), "settings");
    assert!(
        error.to_string().contains("did you mean `nudge`?"),
        "{error}"
    );
}

#[test]
fn settings_without_effect_are_warned_of() {
    let options =
        Options::read(r#"{"settings":{"rules":{"exact-repeat":{"nudge":5,"deny":4}}}}"#).unwrap();
    assert_eq!(options.warnings.len(), 1, "{:?}", options.warnings);
}

#[test]
fn nothing_given_is_the_standard_preset() {
    let options = Options::read("{}").unwrap();
    assert_eq!(options.settings, Settings::default());
}
