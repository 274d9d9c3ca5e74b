use std::cell::Cell;

use anyhow::bail;

use super::*;

fn step<'a>(name: &'static str, action: impl Fn() -> Result<Outcome> + 'a) -> Step<'a> {
    Step {
        name,
        about: "",
        subject: Subject::Everything,
        action: Box::new(action),
    }
}

fn last_line(summary: &Summary) -> String {
    summary
        .render()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_failure_stops_the_rest() {
    let ran = Cell::new(0);
    let steps = [
        step("one", || Ok(Outcome::Passed)),
        step("two", || bail!("broken")),
        step("three", || {
            ran.set(ran.get() + 1);
            Ok(Outcome::Passed)
        }),
    ];
    let summary = run_all(&steps, OnFailure::Stop);
    assert_eq!(ran.get(), 0);
    assert!(!summary.is_green());
    assert_eq!(last_line(&summary), "1 passed, 1 failed, 1 skipped");
}

#[test]
fn keep_going_runs_everything() {
    let steps = [
        step("one", || bail!("broken")),
        step("two", || bail!("broken too")),
        step("three", || Ok(Outcome::Passed)),
    ];
    let summary = run_all(&steps, OnFailure::Continue);
    assert_eq!(last_line(&summary), "1 passed, 2 failed, 0 skipped");
}

#[test]
fn a_skip_is_no_pass_and_no_failure() {
    let steps = [
        step("one", || Ok(Outcome::Passed)),
        step("wasm", || Ok(Outcome::Skipped("no target".into()))),
    ];
    let summary = run_all(&steps, OnFailure::Stop);
    assert!(summary.is_green());
    assert!(summary.render().contains("no target"));
    assert_eq!(last_line(&summary), "1 passed, 0 failed, 1 skipped");
}
