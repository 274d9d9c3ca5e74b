//! Evidence that the guarded agent or a tool cannot switch off.

use serde_json::Value;

use crate::{
    attacks::{clock::Clock, skip},
    hook::{post, pre},
    run::{Place, Ran, finish},
};

fn refused(ran: &Ran) -> bool {
    ran.out.contains("unstuck reset")
}

fn send(place: &Place, input: &[u8]) -> Ran {
    let ran = place.run_with(&["hook", "claude-code"], input);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran
}

/// Puts raw text in the place of a marker, which JSON libraries would not write.
fn raw(input: &Value, text: &[u8]) -> Vec<u8> {
    let written = input.to_string();
    let (before, after) = written.split_once("\"MARKER\"").expect("a marker");
    [before.as_bytes(), text, after.as_bytes()].concat()
}

fn before(number: usize, args: &[u8]) -> Vec<u8> {
    let mut input = pre(&format!("c{number}"), "");
    input["tool_name"] = "mcp__db__query".into();
    input["tool_input"] = "MARKER".into();
    raw(&input, args)
}

fn after(number: usize, args: &[u8], result: &[u8]) -> Vec<u8> {
    let mut input = post(&format!("c{number}"), "", "");
    input["tool_name"] = "mcp__db__query".into();
    input["tool_input"] = "MARKER".into();
    input["tool_response"] = "RESULT".into();
    let whole = raw(&input, args);
    let at = whole
        .windows(8)
        .position(|part| part == b"\"RESULT\"")
        .expect("a place for the result");
    [&whole[..at], result, &whole[at + 8..]].concat()
}

/// Calls of twelve that are refused, with these arguments and results.
fn refused_of_twelve(
    place: &Place,
    args: impl Fn(usize) -> Vec<u8>,
    result: impl Fn(usize) -> Vec<u8>,
) -> usize {
    (0..12)
        .filter(|number| {
            let denied = refused(&send(place, &before(*number, &args(*number))));
            if !denied {
                send(place, &after(*number, &args(*number), &result(*number)));
            }
            denied
        })
        .count()
}

fn nested(levels: usize, inside: &str) -> Vec<u8> {
    format!("{}{inside}{}", "[".repeat(levels), "]".repeat(levels)).into_bytes()
}

/// Values that the engine refuses, or that JSON does not have.
fn hostile(inside: usize) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("nested", nested(129, &inside.to_string())),
        ("nested-far", nested(20_000, &inside.to_string())),
        ("nan", format!("{{\"x\":[NaN,{inside}]}}").into_bytes()),
        ("infinity", format!("[-Infinity,\"{inside}\"]").into_bytes()),
        (
            "double",
            format!("{{\"x\":1e{}}}", 999 + inside).into_bytes(),
        ),
        ("control", format!("\"a\u{1}{inside}\"").into_bytes()),
    ]
}

#[test]
fn b4_results_that_the_engine_refuses_count() {
    for (name, value) in hostile(1) {
        let place = Place::new(&format!("b4-result-{name}"));
        let equal = refused_of_twelve(&place, |_| b"{\"q\":1}".to_vec(), |_| value.clone());
        assert_eq!(equal, 7, "{name}");
    }
    // What differs stays different: results that change are not a loop.
    for kind in 0..hostile(0).len() {
        let name = hostile(0)[kind].0;
        let place = Place::new(&format!("b4-different-{name}"));
        let value = |number: usize| hostile(number).remove(kind).1;
        let refused = refused_of_twelve(&place, |_| b"{\"q\":1}".to_vec(), value);
        assert_eq!(refused, 0, "{name}");
    }
}

#[test]
fn b4_arguments_that_the_engine_refuses_count() {
    for (name, value) in hostile(1) {
        let place = Place::new(&format!("b4-args-{name}"));
        let equal = refused_of_twelve(&place, |_| value.clone(), |_| b"\"same\"".to_vec());
        assert_eq!(equal, 7, "{name}");
    }
}

#[test]
fn b4_a_call_that_is_too_large_for_memory_counts() {
    let place = Place::new("b4-large");
    place.write(
        "home/unstuck.toml",
        "[rules.exact-repeat]\nnudge = 2\ndeny = 3\nhalt = 4\n",
    );
    let large = |letter: u8| {
        let mut args = b"{\"query\":\"".to_vec();
        args.resize(33 << 20, letter);
        args.extend_from_slice(b"\"}");
        args
    };
    let args = large(b'x');
    let mut refusals = Vec::new();
    for number in 0..4 {
        let ran = send(&place, &before(number, &args));
        refusals.push(refused(&ran));
        if !refused(&ran) {
            // As large as the call itself: the host repeats the arguments.
            send(&place, &after(number, &args, b"\"same\""));
        }
    }
    assert!(refusals.contains(&true), "{refusals:?}");
    assert!(!refusals[0] && !refusals[1], "{refusals:?}");
    let sessions = place.run(&["sessions", "--format", "json"]).out;
    let sessions: Value = serde_json::from_str(&sessions).expect("JSON");
    assert_eq!(sessions[0]["calls"], 4);
}

#[test]
fn b4_call_ids_that_are_used_again_count() {
    for (name, ids) in [("constant", 1), ("per-turn", 2)] {
        let place = Place::new(&format!("b4-ids-{name}"));
        let mut refusals = 0;
        for number in 0..15 {
            let id = format!("call_{}", number % ids);
            let asked = send(&place, pre(&id, "make").to_string().as_bytes());
            if refused(&asked) {
                refusals += 1;
            } else {
                let told = post(&id, "make", "nothing to be done").to_string();
                send(&place, told.as_bytes());
            }
        }
        assert_eq!(refusals, 10, "{name}");
    }
}

#[test]
fn b6_a_clock_set_back_does_not_deny_for_an_hour() {
    let place = Place::new("b6-clock");
    let Some(clock) = Clock::build(&place) else {
        return skip("there is no C compiler for this system");
    };
    place.write("home/unstuck.toml", "preset = \"ironcurtain\"\n");
    let call = |number: usize, wrong_by: i64, passed: i64| {
        let id = format!("c{number}");
        let run = |input: &Value| {
            let mut command = place.command(&["hook", "claude-code"]);
            clock.set(&mut command, wrong_by, passed);
            finish(command, input.to_string().as_bytes())
        };
        let asked = run(&pre(&id, "make"));
        if !refused(&asked) {
            run(&post(&id, "make", "nothing to be done"));
        }
        refused(&asked)
    };
    // With a clock that is an hour ahead the limit is reached; then the clock is corrected.
    for number in 0..20 {
        assert!(!call(number, 3_600, 0));
    }
    assert!(call(20, 3_600, 1));
    assert!(call(21, 0, 2), "the limit is forgotten");
    assert!(!call(22, 0, 90), "denied after the window");
    // A clock that is far ahead for one hook, and comes back.
    assert!(!call(23, 40 * 86_400, 91));
    for number in 24..43 {
        call(number, 0, 92);
    }
    assert!(call(43, 0, 93), "no limit after a jump");
    assert!(!call(44, 0, 160), "denied after the second window");
}
