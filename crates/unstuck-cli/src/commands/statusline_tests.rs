use unstuck_store::{About, Warning};

use super::of;

fn about() -> About {
    let mut about = About::default();
    about.session = "844a24d0-77c1-4a00-8000-000000000001".into();
    about.last_seen = 1_000;
    about
}

fn plain(line: &str) -> String {
    anstream::adapter::strip_str(line).to_string()
}

#[test]
fn an_agent_that_is_fine_has_a_short_line() {
    assert_eq!(plain(&of(&about(), 2_000)), "unstuck ok");
    assert_eq!(plain(&of(&about(), 10_000_000)), "unstuck idle");
}

#[test]
fn a_halted_agent_names_the_way_out() {
    let mut about = about();
    about.halted = Some("it repeats itself".into());
    about.nudges = 2;
    about.denials = 1;
    assert_eq!(
        plain(&of(&about, 2_000)),
        "unstuck halted · 2 nudges · 1 denial · continue: unstuck reset 844a24d0"
    );
}

#[test]
fn names_cannot_act_on_the_terminal() {
    let mut about = about();
    about.session = "\u{1b}]0;x\u{7}\n".into();
    about.halted = Some("x".into());
    about.warn(Warning {
        at: 0,
        verdict: "halt".into(),
        rule: "exact-repeat".into(),
        repeats: 9,
        pattern: Vec::new(),
        observed: false,
    });
    let line = of(&about, 2_000);
    assert!(
        !line.contains("\u{1b}]") && !line.contains('\n'),
        "{line:?}"
    );
}
