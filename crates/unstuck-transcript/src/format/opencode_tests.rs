use super::*;
use crate::testing::Told;

fn tool(id: &str, status: &str, start: i64, end: i64) -> String {
    format!(
        r#"{{"type":"tool","tool":"bash","callID":"{id}","state":{{"status":"{status}","input":{{}},"output":"x","error":"y","time":{{"start":{start},"end":{end}}}}}}}"#
    )
}

#[test]
fn rows_tell_what_exports_tell() {
    let mut told = Told::default();
    let mut rows = OpenCodeRows::new("ses_1", None);
    let start = 1_775_124_000_000;
    rows.message("m1", Some(start), r#"{"role":"user"}"#, &mut told);
    rows.part(Some(start), r#"{"type":"text","text":"go"}"#, &mut told);
    rows.part(Some(start), r#"{"type":"text","text":"and on"}"#, &mut told);
    rows.message(
        "m2",
        Some(start + 5),
        r#"{"role":"assistant","modelID":"large"}"#,
        &mut told,
    );
    rows.part(Some(start + 5), r#"{"type":"step-start"}"#, &mut told);
    rows.part(
        None,
        &tool("a", "completed", start + 10, start + 40),
        &mut told,
    );
    rows.part(None, &tool("b", "error", start + 20, start + 30), &mut told);
    rows.part(
        None,
        &tool("c", "running", start + 25, start + 25),
        &mut told,
    );
    rows.part(
        None,
        r#"{"type":"step-finish","tokens":{"input":5,"output":1,"cache":{"read":2}},"cost":0.25}"#,
        &mut told,
    );
    rows.end(&mut told);
    assert_eq!(
        told.kinds(),
        [
            "User",
            "call a",
            "call b",
            "call c",
            "result b Error",
            "result a Ok",
            "turn"
        ]
    );
    let times: Vec<i64> = told
        .events
        .iter()
        .map(|event| event.at.unwrap().0 - start)
        .collect();
    assert_eq!(times, [0, 10, 20, 25, 30, 40, 40]);
    assert_eq!(told.usage.len(), 1);
    assert_eq!(&*told.usage[0].model, "large");
    assert_eq!(told.usage[0].cost_micros, Some(250_000));
    assert_eq!(told.problems, []);
}

#[test]
fn sessions_of_sub_agents_are_agents_of_the_first_session_and_hear_no_person() {
    let mut told = Told::default();
    let mut rows = OpenCodeRows::new("ses_2", Some("ses_1"));
    rows.message("m1", None, r#"{"role":"user"}"#, &mut told);
    rows.part(None, r#"{"type":"text","text":"look"}"#, &mut told);
    rows.message("m2", None, r#"{"role":"assistant"}"#, &mut told);
    rows.part(None, &tool("a", "completed", 1, 2), &mut told);
    rows.end(&mut told);
    assert_eq!(told.kinds(), ["call a", "result a Ok", "turn"]);
    assert_eq!(
        (&*told.events[0].session, &*told.events[0].agent),
        ("ses_1", "ses_2")
    );
}

#[test]
fn a_row_that_cannot_be_read_is_a_problem_and_the_rest_is_told() {
    let mut told = Told::default();
    let mut rows = OpenCodeRows::new("ses_1", None);
    rows.message("m1", None, "{oops", &mut told);
    rows.part(None, "{", &mut told);
    rows.part(None, &tool("a", "completed", 1, 2), &mut told);
    rows.end(&mut told);
    assert_eq!(told.kinds(), ["call a", "result a Ok", "turn"]);
    let problems: Vec<&str> = told
        .problems
        .iter()
        .map(|problem| &*problem.message)
        .collect();
    assert_eq!(
        problems,
        [
            "message m1: expected a key or `}` at byte 1",
            "part 1: unexpected end of input"
        ]
    );
}
