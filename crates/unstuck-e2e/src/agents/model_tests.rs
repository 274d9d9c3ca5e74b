use serde_json::json;

use super::*;

fn state(script: Vec<Turn>) -> Mutex<State> {
    Mutex::new(State {
        script,
        taken: 0,
        told: Vec::new(),
    })
}

fn post(path: &str, body: &Value) -> Request {
    Request {
        method: "POST".to_owned(),
        path: path.to_owned(),
        body: body.to_string().into_bytes(),
    }
}

#[test]
fn turns_are_taken_in_order_and_the_last_one_again() {
    let state = state(vec![Turn::Say("one"), Turn::Say("two")]);
    let request = post("/v1/chat/completions", &json!({"tools": [{}]}));
    let said = |_| answer(&request, &state).body;
    let said: Vec<_> = (0..3).map(said).collect();
    assert!(said[0].contains("one") && said[1].contains("two") && said[2].contains("two"));
    assert_eq!(state.lock().unwrap().told.len(), 3);
}

#[test]
fn requests_without_the_agents_tools_use_up_no_turn() {
    let state = state(vec![Turn::Say("one")]);
    for path in ["/v1/chat/completions", "/v1/messages", "/v1/models"] {
        answer(&post(path, &json!({})), &state);
    }
    assert_eq!(state.lock().unwrap().taken, 0);
}
