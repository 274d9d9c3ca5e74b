#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use super::*;

fn value(text: Option<String>) -> Value {
    text.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
}

#[test]
fn every_class_is_made_by_its_name_and_refuses_unknown_methods() {
    let classes = [
        "StepLoopDetector",
        "CallCircuitBreaker",
        "CycleDetector",
        "SpecWindow",
        "LoopDetector",
        "SharedEconomicsState",
        "ToolLoopDetector",
    ];
    for class in classes {
        let mut object = Classic::new(class, "{}").unwrap();
        let error = object.invoke("nothing", None, None, 0.0).unwrap_err();
        assert_eq!(error.to_string(), "unknown method `nothing`", "{class}");
    }
    assert!(Classic::new("Other", "{}").is_err());
}

#[test]
fn giving_one_threshold_keeps_the_others() {
    let numbers = r#"{"stagnation":{"block":4}}"#;
    let mut steps = Classic::new("StepLoopDetector", numbers).unwrap();
    let mut step = || {
        value(
            steps
                .invoke("analyzeStep", Some("c"), Some("1"), 0.0)
                .unwrap(),
        )
    };
    let actions: Vec<_> = (0..5).map(|_| step()["action"].clone()).collect();
    let expected = [
        Value::Null,
        Value::Null,
        Value::Null,
        "warn".into(),
        "block".into(),
    ];
    assert_eq!(actions, expected);
}

#[test]
fn the_breaker_takes_its_time_from_the_caller() {
    let numbers = r#"{"windowMs":1000,"threshold":1}"#;
    let mut breaker = Classic::new("CallCircuitBreaker", numbers).unwrap();
    let mut at = |now| value(breaker.invoke("check", Some("t"), None, now).unwrap());
    assert_eq!(at(0.0), Value::Null);
    assert_eq!(at(999.0)["allowed"], false);
    assert_eq!(at(1000.0), Value::Null);
}

#[test]
fn a_checkpoint_restores_a_swarm() {
    let mut swarm = Classic::new("SharedEconomicsState", r#"{"calls":2}"#).unwrap();
    for worker in ["a", "b"] {
        swarm
            .invoke("record", Some(worker), Some("f"), 0.0)
            .unwrap();
    }
    let checkpoint = swarm.invoke("toJSON", None, None, 0.0).unwrap().unwrap();
    let mut restored = Classic::new("SharedEconomicsState", r#"{"calls":2}"#).unwrap();
    restored
        .invoke("restoreFrom", Some(&checkpoint), None, 0.0)
        .unwrap();
    let loops = restored.invoke("getGlobalLoops", None, None, 0.0).unwrap();
    assert_eq!(value(loops), json!(["f"]));
    let error = restored
        .invoke("restoreFrom", Some("[1]"), None, 0.0)
        .unwrap_err();
    assert_eq!(error.code(), "snapshot");
}
