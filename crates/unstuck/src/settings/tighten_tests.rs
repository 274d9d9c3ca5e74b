use super::*;
use crate::options::nonzero;
use crate::settings::{CountCalls, Preset, RuleTexts, Template, ToolSettings};

type Change = fn(&mut Settings);

fn loosened(change: impl FnOnce(&mut Settings)) -> Option<String> {
    let base = Settings::default();
    let mut settings = base.clone();
    change(&mut settings);
    settings.loosens(&base).map(|found| found.to_string())
}

#[test]
fn settings_do_not_loosen_themselves() {
    for preset in Preset::ALL {
        let settings = Settings::of(preset);
        assert_eq!(settings.loosens(&settings), None, "{preset}");
    }
}

#[test]
fn stricter_values_are_tightenings() {
    let found = loosened(|settings| settings.rules.near_repeat.warning = Rung::at(5));
    assert_eq!(found, None);
    // A patient user, and a file that goes part of the way back to the preset.
    let mut base = Settings::default();
    base.rules.exact_repeat.nudge = Rung::at(5);
    base.rules.exact_repeat.deny = DenyRung::Never;
    base.rules.exact_repeat.halt = Rung::at(20);
    let mut settings = base.clone();
    settings.rules.exact_repeat.nudge = Rung::at(3);
    settings.rules.exact_repeat.halt = Rung::at(9);
    assert_eq!(settings.loosens(&base), None);
    let mut base = Settings {
        mode: Mode::Observe,
        attendance: Attendance::Attended,
        ..Settings::default()
    };
    base.policy.relapse = Relapse::Forget;
    base.policy.denials_before_halt = Rung::Never;
    base.rules.cycle.enabled = false;
    base.rules.call_burst.limit = nonzero!(100);
    assert_eq!(Settings::default().loosens(&base), None);
}

#[test]
fn looser_values_are_named() {
    let cases: [(&str, Change); 14] = [
        ("`mode` is looser", |settings| settings.mode = Mode::Off),
        ("`mode` is looser", |settings| settings.mode = Mode::Observe),
        ("`attendance` is looser", |settings| {
            settings.attendance = Attendance::Attended;
        }),
        ("`preset` is changed", |settings| {
            settings.preset = Preset::Attocode;
        }),
        ("`secret` is changed", |settings| {
            settings.secret = "known".into();
        }),
        ("`rules.cycle.enabled` is looser", |settings| {
            settings.rules.cycle.enabled = false;
        }),
        ("`rules.cycle.deny` is looser", |settings| {
            settings.rules.cycle.deny = DenyRung::at(7);
        }),
        ("`rules.cycle.halt` is looser", |settings| {
            settings.rules.cycle.halt = Rung::Never;
        }),
        ("`rules.exact-repeat.count` is changed", |settings| {
            settings.rules.exact_repeat.count = CountCalls::CallsInARow;
        }),
        ("`rules.call-burst.limit` is looser", |settings| {
            settings.rules.call_burst.limit = nonzero!(21);
        }),
        ("`rules.budget.enabled` is changed", |settings| {
            settings.rules.budget.enabled = true;
            settings.rules.budget.steps = Some(nonzero!(1));
        }),
        ("`memory.calls` is changed", |settings| {
            settings.memory.calls = crate::settings::Bounded::of::<1>();
        }),
        ("`tools` is changed", |settings| {
            settings.tools.push(ToolSettings::new("*"));
        }),
        ("`texts` is changed", |settings| {
            let texts = RuleTexts {
                nudge: Template::new("well done").ok(),
                ..RuleTexts::default()
            };
            settings.texts.set(RuleName::Cycle, texts);
        }),
    ];
    for (expected, change) in cases {
        assert_eq!(loosened(change).as_deref(), Some(expected));
    }
}

/// A guard that denies the first call of everything would stop all work, and one that halts early would end it.
#[test]
fn stricter_than_the_preset_is_not_a_tightening() {
    let cases: [(&str, Change); 10] = [
        (
            "`rules.exact-repeat.deny` is below 3, the smallest of the preset",
            |settings| settings.rules.exact_repeat.deny = DenyRung::at(1),
        ),
        (
            "`rules.exact-repeat.deny` is below 3, the smallest of the preset",
            |settings| settings.rules.exact_repeat.deny = DenyRung::at(2),
        ),
        (
            "`rules.exact-repeat.halt` is below 9, the smallest of the preset",
            |settings| settings.rules.exact_repeat.halt = Rung::at(3),
        ),
        (
            "`rules.exact-repeat.halt` is below 9, the smallest of the preset",
            |settings| settings.rules.exact_repeat.halt = Rung::at(8),
        ),
        (
            "`rules.near-repeat.halt` is below 10, the smallest of the preset",
            |settings| settings.rules.near_repeat.halt = Rung::at(6),
        ),
        (
            "`rules.no-op.halt` is set, which the preset does not",
            |settings| settings.rules.no_op.halt = Rung::at(6),
        ),
        (
            "`rules.aimless.halt` is set, which the preset does not",
            |settings| settings.rules.aimless.halt = Rung::at(100),
        ),
        (
            "`rules.cycle.nudge` is below 3, the smallest of the preset",
            |settings| settings.rules.cycle.nudge = Rung::at(2),
        ),
        (
            "`policy.denials_before_halt` is below 10, the smallest of the preset",
            |settings| settings.policy.denials_before_halt = Rung::at(3),
        ),
        (
            "`rules.call-burst.limit` is below 20, the smallest of the preset",
            |settings| settings.rules.call_burst.limit = nonzero!(1),
        ),
    ];
    for (expected, change) in cases {
        assert_eq!(loosened(change).as_deref(), Some(expected));
    }
}

/// The numbers of one preset are not a measure for the rules of another.
#[test]
fn only_the_preset_in_effect_sets_the_bounds() {
    let base = Settings::of(Preset::Attocode);
    let cases: [(&str, Change); 5] = [
        (
            "`rules.exact-repeat.halt` is set, which the preset does not",
            |settings| settings.rules.exact_repeat.halt = Rung::at(9),
        ),
        (
            // A denial follows this nudge.
            "`rules.exact-repeat.critical` is below 6, the smallest of the preset",
            |settings| settings.rules.exact_repeat.critical = Rung::at(4),
        ),
        (
            "`rules.cycle.nudge` is set, which the preset does not",
            |settings| settings.rules.cycle.enabled = true,
        ),
        (
            "`policy.denials_before_halt` is set, which the preset does not",
            |settings| settings.policy.denials_before_halt = Rung::at(10),
        ),
        (
            "`policy.relapse` is set, which the preset does not",
            |settings| settings.policy.relapse = Relapse::Climb,
        ),
    ];
    for (expected, change) in cases {
        let mut settings = base.clone();
        change(&mut settings);
        let found = settings.loosens(&base).map(|found| found.to_string());
        assert_eq!(found.as_deref(), Some(expected));
    }
}

/// A rule that can deny does not halt by a result.
#[test]
fn a_deny_rung_before_a_halt_is_not_a_tightening() {
    let found = loosened(|settings| settings.rules.stagnation.deny = DenyRung::at(5));
    assert_eq!(found.as_deref(), Some("`rules.stagnation.deny` is changed"));
}
