//! Limits on steps, tokens, cost and time.

use std::num::NonZeroU64;

use unstuck::{Preset, Settings, settings::Bounded};

use super::{Allow, Halt, Nudge, Run};

fn limited(change: impl FnOnce(&mut unstuck::settings::Budget)) -> Run {
    let mut settings = Settings::of(Preset::Standard);
    settings.rules.budget.enabled = true;
    change(&mut settings.rules.budget);
    Run::with(settings)
}

#[test]
fn a_budget_halts_the_call_that_would_go_over_it() {
    let mut run = limited(|budget| {
        budget.steps = NonZeroU64::new(5);
    });
    let verdicts: Vec<_> = (0..6).map(|n| run.read(&format!("file-{n}"))).collect();
    assert_eq!(verdicts, [Allow, Allow, Allow, Allow, Allow, Halt]);
}

#[test]
fn a_budget_that_nudges_halts_no_earlier() {
    let mut run = limited(|budget| {
        budget.steps = NonZeroU64::new(10);
        budget.nudge_percent = Some(Bounded::of::<60>());
    });
    let verdicts: Vec<_> = (0..11).map(|n| run.read(&format!("file-{n}"))).collect();
    assert_eq!(verdicts[..5], [Allow; 5]);
    assert_eq!(
        verdicts[5..10]
            .iter()
            .filter(|verdict| **verdict == Nudge)
            .count(),
        1,
        "{verdicts:?}"
    );
    assert!(!verdicts[..10].contains(&Halt), "{verdicts:?}");
    assert_eq!(verdicts[10], Halt);
}

#[test]
fn tokens_cost_and_time_are_budgets_too() {
    let spend = |change: fn(&mut unstuck::settings::Budget), line: &str| {
        let mut run = limited(|budget| {
            budget.nudge_percent = Some(Bounded::of::<50>());
            change(budget);
        });
        run.send(r#"{"event":"text","text":"x","at":0}"#);
        (0..3).map(|_| run.send(line).verdict).collect::<Vec<_>>()
    };
    let turn = r#"{"event":"turn","tokens":600,"cost":0.6}"#;
    assert_eq!(
        spend(|budget| budget.tokens = NonZeroU64::new(1_200), turn),
        [Nudge, Halt, Halt]
    );
    assert_eq!(
        spend(|budget| budget.cost = 1.2.try_into().ok(), turn),
        [Nudge, Halt, Halt]
    );
    let late = r#"{"event":"turn","at":61000}"#;
    assert_eq!(
        spend(|budget| budget.seconds = NonZeroU64::new(60), late),
        [Halt, Halt, Halt]
    );
}
