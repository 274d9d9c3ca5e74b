use unstuck::{Json, Preset, Settings};

use super::super::{GuardOptions, ToClient, ToServer};
use super::*;
use crate::codec::Codec;

fn guard() -> Guard {
    Guard::new(GuardOptions::new("s", Settings::of(Preset::Ironcurtain)))
}

fn call(guard: &mut Guard, scope: &str, session: Option<&str>) -> ToServer {
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#;
    let mut codec = Codec::default();
    let caller = session.map_or(Caller::Connection, |name| Caller::Session {
        name,
        owner: None,
    });
    let origin = Origin { scope, caller };
    guard.within(origin, |guard| {
        guard.from_client(codec.read(line), line.len(), Micros(0))
    })
}

fn answer(guard: &mut Guard, scope: &str) -> ToClient {
    let line = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    let mut codec = Codec::default();
    let origin = Origin {
        scope,
        caller: Caller::Connection,
    };
    guard.within(origin, |guard| {
        guard.from_server(codec.read(line), line, Micros(0))
    })
}

#[test]
fn equal_ids_of_two_clients_are_two_calls() {
    let mut guard = guard();
    call(&mut guard, "a\n", None);
    call(&mut guard, "b\n", None);
    assert_eq!(guard.waiting(), 2);
    answer(&mut guard, "b\n");
    assert_eq!(guard.waiting(), 1);
    // No caller of this name waits.
    answer(&mut guard, "b\n");
    answer(&mut guard, "");
    assert_eq!(guard.waiting(), 1);
    guard.close_scope("a\n", Micros(0));
    assert_eq!(guard.waiting(), 0);
}

#[test]
fn sessions_are_counted_apart() {
    let mut guard = guard();
    for _ in 0..20 {
        let said = call(&mut guard, "a\n", Some("one"));
        assert!(matches!(said, ToServer::ForwardCall(_)));
        answer(&mut guard, "a\n");
    }
    let said = call(&mut guard, "a\n", Some("one"));
    assert!(matches!(said, ToServer::Answer(_)));
    let said = call(&mut guard, "b\n", Some("two"));
    assert!(matches!(said, ToServer::ForwardCall(_)));
}

#[test]
fn a_call_that_could_not_be_recorded_is_answered_with_its_own_id() {
    let mut guard = guard();
    let ToServer::ForwardCall(ticket) = call(&mut guard, "a\n", None) else {
        panic!("it would run");
    };
    let origin = Origin {
        scope: "a\n",
        caller: Caller::Connection,
    };
    let said = guard.within(origin, |guard| guard.unaudited(ticket, Micros(0)));
    let ToServer::Answer(line) = said else {
        panic!("it is denied");
    };
    let line = String::from_utf8(line).expect("text");
    assert!(
        line.starts_with(r#"{"jsonrpc":"2.0","id":1,"result""#),
        "{line}"
    );
}

#[test]
fn what_was_lost_is_on_record_once() {
    let mut guard = guard();
    call(&mut guard, "a\n", None);
    let origin = Origin {
        scope: "a\n",
        caller: Caller::Connection,
    };
    let id = Json::parse("1").expect("JSON");
    for _ in 0..2 {
        guard.within(origin, |guard| {
            guard.lost(&id, Lost::ByClient, Micros(5_000));
        });
    }
    assert_eq!(guard.waiting(), 0);
    let recorded = format!("{:?}", guard.journal());
    assert_eq!(recorded.matches("cancelled").count(), 1, "{recorded}");
}

#[test]
fn the_audit_names_the_session_of_each_call_however_they_mix() {
    let mut guard = guard();
    let sessions = ["one", "one", "two", "one", "three", "three"];
    for (number, session) in sessions.into_iter().enumerate() {
        call(&mut guard, &format!("{number}\n"), Some(session));
    }
    let lines = guard.journal().lines();
    let recorded: Vec<_> = lines
        .map(|line| serde_json::from_str::<serde_json::Value>(&format!("{{{line}}}")).unwrap())
        .map(|line| line["session"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(recorded, sessions);
}
