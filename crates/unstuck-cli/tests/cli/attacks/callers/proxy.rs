//! Callers of MCP proxies: names in `_meta`, clients that share a count, sessions of others, and the commands of a person.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{Answer, Front, JSON, Upstream, denied, echo, recorded, respond},
    mcp_proxy::{Proxy, server, verified},
    run::{Place, Ran},
};

/// A call that says something about its caller.
fn call(id: u64, tool: &str, arguments: &Value, meta: &Value) -> String {
    json!({"jsonrpc":"2.0","id":id,"method":"tools/call",
        "params":{"name":tool,"arguments":arguments,"_meta":meta}})
    .to_string()
}

/// Names for one call, as different clients give them.
fn names(number: u64) -> [Value; 3] {
    let name = format!("n{number}");
    [
        json!({"sessionId":name}),
        json!({"threadId":name}),
        json!({"x-codex-turn-metadata":{"session_id":name,"thread_id":name}}),
    ]
}

/// Waits for what must happen within a few seconds.
fn soon(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < Duration::from_secs(10), "never: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn begin(front: &Front) -> Answer {
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize",
        "params":{"protocolVersion":"2025-11-25"}});
    front.post("", &hello.to_string())
}

/// The header of a new session.
fn session(front: &Front) -> String {
    let answer = begin(front);
    assert_eq!(answer.status, 200, "{answer:?}");
    let id = answer.header("mcp-session-id").expect("a session");
    format!("Mcp-Session-Id: {id}\r\n")
}

fn before_process(place: &Place, words: &[&str]) -> Front {
    let mut all = vec!["--name", "s"];
    all.extend(words);
    all.extend(["--", server(), "calls.log"]);
    Front::with(place, &all, &[])
}

/// The running proxy, as `unstuck sessions` lists it.
fn listed(place: &Place) -> Option<Value> {
    let sessions = place.run(&["sessions", "--format", "json"]).out;
    let sessions: Value = serde_json::from_str(&sessions).ok()?;
    let proxies = sessions.as_array()?.iter();
    proxies
        .filter(|session| session["host"] == "mcp")
        .find(|session| session["denials"].as_u64() > Some(0))
        .cloned()
}

fn reset(place: &Place, proxy: &Value) -> Ran {
    place.as_person(&["reset", proxy["session"].as_str().expect("a name")])
}

#[test]
fn a8_a_fresh_name_for_every_call_does_not_outrun_the_breaker() {
    for (preset, most) in [("ironcurtain", 20), ("standard", 21)] {
        for kind in 0..3 {
            let place = Place::new(&format!("attack-a8-names-{preset}-{kind}"));
            let mut proxy = Proxy::start(&place, &["--preset", preset]);
            for number in 0..40 {
                let meta = &names(number)[kind];
                proxy.send(&call(number, "echo", &json!({"x":1}), meta));
                proxy.receive();
            }
            let ran = place.read("calls.log").lines().count();
            assert!(
                ran <= most,
                "{ran} of 40 ran with {preset}, {}",
                names(0)[kind]
            );
        }
    }
}

#[test]
fn a8_a_fresh_name_for_every_call_does_not_outrun_the_breaker_over_http() {
    let place = Place::new("attack-a8-names-http");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    for number in 0..40 {
        let meta = &names(number)[number as usize % 3];
        front.post("", &call(number, "echo", &json!({"x":1}), meta));
    }
    assert_eq!(upstream.seen().len(), 20);
}

#[test]
fn a8_a_fresh_name_for_every_call_does_not_outrun_the_breaker_in_a_session() {
    let place = Place::new("attack-a8-names-session");
    let front = before_process(&place, &["--preset", "ironcurtain"]);
    let session = session(&front);
    for number in 0..40 {
        let meta = &names(number)[number as usize % 3];
        front.post(&session, &call(number, "echo", &json!({"x":1}), meta));
    }
    assert_eq!(place.read("calls.log").lines().count(), 20);
}

#[test]
fn a8_a_fresh_session_for_every_call_does_not_outrun_the_breaker() {
    let place = Place::new("attack-a8-sessions");
    let front = before_process(&place, &["--preset", "ironcurtain"]);
    for number in 0..30 {
        let session = session(&front);
        front.post(&session, &call(number, "echo", &json!({"x":1}), &json!({})));
        let ended = front.send(&front.bare("DELETE", &session));
        assert_eq!(ended.status, 204);
    }
    assert_eq!(place.read("calls.log").lines().count(), 20);
}

/// A message that looks as if it had no session is still one of the session whose id goes to the server.
#[test]
fn a8_another_protocol_version_does_not_leave_a_session() {
    let place = Place::new("attack-a8-version");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        let headers = format!("{JSON}mcp-session-id: sess1\r\n");
        respond(stream, "200 OK", &headers, &echo(&message).to_string());
    });
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}});
    front.post("", &hello.to_string());
    let session = "Mcp-Session-Id: sess1\r\n";
    for number in 1..=20 {
        let body = call(number, "echo", &json!({"x":1}), &json!({}));
        assert!(!denied(&front.post(session, &body).json()));
    }
    let version = "2026-07-28";
    let meta = json!({"io.modelcontextprotocol/protocolVersion":version});
    let headers = format!(
        "{session}MCP-Protocol-Version: {version}\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"
    );
    let answer = front.post(&headers, &call(21, "echo", &json!({"x":1}), &meta));
    assert!(denied(&answer.json()), "{answer:?}");
}

#[test]
fn a8_policies_do_not_take_the_clients_word_for_who_it_is() {
    let place = Place::new("attack-a8-policy");
    place.write(
        "policy.cedar",
        r#"permit (principal, action, resource == Tool::"s/look");
           permit (principal == Agent::"admin", action, resource == Tool::"s/echo");
           forbid (principal == Agent::"main", action, resource == Tool::"s/look");"#,
    );
    let mut proxy = Proxy::start(&place, &["--policy", "policy.cedar"]);
    for number in 0..3 {
        proxy.send(&call(number, "look", &json!({}), &json!({"threadId":"x"})));
        assert!(
            denied(&proxy.receive()),
            "a forbid for the agent main was evaded"
        );
        proxy.send(&call(
            number,
            "echo",
            &json!({}),
            &json!({"threadId":"admin"}),
        ));
        assert!(
            denied(&proxy.receive()),
            "a permit for the agent admin was taken"
        );
    }
    assert_eq!(place.read("calls.log"), "");
}

#[test]
fn a8_a_client_that_gives_anothers_recorded_name_does_not_reach_it() {
    let place = Place::new("attack-a8-other");
    let front = before_process(&place, &["--preset", "ironcurtain"]);
    let (honest, attacker) = (session(&front), session(&front));
    let plain = json!({});
    assert!(!denied(
        &front
            .post(&honest, &call(1, "echo", &json!({"x":1}), &plain))
            .json()
    ));
    let name = recorded(&place, "forward")[0]["session"].clone();
    for number in 0..30 {
        let meta = json!({"sessionId":name});
        front.post(&attacker, &call(number, "echo", &json!({"x":1}), &meta));
    }
    let answer = front.post(&honest, &call(2, "echo", &json!({"x":1}), &plain));
    assert!(!denied(&answer.json()), "{answer:?}");
}

#[test]
fn a8_a_halt_in_a_proxy_is_lifted_by_a_reset() {
    let place = Place::new("attack-a8-reset");
    let mut proxy = Proxy::start(&place, &[]);
    for id in 0..14 {
        proxy.call(id, "echo", &json!({"x":1}));
    }
    assert!(
        denied(&proxy.call(20, "echo", &json!({"other":1}))),
        "not halted"
    );
    soon("a halted proxy in the list", || {
        listed(&place).is_some_and(|proxy| !proxy["halted"].is_null())
    });
    let listed = listed(&place).expect("it is listed");
    let ran = reset(&place, &listed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer = proxy.call(21, "echo", &json!({"other":1}));
    assert!(!denied(&answer), "{answer}");
    assert_eq!(recorded(&place, "reset").len(), 1);
    let (code, said) = proxy.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(verified(&place));
}

#[test]
fn a8_a_halt_of_one_http_session_is_lifted_by_a_reset() {
    let place = Place::new("attack-a8-reset-http");
    let front = before_process(&place, &[]);
    let (one, two) = (session(&front), session(&front));
    let ask = |session: &str, id, arguments: &Value| {
        denied(
            &front
                .post(session, &call(id, "echo", arguments, &json!({})))
                .json(),
        )
    };
    for id in 0..14 {
        ask(&one, id, &json!({"x":1}));
        ask(&two, id, &json!({"x":1}));
    }
    assert!(ask(&one, 20, &json!({"y":1})) && ask(&two, 20, &json!({"y":1})));
    soon("two halted callers in the list", || {
        listed(&place).is_some_and(|proxy| proxy["callers"].as_array().map(Vec::len) == Some(2))
    });
    let listed = listed(&place).expect("it is listed");
    let first = recorded(&place, "call")[0]["session"].clone();
    let first = first.as_str().expect("a name");
    let callers = listed["callers"].as_array().expect("callers").iter();
    let name = callers
        .filter_map(|caller| caller["session"].as_str())
        .find(|name| name.ends_with(first))
        .expect("the session that is in the audit");
    let ran = place.as_person(&["reset", name]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ask(&one, 21, &json!({"y":1})), "it is still halted");
    assert!(
        ask(&two, 21, &json!({"y":1})),
        "the other one was lifted as well"
    );
    assert_eq!(recorded(&place, "reset")[0]["session"], first);
}

#[test]
fn a8_the_switch_reaches_a_running_proxy() {
    let place = Place::new("attack-a8-mode");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    for id in 0..20 {
        proxy.call(id, "echo", &json!({}));
    }
    assert!(denied(&proxy.call(20, "echo", &json!({}))));
    let mut id = 100;
    for (mode, stays_denied) in [("off", false), ("enforce", true), ("observe", false)] {
        assert_eq!(place.as_person(&["mode", mode]).code, Some(0));
        soon(mode, || {
            id += 1;
            denied(&proxy.call(id, "echo", &json!({}))) == stays_denied
        });
    }
    assert_eq!(recorded(&place, "mode").len(), 3);
    proxy.end();
    assert!(verified(&place));
}

#[test]
fn a8_the_switch_reaches_a_running_http_proxy_and_counts_from_the_start() {
    let place = Place::new("attack-a8-mode-http");
    place.as_person(&["mode", "off"]);
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    let ask = |id| {
        denied(
            &front
                .post("", &call(id, "echo", &json!({}), &json!({})))
                .json(),
        )
    };
    assert!(
        (0..30).all(|id| !ask(id)),
        "the switch did not apply at the start"
    );
    place.as_person(&["mode", "default"]);
    let mut id = 100;
    soon("a mode that enforces", || {
        id += 1;
        (0..30).any(|_| ask(id))
    });
}

#[test]
fn s4_a_loop_of_one_stateless_client_stops_no_other() {
    let place = Place::new("attack-s4-shared");
    let upstream = Upstream::always("same");
    let front = Front::before(&upstream, &place, &[]);
    let looping = json!({"q":"only-for-the-first-client"});
    let answers: Vec<_> = (0..40)
        .map(|id| {
            front
                .post("", &call(id, "loopy", &looping, &json!({})))
                .json()
        })
        .collect();
    assert!(answers.iter().filter(|answer| denied(answer)).count() > 20);
    let other = front.post("", &call(50, "other", &json!({"z":1}), &json!({})));
    assert!(!denied(&other.json()), "{other:?}");
    assert!(
        !other.body.contains("only-for-the-first-client"),
        "{other:?}"
    );
    // The pattern itself stays denied.
    let again = front.post("", &call(51, "loopy", &looping, &json!({})));
    assert!(denied(&again.json()));
}

#[test]
fn s4_a_cycle_of_one_stateless_client_is_not_shown_to_another() {
    let place = Place::new("attack-s4-quote");
    let upstream = Upstream::always("same");
    let front = Front::before(&upstream, &place, &[]);
    let mut seen = String::new();
    for id in 0..20 {
        front.post(
            "",
            &call(id, "one", &json!({"q":"of-the-first-client"}), &json!({})),
        );
        seen += &front
            .post("", &call(id, "two", &json!({"q":2}), &json!({})))
            .body;
    }
    assert!(seen.contains("[unstuck]"), "{seen}");
    assert!(!seen.contains("of-the-first-client"), "{seen}");
}

#[test]
fn b14_new_sessions_do_not_end_others() {
    let place = Place::new("attack-b14-sessions");
    let front = before_process(&place, &["--max-sessions", "4"]);
    let mine = session(&front);
    let ask = |id| front.post(&mine, &call(id, "echo", &json!({"id":id}), &json!({})));
    assert_eq!(ask(1).status, 200);
    let refused: Vec<_> = (0..8)
        .map(|_| begin(&front))
        .filter(|answer| answer.status != 200)
        .collect();
    assert_eq!(ask(2).status, 200, "the session was pushed out");
    assert_eq!(refused.len(), 5);
    for answer in refused {
        assert_eq!(answer.status, 503);
        assert_eq!(answer.json()["id"], 0);
        assert!(answer.json()["error"]["message"].is_string());
    }
}

/// A proxy looks at the mode file four times a second.
#[test]
fn a_mode_file_that_is_refused_is_logged_once_per_change() {
    let place = Place::new("proxy-mode-log");
    place.write("state/mode", "observe");
    let permit = |path: &str, mode| {
        fs::set_permissions(place.path(path), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    permit("state", 0o700);
    permit("state/mode", 0o664);
    let proxy = Proxy::start(&place, &[]);
    let lines = || {
        let log = place.read("state/hook.log");
        log.matches("is ignored: another user can write").count()
    };
    let mode = |mode: &str| {
        place
            .run(&["sessions"])
            .out
            .contains(&format!("mode {mode}"))
    };
    // The commands read the file as well, so they are not run between.
    soon("a report", || lines() > 0);
    let before = lines();
    thread::sleep(Duration::from_millis(1_500));
    assert_eq!(lines(), before, "{}", place.read("state/hook.log"));
    permit("state/mode", 0o600);
    soon("the mode is applied", || mode("observe"));
    permit("state/mode", 0o664);
    soon("another report", || lines() > before);
    let before = lines();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(lines(), before, "{}", place.read("state/hook.log"));
    proxy.end();
}
