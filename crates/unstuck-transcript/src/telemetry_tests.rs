use unstuck::{Call, Event, EventKind, Json, Outcome, Timestamp};

use super::{Source, Telemetry, What};
use crate::sink::{Problem, Sink, Usage};

#[derive(Default)]
struct Heard(Vec<String>);

impl Sink for Heard {
    fn event(&mut self, event: Event) {
        self.0.push(match event.kind {
            EventKind::Call(call) => format!("call {}", call.id),
            EventKind::Result(outcome) => format!("result {} {:?}", outcome.id, outcome.status),
            EventKind::Turn(_) => "turn".to_owned(),
            kind => format!("{kind:?}"),
        });
    }

    fn usage(&mut self, usage: Usage) {
        self.0.push(format!("used {}", usage.tokens.total()));
    }

    fn problem(&mut self, _: Problem) {}
}

fn call(id: &str) -> What {
    What::Called(Call::new(id, "tool", Json::empty_object()))
}

fn result(id: &str) -> What {
    What::Returned(Outcome::ok(id, Json::null()))
}

fn heard(told: Vec<(i64, What)>, size: usize) -> Vec<String> {
    let mut telemetry = Telemetry::default();
    let mut heard = Heard::default();
    let source = Source {
        size,
        ..Source::default()
    };
    for (at, what) in told {
        telemetry.hear(&source, Some(Timestamp(at)), what, &mut heard);
    }
    telemetry.end(&mut heard);
    heard.0
}

#[test]
fn things_are_told_in_the_order_of_their_times() {
    let told = vec![
        (3, call("b")),
        (4, result("b")),
        (1, call("a")),
        (2, result("a")),
    ];
    assert_eq!(
        heard(told, 1),
        ["call a", "result a Ok", "call b", "result b Ok", "turn"]
    );
}

#[test]
fn only_so_much_waits() {
    // Each fills the window, so nothing can wait for what comes late.
    let told = vec![
        (3, call("b")),
        (4, result("b")),
        (1, call("a")),
        (2, result("a")),
    ];
    assert_eq!(
        heard(told, 16 << 20),
        ["call b", "result b Ok", "call a", "result a Ok", "turn"]
    );
}

#[test]
fn a_call_is_told_once_by_whatever_tells_of_it() {
    let told = vec![
        (1, call("a")),
        (2, call("span-7")),
        (3, result("span-7")),
        (4, call("a")),
        (5, result("a")),
        (6, call("span-8")),
    ];
    assert_eq!(
        heard(told, 1),
        ["call a", "result a Ok", "call span-8", "turn"]
    );
}

#[test]
fn a_failure_that_is_known_before_is_the_result_s() {
    let told = vec![
        (1, call("a")),
        (2, What::Failed("a".into())),
        (3, result("a")),
    ];
    assert_eq!(heard(told, 1), ["call a", "result a Error", "turn"]);
}

#[test]
fn a_request_is_paid_once() {
    let used = || {
        let mut used = crate::track::Used::default();
        used.tokens.input = 5;
        used
    };
    let told = vec![
        (1, What::Used("q".into(), used())),
        (2, What::Used("q".into(), used())),
        (3, What::Used("".into(), used())),
        (4, What::Used("".into(), used())),
    ];
    assert_eq!(heard(told, 1), ["used 5", "used 5", "used 5"]);
}
