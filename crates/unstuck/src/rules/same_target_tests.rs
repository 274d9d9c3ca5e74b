use super::super::Example;
use crate::{Engine, Event, Preset, RuleName, Settings, Verdict};
use serde_json::{Value, json};

struct Run {
    engine: Engine,
    calls: u32,
}

impl Run {
    fn new() -> Self {
        Self {
            engine: Engine::new(Settings::of(Preset::Standard)),
            calls: 0,
        }
    }

    fn send(&mut self, event: &Value) -> (Verdict, Option<RuleName>) {
        let event = Event::parse(event.to_string().as_bytes()).unwrap();
        let decision = self.engine.observe(event);
        let rule = decision.reason.as_ref().map(|reason| reason.rule);
        (decision.verdict, rule)
    }

    /// A call whose result arrives even if it was denied; the stricter verdict of both.
    fn step(&mut self, tool: &str, args: &Value, output: &Value) -> (Verdict, Option<RuleName>) {
        self.calls += 1;
        let id = self.calls;
        let call = self.send(&json!({"event": "call", "id": id, "tool": tool, "args": args}));
        let result = self.send(&json!({"event": "result", "id": id, "output": output}));
        self.send(&json!({"event": "turn"}));
        call.max(result)
    }
}

fn amount(value: u32) -> Value {
    json!({"form": "claim", "field": "amount", "value": value})
}

#[test]
fn a_drifting_value_is_nudged_denied_and_halted() {
    let mut run = Run::new();
    let mut seen = Vec::new();
    for value in 0..60 {
        let (verdict, rule) = run.step("set_field", &amount(900 - value), &json!("updated"));
        if verdict > Verdict::Allow && seen.last() != Some(&verdict) {
            assert_eq!(rule, Some(RuleName::SameTarget));
            seen.push(verdict);
        }
        if verdict == Verdict::Nudge {
            assert!(value >= 4);
        }
    }
    assert_eq!(seen.first(), Some(&Verdict::Nudge));
    assert!(seen.contains(&Verdict::Deny));
    assert_eq!(seen.last(), Some(&Verdict::Halt));
}

#[test]
fn filling_in_a_form_is_left_alone() {
    let mut run = Run::new();
    for number in 0..30 {
        let args = json!({"ref": format!("e{number}"), "text": format!("value {number}")});
        assert_eq!(
            run.step("browser_type", &args, &json!("ok")),
            (Verdict::Allow, None)
        );
    }
}

#[test]
fn a_value_that_is_looked_at_is_left_alone() {
    let mut run = Run::new();
    for value in 0..20 {
        let set = run.step("set_field", &amount(value), &json!("updated"));
        assert_eq!(set, (Verdict::Allow, None));
        let total = json!(format!("the total is now {} of 900", word(value)));
        assert_eq!(
            run.step("get_total", &json!({}), &total),
            (Verdict::Allow, None)
        );
    }
}

#[test]
fn a_result_that_shows_the_effect_is_a_look() {
    let mut run = Run::new();
    for value in 0..20 {
        let page = json!(format!(
            "the page now shows a gross amount of {} in red",
            word(value)
        ));
        assert_eq!(
            run.step("set_field", &amount(value), &page),
            (Verdict::Allow, None)
        );
    }
}

#[test]
fn a_person_starts_the_count_afresh() {
    let mut run = Run::new();
    for value in 0..12 {
        if value % 4 == 0 {
            run.send(&json!({"event": "user", "text": "a bit less"}));
        }
        let set = run.step("set_field", &amount(value), &json!("updated"));
        assert_eq!(set, (Verdict::Allow, None));
    }
}

#[test]
fn clicks_that_return_nothing_are_nudged_from_the_twelfth_on() {
    let mut run = Run::new();
    let click = |number: u32| json!({"ref": format!("e{number}")});
    for number in 0..11 {
        let seen = run.step("click", &click(number), &Value::Null);
        assert_eq!(seen, (Verdict::Allow, None), "{number}");
    }
    let seen = run.step("click", &click(11), &Value::Null);
    assert_eq!(seen, (Verdict::Nudge, Some(RuleName::SameTarget)));
}

#[test]
fn clicks_with_results_are_left_alone() {
    let mut run = Run::new();
    for number in 0..30 {
        let args = json!({"ref": format!("e{number}")});
        let page = json!(format!("the page about {}", word(number)));
        assert_eq!(run.step("click", &args, &page), (Verdict::Allow, None));
    }
}

fn word(number: u32) -> String {
    let letters = number.to_string();
    letters
        .bytes()
        .map(|digit| char::from(digit + b'm' - b'0'))
        .collect()
}

/// A call with its result and its turn.
fn events(id: u32, tool: &str, args: &Value, output: &Value) -> [String; 3] {
    [
        json!({"event": "call", "id": id, "tool": tool, "args": args}).to_string(),
        json!({"event": "result", "id": id, "output": output}).to_string(),
        json!({"event": "turn"}).to_string(),
    ]
}

pub(super) fn examples() -> Vec<Example> {
    let set = |number: u32| {
        events(
            number,
            "set_field",
            &amount(900 - number),
            &json!("updated"),
        )
    };
    let click = |number: u32| {
        let args = json!({"ref": format!("e{number}")});
        events(number, "click", &args, &Value::Null)
    };
    vec![
        Example {
            name: "one field, another value each time",
            options: |_| {},
            events: (0..26).flat_map(set).collect(),
        },
        Example {
            name: "clicks that return nothing",
            options: |rules| rules.same_target.nudge = crate::settings::Rung::at(3),
            events: (0..30).flat_map(click).collect(),
        },
    ]
}
