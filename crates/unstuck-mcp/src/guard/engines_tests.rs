use serde_json::{Value, json};
use unstuck::{Mode, Preset, Settings};

use super::super::{Caller, Guard, GuardOptions, Micros, Names, Origin, ToClient, ToServer};
use crate::codec::Codec;

/// A guard with many clients, whose calls are answered at once.
struct Place {
    guard: Guard,
    codec: Codec,
    id: u64,
}

impl Place {
    fn new(preset: Preset) -> Self {
        Self::with(GuardOptions::new("s", Settings::of(preset)))
    }

    fn with(options: GuardOptions) -> Self {
        Self {
            guard: Guard::new(options),
            codec: Codec::default(),
            id: 0,
        }
    }

    /// Text of the denial, or `None` if the call ran.
    fn call(&mut self, caller: Caller<'_>, tool: &str, arguments: &Value) -> Option<String> {
        self.call_with(caller, tool, arguments, &json!({}), "the same")
    }

    fn call_with(
        &mut self,
        caller: Caller<'_>,
        tool: &str,
        arguments: &Value,
        meta: &Value,
        result: &str,
    ) -> Option<String> {
        self.id += 1;
        let line = json!({"jsonrpc":"2.0","id":self.id,"method":"tools/call",
            "params":{"name":tool,"arguments":arguments,"_meta":meta}})
        .to_string();
        let origin = Origin {
            scope: "x\n",
            caller,
        };
        let message = self.codec.read(line.as_bytes());
        let said = self.guard.within(origin, |guard| {
            guard.from_client(message, line.len(), Micros(1_000_000))
        });
        let denied = match said {
            ToServer::ForwardCall(_) => None,
            ToServer::Answer(answer) => Some(String::from_utf8(answer).unwrap()),
            other => panic!("{other:?}"),
        };
        if denied.is_none() {
            let line = json!({"jsonrpc":"2.0","id":self.id,"result":{"content":[{"type":"text","text":result}]}})
                .to_string();
            let message = self.codec.read(line.as_bytes());
            let said = self.guard.within(origin, |guard| {
                guard.from_server(message, line.as_bytes(), Micros(1_000_000))
            });
            assert!(!matches!(said, ToClient::Drop | ToClient::Answer(_)));
        }
        denied
    }

    fn lines(&mut self, event: &str) -> Vec<Value> {
        let lines = self.guard.journal().lines();
        let lines =
            lines.map(|line| serde_json::from_str::<Value>(&format!("{{{line}}}")).unwrap());
        lines.filter(|line| line["event"] == event).collect()
    }
}

fn session(name: &str) -> Caller<'_> {
    Caller::Session { name, owner: None }
}

fn named<'a>(name: &'a str, owner: &'a str) -> Caller<'a> {
    Caller::Shared { name, owner }
}

#[test]
fn a_fresh_name_for_every_call_does_not_outrun_the_breaker() {
    // In the standard preset the first result is new, and a call that brought something new does not count.
    for (preset, limit) in [(Preset::Ironcurtain, 20), (Preset::Standard, 21)] {
        let mut place = Place::new(preset);
        let ran = (0..60)
            .filter(|number| {
                // From some number on, further names are counted together.
                let name = if *number < 16 {
                    format!("p~{number}")
                } else {
                    "p".into()
                };
                let caller = named(&name, "p");
                place.call(caller, "t", &json!({"x":1})).is_none()
            })
            .count();
        assert_eq!(ran, limit, "{preset}");
        // Another owner is not concerned, and neither is another call.
        assert!(
            place
                .call(named("q~1", "q"), "t", &json!({"x":1}))
                .is_none()
        );
        assert!(
            place
                .call(named("p~1", "p"), "t", &json!({"x":2}))
                .is_none()
        );
    }
}

#[test]
fn results_that_change_are_no_burst_of_an_owner_either() {
    let mut place = Place::new(Preset::Standard);
    for number in 0..60 {
        let result = format!("chapter {number}: {}", "word ".repeat(number));
        let denied = place.call_with(named("p~1", "p"), "t", &json!({}), &json!({}), &result);
        assert_eq!(denied, None, "{number}");
    }
}

#[test]
fn a_loop_in_a_shared_scope_is_denied_and_stops_nothing_else() {
    let mut place = Place::new(Preset::Standard);
    let shared = named("p~1", "p");
    let looped: Vec<_> = (0..40)
        .filter_map(|_| place.call(shared, "t", &json!({"secret":"mine"})))
        .collect();
    assert!(looped.len() > 20);
    assert!(
        looped
            .iter()
            .all(|text| !text.contains("Every further tool call"))
    );
    assert_eq!(place.call(shared, "other", &json!({"q":1})), None);
    assert!(!place.guard.held()[0].halted);
    // The same calls of a private caller end in a halt, as the settings say.
    let private = session("http-1");
    for _ in 0..40 {
        place.call(private, "t", &json!({}));
    }
    let halted = place.call(private, "other", &json!({"q":1}));
    assert!(halted.is_some_and(|text| text.contains("Every further tool call")));
}

#[test]
fn a_cycle_in_a_shared_scope_quotes_no_other_call() {
    let mut place = Place::new(Preset::Standard);
    let shared = named("p~1", "p");
    let mut denied = Vec::new();
    for _ in 0..14 {
        place.call(shared, "a", &json!({"token":"of-one-client"}));
        denied.extend(place.call(shared, "b", &json!({"q":"of-another"})));
    }
    assert!(!denied.is_empty());
    assert!(
        denied.iter().all(|text| !text.contains("of-one-client")),
        "{denied:?}"
    );
}

#[test]
fn a_reset_lifts_a_halt_and_is_recorded() {
    let mut place = Place::new(Preset::Standard);
    let (one, two) = (session("one"), session("two"));
    for caller in [one, two] {
        for _ in 0..40 {
            place.call(caller, "t", &json!({}));
        }
        assert!(place.call(caller, "other", &json!({})).is_some());
    }
    assert_eq!(place.guard.held().len(), 2);
    assert_eq!(place.guard.reset(Some("one"), Micros(2_000_000)), 1);
    assert_eq!(place.guard.held().len(), 1);
    assert!(place.call(one, "t", &json!({})).is_none());
    assert!(place.call(two, "t", &json!({})).is_some());
    assert_eq!(place.lines("reset")[0]["session"], "one");
    place.guard.reset(None, Micros(3_000_000));
    assert!(place.call(two, "t", &json!({})).is_none());
    assert_eq!(place.lines("reset")[1]["session"], Value::Null);
}

#[test]
fn the_reset_of_a_name_clears_the_bursts_of_its_owner() {
    let mut place = Place::new(Preset::Ironcurtain);
    for number in 0..30 {
        let name = format!("p~{number}");
        place.call(named(&name, "p"), "t", &json!({}));
    }
    assert!(place.call(named("p~1", "p"), "t", &json!({})).is_some());
    place.guard.reset(Some("p~1"), Micros(2_000_000));
    assert!(place.call(named("p~1", "p"), "t", &json!({})).is_none());
}

#[test]
fn a_mode_applies_from_the_next_call_on_and_counts_stay() {
    let mut place = Place::new(Preset::Ironcurtain);
    let caller = Caller::Connection;
    for _ in 0..20 {
        assert!(place.call(caller, "t", &json!({})).is_none());
    }
    assert!(place.call(caller, "t", &json!({})).is_some());
    assert!(place.guard.set_mode(Mode::Off, "test", Micros(2_000_000)));
    assert!(place.call(caller, "t", &json!({})).is_none());
    assert!(
        place
            .guard
            .set_mode(Mode::Enforce, "test", Micros(2_000_000))
    );
    assert!(place.call(caller, "t", &json!({})).is_some());
    let lines = place.lines("mode");
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["from"], &lines[0]["to"]),
        (&json!("enforce"), &json!("off"))
    );
}

#[test]
fn names_are_recorded_as_claims_and_count_only_where_they_are_trusted() {
    let meta = json!({"sessionId":"s9","threadId":"t9"});
    let mut place = Place::new(Preset::Ironcurtain);
    place.call_with(session("one"), "t", &json!({}), &meta, "");
    let line = &place.lines("call")[0];
    assert_eq!(
        (&line["session"], &line["agent"]),
        (&json!("one"), &json!("main"))
    );
    assert_eq!(line["claimed"], json!({"session":"s9","agent":"t9"}));
    let mut options = GuardOptions::new("s", Settings::of(Preset::Ironcurtain));
    options.names = Names::Trusted;
    let mut place = Place::with(options);
    let ran = (0..40).filter(|number| {
        let meta = json!({"threadId":format!("t{number}")});
        let denied = place.call_with(Caller::Connection, "t", &json!({}), &meta, "");
        denied.is_none()
    });
    assert_eq!(ran.count(), 40);
}

#[test]
fn policies_see_the_owner_and_not_what_tells_its_clients_apart() {
    let mut place = Place::new(Preset::Ironcurtain);
    let policy = r#"permit (principal, action, resource);
        forbid (principal in Session::"p", action, resource);"#;
    let policy = crate::policy::Policy::parse("p.cedar", policy).unwrap();
    place.guard.set_policy(policy);
    assert!(place.call(named("p~1", "p"), "t", &json!({})).is_some());
    assert!(place.call(named("p", "p"), "t", &json!({})).is_some());
    assert!(place.call(named("q~1", "q"), "t", &json!({})).is_none());
}

#[test]
fn a_fresh_session_for_every_call_does_not_outrun_the_breaker() {
    let mut place = Place::new(Preset::Ironcurtain);
    let mut ask = |name: &str, owner| {
        let owner = Some(owner);
        place.call(Caller::Session { name, owner }, "t", &json!({}))
    };
    let ran = (0..60).filter(|number| ask(&format!("http-{number}"), "p#0").is_none());
    assert_eq!(ran.count(), 20);
    // A session beside it has a place of its own.
    assert!(ask("http-99", "p#1").is_none());
    assert!(ask("http-60", "p#0").is_some());
    place.guard.reset(Some("http-60"), Micros(2_000_000));
    let (name, owner) = ("http-61", Some("p#0"));
    let again = place.call(Caller::Session { name, owner }, "t", &json!({}));
    assert!(again.is_none());
}
