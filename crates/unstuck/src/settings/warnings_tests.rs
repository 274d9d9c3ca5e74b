use crate::options::nonzero;
use crate::settings::{
    Bounded, CountCalls, DenyRung, Preset, RuleName, RuleTexts, Rung, Settings, Template,
    ToolSettings,
};

fn warnings(change: impl FnOnce(&mut Settings)) -> Vec<String> {
    let mut settings = Settings::default();
    change(&mut settings);
    let warnings = settings.load_warnings();
    warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn presets_have_nothing_to_remark() {
    for preset in Preset::ALL {
        assert_eq!(Settings::of(preset).load_warnings(), [], "{preset}");
    }
}

#[test]
fn a_rung_behind_a_stricter_one_is_named() {
    let warnings = warnings(|settings| settings.rules.exact_repeat.deny = DenyRung::at(9));
    assert_eq!(
        warnings,
        [
            "rules.exact-repeat.deny: `deny = 9` can never be reached, because `halt = 9` comes first or with it"
        ]
    );
}

#[test]
fn a_rule_that_is_off_is_not_remarked_on() {
    let warnings = warnings(|settings| {
        settings.rules.exact_repeat.enabled = false;
        settings.rules.exact_repeat.nudge = Rung::at(99);
    });
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn a_first_rung_beyond_the_window_can_never_fire() {
    let warnings = warnings(|settings| {
        settings.rules.exact_repeat.count = CountCalls::CallsInARow;
        settings.rules.exact_repeat.window = nonzero!(2);
    });
    assert_eq!(
        warnings,
        [
            "rules.exact-repeat.window: the rule can never fire, because only 2 calls are looked at and its first threshold is 3"
        ]
    );
}

#[test]
fn similar_calls_are_not_counted_in_a_window() {
    let read = serde_json::from_str::<crate::settings::CountSimilar>("\"calls-in-window\"");
    assert_eq!(
        read.unwrap_err().to_string(),
        "unknown variant `calls-in-window`, expected `outcomes` or `calls-in-a-row` at line 1 column 17"
    );
}

#[test]
fn rules_that_judge_what_has_run_deny_nothing() {
    let warnings = warnings(|settings| settings.rules.stagnation.deny = DenyRung::at(4));
    assert_eq!(
        warnings,
        [
            "rules.stagnation.deny: no call is ever denied, because the rule judges what has already run; and `halt` is not reached while there is a `deny` threshold"
        ]
    );
}

#[test]
fn rules_without_rungs_limits_or_periods_can_never_fire() {
    let warnings = warnings(|settings| {
        settings.rules.summary_loop.nudge = Rung::Never;
        settings.rules.budget.enabled = true;
        settings.rules.cycle.shortest = Bounded::of::<9>();
        settings.rules.cycle.longest = Bounded::of::<8>();
    });
    assert_eq!(
        warnings,
        [
            "rules.cycle.shortest: the rule can never fire, because `shortest = 9` is above `longest = 8`",
            "rules.summary-loop.enabled: the rule can never fire without a threshold; set `nudge`, `deny` or `halt`",
            "rules.budget.enabled: the rule can never fire without a limit; set `steps`, `tokens`, `cost` or `seconds`",
        ]
    );
}

#[test]
fn entries_for_tools_that_hide_one_another_are_named() {
    let warnings = warnings(|settings| {
        let tools = ["fs__*", "fs__read_*", "fs__??", "net_?", "net_*", ""];
        settings.tools = tools.into_iter().map(ToolSettings::new).collect();
    });
    assert_eq!(
        warnings,
        [
            "tools[1].tool: `fs__read_*` can never apply, because the earlier entry `fs__*` matches first",
            "tools[2].tool: `fs__??` can never apply, because the earlier entry `fs__*` matches first",
            "tools[5].tool: an empty pattern matches no tool",
        ]
    );
}

#[test]
fn an_exempt_tool_needs_no_other_settings() {
    let warnings = warnings(|settings| {
        let mut tool = ToolSettings::new("sleep");
        tool.exempt = true;
        tool.key_fields = vec!["seconds".into()];
        settings.tools = vec![tool];
    });
    assert_eq!(
        warnings,
        ["tools[0].key_fields: `key_fields` has no effect, because `sleep` is exempt"]
    );
}

#[test]
fn a_field_is_not_both_key_and_volatile() {
    let warnings = warnings(|settings| {
        let mut tool = ToolSettings::new("fetch");
        tool.key_fields = vec!["url".into(), "nonce".into()];
        tool.volatile_fields = vec!["nonce".into()];
        settings.tools = vec![tool];
    });
    assert_eq!(
        warnings,
        ["tools[0].key_fields: `nonce` cannot both make up a call's identity and be volatile"]
    );
}

#[test]
fn texts_that_are_never_used_are_named() {
    let warnings = warnings(|settings| {
        let texts = RuleTexts {
            deny: Some(Template::new("No.").expect("a template")),
            ..RuleTexts::default()
        };
        settings.texts.set(RuleName::SummaryLoop, texts.clone());
        settings.texts.set(RuleName::Budget, texts);
    });
    assert_eq!(
        warnings,
        [
            "texts.summary-loop.deny: never used, because `rules.summary-loop` has no `deny` threshold",
            "texts.budget: never used, because `rules.budget` is off",
        ]
    );
}
