use std::num::NonZeroU64;

use unstuck::{
    Mode, Preset, RuleName, Settings,
    settings::{DenyRung, RuleTexts, Rung, Template, ToolSettings},
};

use super::load;
use crate::{Layer, to_toml};

fn settings(texts: &[&str], preset: Option<Preset>) -> Settings {
    let layers: Vec<_> = texts
        .iter()
        .map(|text| Layer::new("x.toml", *text))
        .collect();
    load(&layers, preset).expect("no error").settings
}

/// The warnings, as they are shown.
fn warnings(texts: &[(&str, &str)]) -> String {
    let layers: Vec<_> = texts
        .iter()
        .map(|(name, text)| Layer::new(*name, *text))
        .collect();
    let warnings = load(&layers, None).expect("no error").warnings;
    let texts: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    texts.join("\n\n")
}

#[test]
fn nothing_is_the_standard_preset() {
    assert_eq!(settings(&[], None), Settings::default());
    assert_eq!(settings(&["", "# only words\n"], None), Settings::default());
}

#[test]
fn every_preset_survives_being_written_and_read() {
    for preset in Preset::ALL {
        let before = Settings::of(preset);
        let text = to_toml(&before).expect("TOML");
        assert_eq!(settings(&[&text], None), before, "{preset}");
    }
}

#[test]
fn tools_texts_and_limits_survive_being_written_and_read() {
    let mut before = Settings::default();
    before.secret = "a \"quoted\" secret".into();
    before.rules.budget.enabled = true;
    before.rules.budget.cost = 2.5.try_into().ok();
    before.rules.budget.tokens = NonZeroU64::new(1 << 40);
    let mut tool = ToolSettings::new("fs__*");
    tool.ladder.deny = Some(DenyRung::AfterCritical);
    tool.examples = vec!["fs__read".into()];
    before.tools = vec![tool, ToolSettings::new("x")];
    let mut texts = RuleTexts::default();
    texts.halt = Some(Template::new("Stop.\n{pattern}").expect("a template"));
    before.texts.set(RuleName::Cycle, texts);
    let text = to_toml(&before).expect("TOML");
    assert_eq!(settings(&[&text], None), before);
}

#[test]
fn a_later_layer_wins_key_by_key() {
    let user = "mode = \"observe\"\n[rules.cycle]\nnudge = 4\nhalt = 9\n";
    let project = "[rules.cycle]\nnudge = 5\n";
    let settings = settings(&[user, project], None);
    let mut expected = Settings::default();
    expected.mode = Mode::Observe;
    expected.rules.cycle.nudge = Rung::at(5);
    expected.rules.cycle.halt = Rung::at(9);
    assert_eq!(settings, expected);
}

#[test]
fn the_last_preset_counts_and_the_command_line_before_all() {
    let user = "preset = \"attocode\"\n[memory]\ncalls = 7\n";
    let project = "preset = \"ironcurtain\"\n";
    let mut expected = Settings::of(Preset::Ironcurtain);
    expected.memory.calls = 7.try_into().unwrap();
    assert_eq!(settings(&[user, project], None), expected);
    assert_eq!(settings(&[user, project, ""], None), expected);
    expected = Settings::of(Preset::Attractor);
    expected.memory.calls = 7.try_into().unwrap();
    assert_eq!(
        settings(&[user, project], Some(Preset::Attractor)),
        expected
    );
}

#[test]
fn the_entries_for_tools_of_a_later_layer_come_first() {
    let user = "[[tools]]\ntool = \"a\"\n[[tools]]\ntool = \"b\"\n";
    let project = "[[tools]]\ntool = \"c\"\n[[tools]]\ntool = \"d\"\n";
    let settings = settings(&[user, project], None);
    let names: Vec<_> = settings
        .tools
        .iter()
        .map(|tool| tool.tool.as_str())
        .collect();
    assert_eq!(names, ["c", "d", "a", "b"]);
}

#[test]
fn arrays_of_words_are_replaced() {
    let layer = "[[tools]]\ntool = \"a\"\nkey_fields = [\"x\", \"y\"]\n";
    assert_eq!(settings(&[layer], None).tools[0].key_fields, ["x", "y"]);
}

#[test]
fn the_table_of_a_rule_switches_it_on() {
    let on = |texts: &[&str], preset| settings(texts, preset).rules.cycle.enabled;
    let quiet = Some(Preset::Ironcurtain);
    assert!(!on(&[], quiet));
    assert!(on(&["[rules.cycle]\nnudge = 4\n"], quiet));
    assert!(on(&["[rules.cycle]\n"], quiet));
    assert!(!on(&["[rules.cycle]\nenabled = false\n"], None));
    // What a layer says outright holds for the layers above it too.
    assert!(!on(
        &[
            "[rules.cycle]\nenabled = false\n",
            "[rules.cycle]\nnudge = 4\n"
        ],
        None
    ));
}

#[test]
fn a_whole_number_is_a_sum_of_money() {
    let settings = settings(&["[rules.budget]\ncost = 3\n"], None);
    assert_eq!(settings.rules.budget.cost, 3.0.try_into().ok());
}

#[test]
fn warnings_point_at_the_key_that_causes_them() {
    assert_eq!(
        warnings(&[
            ("user.toml", "[rules.exact-repeat]\ndeny = 3\n"),
            ("unstuck.toml", "[rules.budget]\n"),
        ]),
        "\
warning: `rules.exact-repeat.nudge`: `nudge = 3` can never be reached, because `deny = 3` comes first or with it
 --> user.toml:2:1
  |
2 | deny = 3
  | ^^^^

warning: `rules.budget.enabled`: the rule can never fire without a limit; set `steps`, `tokens`, `cost` or `seconds`
 --> unstuck.toml:1:8
  |
1 | [rules.budget]
  |        ^^^^^^"
    );
}

#[test]
fn warnings_about_tools_find_their_layer() {
    assert_eq!(
        warnings(&[
            (
                "user.toml",
                "[[tools]]\ntool = \"a\"\n\n[[tools]]\ntool = \"fs__read\"\nexempt = true\n"
            ),
            ("unstuck.toml", "[[tools]]\ntool = \"fs__*\"\n"),
        ]),
        "\
warning: `tools.tool`: `fs__read` can never apply, because the earlier entry `fs__*` matches first
 --> user.toml:5:1
  |
5 | tool = \"fs__read\"
  | ^^^^"
    );
}

#[test]
fn errors_of_all_layers_are_reported_in_order() {
    let layers = [
        Layer::new("a.toml", "mod = 1\n"),
        Layer::new("b.toml", "mode = 1\nrules = 2\n"),
    ];
    let errors = load(&layers, None).expect_err("errors").diagnostics;
    let places: Vec<_> = errors
        .iter()
        .map(|error| {
            let place = error.place.as_ref().expect("a place");
            format!("{}:{}:{}", place.file, place.line, place.column)
        })
        .collect();
    assert_eq!(places, ["a.toml:1:1", "b.toml:1:8", "b.toml:2:9"]);
}

mod any_text {
    use proptest::prelude::*;
    use unstuck::Preset;

    use crate::{Layer, load, to_toml};

    proptest! {
        #[test]
        fn is_refused_or_loaded_without_a_panic(text in any::<String>()) {
            let shown = load(&[Layer::new("x", text)], None).map_err(|errors| errors.to_string());
            prop_assert!(shown.is_ok() || shown.is_err_and(|errors| errors.contains("error: ")));
        }

        /// A piece of a good file in the place of another piece of it.
        #[test]
        fn is_refused_or_loaded_where_it_is_nearly_right(
            from in 0_usize..1_800, length in 0_usize..60, to in 0_usize..1_800, cut in 0_usize..60,
        ) {
            let good = to_toml(&unstuck::Settings::of(Preset::Standard)).expect("TOML");
            let piece: String = good.chars().skip(from).take(length).collect();
            let before: String = good.chars().take(to).collect();
            let after: String = good.chars().skip(to + cut).collect();
            if let Err(errors) = load(&[Layer::new("x", before + &piece + &after)], None) {
                for error in errors.diagnostics {
                    prop_assert!(error.place.is_some(), "{}", error);
                }
            }
        }
    }
}

#[test]
fn prices_of_a_later_layer_win_and_settings_do_not_know_them() {
    let user = Layer::new(
        "user.toml",
        "[prices.\"big-*\"]\ninput = 3\noutput = 15\ncache_read = 0.3\n[prices.own]\ninput = 1\noutput = 2\n",
    );
    let project = Layer::new(
        "unstuck.toml",
        "[prices.\"big-*\"]\ninput = 4.5\noutput = 20\n",
    );
    let loaded = load(&[user, project], None).expect("both are fine");
    let big = loaded.prices.of("big-7").expect("a price");
    // The table replaces key by key, as all tables do.
    assert_eq!(
        (big.input, big.output, big.cache_read),
        (4.5, 20.0, Some(0.3))
    );
    assert_eq!(loaded.prices.of("own").map(|price| price.output), Some(2.0));
    assert_eq!(loaded.prices.of("owner"), None);
    assert_eq!(loaded.settings, Settings::default());
}

#[test]
fn a_price_must_be_complete_and_no_less_than_nothing() {
    let text = "[prices.\"a*\"]\ninput = 1\n[prices.b]\ninput = -1\noutput = 2\nread = 3\n";
    let errors = load(&[Layer::new("unstuck.toml", text)], None).unwrap_err();
    let said = errors.to_string();
    assert!(said.contains("needs `output`"), "{said}");
    assert!(
        said.contains("`prices.b.input` must be a number of at least 0, not -1"),
        "{said}"
    );
    assert!(said.contains("unknown key `read` in `prices.b`"), "{said}");
}

#[test]
fn what_becomes_of_calls_that_cannot_be_judged_is_not_a_setting_of_the_engine() {
    let open = Layer::new("user.toml", "fail = \"open\"\n");
    let closed = Layer::new("unstuck.toml", "fail = \"closed\"\n");
    let loaded = load(&[open, closed], None).expect("no mistake");
    assert_eq!(loaded.fail, Some(crate::Fail::Closed));
    assert_eq!(loaded.settings, Settings::default());
    assert_eq!(load(&[], None).expect("no mistake").fail, None);
    let wrong = Layer::new("unstuck.toml", "fail = \"close\"\n");
    let said = load(&[wrong], None).expect_err("a mistake").to_string();
    assert!(said.contains("unstuck.toml:1:8"), "{said}");
    assert!(said.contains("\"open\" or \"closed\""), "{said}");
}
