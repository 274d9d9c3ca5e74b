use serde_json::{Value, json};
use unstuck::{Preset, settings::ToolPattern};

use super::*;
use crate::codec::Codec;

#[path = "guard/words_tests.rs"]
mod words;

#[path = "guard/unreadable_tests.rs"]
mod unreadable;

struct Bench {
    guard: Guard,
    codec: Codec,
    now: i64,
}

impl Bench {
    fn new(preset: Preset) -> Self {
        Self::with(GuardOptions::new("s", Settings::of(preset)))
    }

    fn with(options: GuardOptions) -> Self {
        Self {
            guard: Guard::new(options),
            codec: Codec::default(),
            now: 1_000_000_000,
        }
    }

    fn send(&mut self, line: &str) -> ToServer {
        let message = self.codec.read(line.as_bytes());
        self.guard
            .from_client(message, line.len(), Micros(self.now))
    }

    fn send_as(&mut self, caller: Caller<'_>, line: &str) -> ToServer {
        let message = self.codec.read(line.as_bytes());
        let (scope, now) = ("c\n", Micros(self.now));
        self.guard.within(Origin { scope, caller }, |guard| {
            guard.from_client(message, line.len(), now)
        })
    }

    fn receive(&mut self, line: &str) -> ToClient {
        let message = self.codec.read(line.as_bytes());
        self.guard
            .from_server(message, line.as_bytes(), Micros(self.now))
    }

    fn call(&mut self, id: u64, arguments: &str) -> ToServer {
        self.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read","arguments":{arguments}}}}}"#
        ))
    }

    fn answer(&mut self, id: u64, text: &str) -> ToClient {
        let text = Json::string(text);
        self.receive(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#
        ))
    }

    /// A call with its answer: what the client sees.
    fn round(&mut self, id: u64, arguments: &str, text: &str) -> Seen {
        match self.call(id, arguments) {
            ToServer::ForwardCall(_) => match self.answer(id, text) {
                ToClient::Forward => Seen::Result,
                ToClient::Replace(line) => Seen::Nudge(said(&line)),
                ToClient::Drop | ToClient::Answer(_) => panic!("dropped"),
            },
            ToServer::Answer(line) => Seen::Denied(said(&line)),
            other => panic!("{other:?}"),
        }
    }

    fn list(&mut self, tools: &Value) {
        self.send(r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#);
        let result = json!({"jsonrpc":"2.0","id":"list","result":{"tools":tools}});
        assert_eq!(self.receive(&result.to_string()), ToClient::Forward);
    }

    fn audit(&mut self) -> Vec<Value> {
        let lines = self.guard.journal().lines();
        let lines: Vec<_> = lines
            .map(|line| serde_json::from_str(&format!("{{{line}}}")).unwrap())
            .collect();
        self.guard.journal().clear();
        lines
    }

    fn outcomes(&mut self) -> Vec<String> {
        let audit = self.audit();
        let calls = audit.iter().filter(|line| line["event"] == "call");
        calls
            .map(|line| line["outcome"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[derive(Debug, PartialEq)]
enum Seen {
    Result,
    Nudge(String),
    Denied(String),
}

fn said(line: &[u8]) -> String {
    let line: Value = serde_json::from_slice(line).unwrap();
    let content = line["result"]["content"].as_array().unwrap();
    content.last().unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_founding_breaker_denies_from_call_21_on_and_opens_again_after_its_window() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    for id in 1..=20 {
        assert_eq!(bench.round(id, r#"{"a":1}"#, "same"), Seen::Result, "{id}");
    }
    for id in 21..=120 {
        assert!(matches!(
            bench.round(id, r#"{"a":1.0}"#, ""),
            Seen::Denied(_)
        ));
    }
    // Others go on.
    assert_eq!(bench.round(121, r#"{"a":2}"#, "same"), Seen::Result);
    bench.now += 59_999_000;
    assert!(matches!(
        bench.round(122, r#"{"a":1}"#, ""),
        Seen::Denied(_)
    ));
    bench.now += 1_000;
    assert_eq!(bench.round(123, r#"{"a":1}"#, "same"), Seen::Result);
    let outcomes = bench.outcomes();
    let count = |what: &str| outcomes.iter().filter(|outcome| *outcome == what).count();
    assert_eq!((count("ok"), count("denied")), (22, 101));
}

#[test]
fn a_denied_call_is_an_error_that_says_why_in_the_words_of_its_era() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    for id in 1..=20 {
        bench.round(id, "{}", "x");
    }
    let ToServer::Answer(line) = bench.call(21, "{}") else {
        panic!("denied");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(line["id"], 21);
    assert_eq!(line["result"]["isError"], true);
    assert_eq!(line["result"].get("resultType"), None);
    let ToServer::Answer(line) = bench.send(
        r#"{"jsonrpc":"2.0","id":"22","method":"tools/call","params":{"name":"read","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
    ) else {
        panic!("denied");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(
        (&line["id"], &line["result"]["resultType"]),
        (&json!("22"), &json!("complete"))
    );
    let audit = bench.audit();
    let denied = audit.last().unwrap();
    assert_eq!(denied["rule"], "call-burst");
    assert_eq!(denied["decided_by"], "rules");
    assert_eq!(denied["verdict"], "deny");
}

#[test]
fn standard_judges_results_nudges_denies_and_halts() {
    let mut bench = Bench::new(Preset::Standard);
    let seen: Vec<_> = (1..=30)
        .map(|id| bench.round(id, "{}", "no such file"))
        .collect();
    assert_eq!(seen[..2], [Seen::Result, Seen::Result]);
    assert!(matches!(&seen[2], Seen::Nudge(text) if text.starts_with("[unstuck]")));
    assert!(matches!(seen[5], Seen::Denied(_)));
    // Every further call is denied, whatever it is.
    let Seen::Denied(text) = bench.round(31, r#"{"other":1}"#, "") else {
        panic!("halted");
    };
    assert!(text.contains("Stop now, and report"), "{text}");
    // But only of this agent.
    let other = bench.send_as(
        Caller::Session {
            name: "s2",
            owner: None,
        },
        r#"{"jsonrpc":"2.0","id":40,"method":"tools/call","params":{"name":"read"}}"#,
    );
    assert!(matches!(other, ToServer::ForwardCall(_)));
    // A name that the client gives does not make it another one.
    let named = bench.send(
        r#"{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":"read","_meta":{"sessionId":"s2"}}}"#,
    );
    assert!(matches!(named, ToServer::Answer(_)));
}

#[test]
fn a_result_that_changes_is_no_loop() {
    let mut bench = Bench::new(Preset::Standard);
    for id in 1..=15 {
        bench.now += 5_000_000;
        let seen = bench.round(
            id,
            "{}",
            &format!("chapter {id}: {}", "word ".repeat(id as usize)),
        );
        assert_eq!(seen, Seen::Result, "{id}");
    }
}

#[test]
fn an_answer_to_a_server_that_asked_for_more_is_no_repeat() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    let call = |id: u64, more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"book","arguments":{{}}{more}}}}}"#
        )
    };
    let asks = |id: u64| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{}},"requestState":"x"}}}}"#
        )
    };
    let mut id = 0;
    for _ in 0..20 {
        id += 1;
        assert!(matches!(
            bench.send(&call(id, "")),
            ToServer::ForwardCall(_)
        ));
        assert_eq!(bench.receive(&asks(id)), ToClient::Forward);
        id += 1;
        let more = r#","inputResponses":{},"requestState":"x""#;
        assert!(
            matches!(bench.send(&call(id, more)), ToServer::ForwardCall(_)),
            "{id}"
        );
        bench.answer(id, "done");
    }
    assert!(matches!(bench.send(&call(90, "")), ToServer::Answer(_)));
    // There was no request for more input: marking a call does not hide it.
    for more in [r#","inputResponses":{}"#, r#","requestState":"x""#] {
        assert!(matches!(bench.send(&call(91, more)), ToServer::Answer(_)));
    }
}

#[test]
fn polling_a_task_is_not_looked_at() {
    let mut bench = Bench::new(Preset::Standard);
    bench.call(1, "{}");
    assert_eq!(
        bench.receive(r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t"}}}"#),
        ToClient::Forward
    );
    assert_eq!(bench.outcomes(), ["pending"]);
    for id in 2..100 {
        let poll = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tasks/get","params":{{"taskId":"t"}}}}"#
        );
        assert_eq!(bench.send(&poll), ToServer::Forward);
    }
}

#[test]
fn errors_cancellations_and_silence_are_recorded() {
    let mut bench = Bench::new(Preset::Standard);
    bench.call(1, r#"{"n":1}"#);
    bench.receive(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"boom"}],"isError":true}}"#);
    bench.call(2, r#"{"n":2}"#);
    bench.receive(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no"}}"#);
    bench.call(3, r#"{"n":3}"#);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#;
    assert_eq!(bench.send(cancel), ToServer::Forward);
    assert_eq!(bench.send(cancel), ToServer::Forward);
    // The answer and the notice have crossed: the client waits no longer, and nothing is wrong with it.
    assert_eq!(bench.answer(3, "late"), ToClient::Drop);
    // A second one has no such excuse.
    assert_eq!(bench.answer(3, "later"), ToClient::Drop);
    let refused = |line: &&Value| line["event"] == "refused";
    let audit = bench.guard.journal().lines();
    let audit: Vec<Value> = audit
        .map(|line| serde_json::from_str(&format!("{{{line}}}")).unwrap())
        .collect();
    assert_eq!(audit.iter().filter(refused).count(), 1);
    bench.call(4, r#"{"n":4}"#);
    let at = Micros(bench.now);
    bench.guard.close(at);
    assert_eq!(
        bench.outcomes(),
        ["error", "failed", "cancelled", "unanswered"]
    );
}

#[test]
fn ids_of_the_two_directions_are_kept_apart() {
    let mut bench = Bench::new(Preset::Standard);
    bench.call(5, "{}");
    // The server's own request with the same id, and the client's answer to it.
    assert_eq!(
        bench.receive(r#"{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#),
        ToClient::Forward
    );
    assert_eq!(
        bench.send(r#"{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}"#),
        ToServer::Forward
    );
    assert_eq!(bench.guard.waiting(), 1);
    bench.answer(5, "x");
    assert_eq!(bench.guard.waiting(), 0);
    assert_eq!(bench.outcomes(), ["ok"]);
}

#[test]
fn answers_are_paired_as_official_clients_pair_them() {
    let mut bench = Bench::new(Preset::Standard);
    for spelled in ["\"5\"", "5.0", "\" 5\"", "\"0x5\"", "5e0"] {
        bench.call(5, &format!("{{\"n\":{spelled}}}"));
        let line = format!(r#"{{"jsonrpc":"2.0","id":{spelled},"result":{{"content":[]}}}}"#);
        assert_eq!(bench.receive(&line), ToClient::Forward, "{spelled}");
        assert_eq!(bench.guard.waiting(), 0, "{spelled}");
    }
    assert_eq!(bench.outcomes(), ["ok"; 5]);
}

#[test]
fn answers_that_no_request_waits_for_are_counted_and_not_passed_on() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    for id in 1..=20 {
        bench.round(id, "{}", "x");
    }
    assert!(matches!(bench.call(21, "{}"), ToServer::Answer(_)));
    bench.audit();
    // Of a call that was denied, a second one, one to come, and one without an id.
    for id in [21, 20, 22] {
        assert_eq!(bench.answer(id, "made up"), ToClient::Drop, "{id}");
    }
    let nameless = r#"{"jsonrpc":"2.0","id":null,"result":{"content":[]}}"#;
    assert_eq!(bench.receive(nameless), ToClient::Drop);
    for _ in 0..1_000 {
        bench.now += 10_000;
        assert_eq!(bench.answer(9, "again"), ToClient::Drop);
    }
    let at = Micros(bench.now);
    bench.guard.close(at);
    let audit = bench.audit();
    assert!(audit.len() < 25, "{}", audit.len());
    let counted = audit.iter().map(|line| line["count"].as_u64().unwrap_or(1));
    assert_eq!(counted.sum::<u64>(), 1_004);
    let is_refusal = |line: &Value| line["event"] == "refused" || line["event"] == "refusals";
    assert!(audit.iter().all(is_refusal));
}

#[test]
fn one_id_used_twice_at_once_is_refused() {
    let mut bench = Bench::new(Preset::Standard);
    bench.call(1, r#"{"n":1}"#);
    for id in ["1", "1.0", "\"1\""] {
        for method in ["tools/call", "ping"] {
            let line = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"name":"read"}}}}"#
            );
            let ToServer::Answer(said) = bench.send(&line) else {
                panic!("{line}");
            };
            let said: Value = serde_json::from_slice(&said).unwrap();
            assert_eq!(said["error"]["code"], -32600);
        }
    }
    assert_eq!(bench.answer(1, "a"), ToClient::Forward);
    assert_eq!(bench.answer(1, "b"), ToClient::Drop);
    assert_eq!(bench.outcomes(), ["ok"]);
    // Once it is answered the id may be used again.
    assert!(matches!(
        bench.call(1, r#"{"n":2}"#),
        ToServer::ForwardCall(_)
    ));
}

#[test]
fn a_refused_call_is_recorded_with_its_size() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    let unnamed = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    let again = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}"#;
    bench.send(unnamed);
    bench.call(2, "{}");
    bench.send(again);
    let audit = bench.audit();
    let refused = audit.iter().filter(|line| line["event"] == "refused");
    let sizes: Vec<_> = refused.map(|line| line["bytes"].as_u64()).collect();
    let expected = [unnamed, again].map(|line| u64::try_from(line.len()).ok());
    assert_eq!(sizes, expected);
}

#[test]
fn requests_without_an_answer_are_given_up_and_calls_go_on() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    for id in 0..20_000 {
        let call = bench.call(id, &format!("{{\"n\":{id}}}"));
        assert!(matches!(call, ToServer::ForwardCall(_)), "{id}");
        bench.send(&format!(
            r#"{{"jsonrpc":"2.0","id":"p{id}","method":"ping"}}"#
        ));
        if id == 18_999 {
            bench.guard.journal().clear();
        }
    }
    assert!(bench.guard.waiting() <= 16_384);
    // The oldest are gone, and the newest still wait.
    assert_eq!(bench.answer(1, "late"), ToClient::Drop);
    assert_eq!(bench.answer(19_999, "x"), ToClient::Forward);
    let pong = |id: u64| format!(r#"{{"jsonrpc":"2.0","id":"p{id}","result":{{}}}}"#);
    assert_eq!(bench.receive(&pong(1)), ToClient::Drop);
    assert_eq!(bench.receive(&pong(19_999)), ToClient::Forward);
    bench.call(20_000, "{}");
    let at = Micros(bench.now);
    bench.guard.close(at);
    let outcomes = bench.outcomes();
    assert!(outcomes.contains(&"unanswered".to_owned()));
}

#[test]
fn everything_the_guard_says_itself_is_json() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    bench.call(7, "{}");
    for id in [
        "\"\\u000\"",
        "\"\\ud800\"",
        "\"a\\x\"",
        "--7",
        "07",
        "1e999",
        "tru",
        "\"\u{1}\"",
    ] {
        for rest in [
            r#""method":"a","method":"b""#,
            r#""result":{"a":1,"a":2}"#,
            r#""result":1,"error":2"#,
            r#""method":"tools/call","params":{}"#,
        ] {
            for line in [
                format!("{{\"id\":{id},{rest}}}"),
                format!("{{{rest},\"id\":{id}}}"),
                format!("{{{rest},\"id\":{id}"),
            ] {
                let said = [
                    match bench.send(&line) {
                        ToServer::Answer(said) | ToServer::Replace(said) => Some(said),
                        _ => None,
                    },
                    match bench.receive(&line) {
                        ToClient::Answer(said) | ToClient::Replace(said) => Some(said),
                        _ => None,
                    },
                ];
                for said in said.into_iter().flatten() {
                    let read: Value = serde_json::from_slice(&said).expect("JSON");
                    assert!(!read["id"].is_array() && !read["id"].is_object());
                }
            }
        }
    }
}

#[test]
fn a_call_that_nobody_could_judge_is_never_passed_on() {
    let mut bench = Bench::new(Preset::Standard);
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["read"]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"read"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"a":1,"a":2}}}"#,
    ] {
        assert!(matches!(bench.send(line), ToServer::Answer(_)), "{line}");
    }
    let silent = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"read"}}"#;
    assert_eq!(bench.send(silent), ToServer::Drop);
    let events = bench.audit();
    assert_eq!(
        events
            .iter()
            .filter(|line| line["event"] == "refused")
            .count(),
        6
    );
}

#[test]
fn everything_else_passes_untouched() {
    let mut bench = Bench::new(Preset::Standard);
    for line in [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"server/discover","params":{"_meta":{}}}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":"made/up","params":[1,2]}"#,
        r#"{"id":10,"method":"prompts/get","params":{"name":"p","arguments":{}}}"#,
    ] {
        assert_eq!(bench.send(line), ToServer::Forward, "{line}");
    }
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
    ] {
        assert_eq!(bench.receive(line), ToClient::Forward, "{line}");
    }
    assert!(bench.guard.journal().is_empty());
}

#[test]
fn what_tools_say_of_themselves_moves_their_rungs() {
    let first_denial = |annotations: Value| {
        let mut bench = Bench::new(Preset::Standard);
        bench.round(1, "{}", "same");
        bench.list(&json!([{"name":"read","annotations":annotations}]));
        (2..40).find(|id| matches!(bench.round(*id, "{}", "same"), Seen::Denied(_)))
    };
    assert_eq!(first_denial(json!({"readOnlyHint":true})), Some(8));
    assert_eq!(first_denial(json!({})), Some(6));
    assert_eq!(first_denial(json!({"destructiveHint":true})), Some(4));
    assert_eq!(
        first_denial(json!({"destructiveHint":true,"idempotentHint":true})),
        Some(6)
    );
}

#[test]
fn a_person_s_settings_for_a_tool_come_before_its_own_words() {
    let mut settings = Settings::of(Preset::Standard);
    let mut entry = unstuck::settings::ToolSettings::new("s__read");
    entry.exempt = true;
    settings.tools.push(entry);
    let mut bench = Bench::with(GuardOptions::new("s", settings));
    bench.list(&json!([{"name":"read","annotations":{"destructiveHint":true}}]));
    assert!((1..60).all(|id| bench.round(id, "{}", "same") == Seen::Result));
}

#[test]
fn policies_come_before_rules_and_take_no_place_in_the_breaker() {
    let mut bench = Bench::new(Preset::Ironcurtain);
    let policy = r#"permit (principal, action, resource);
        @id("quiet") forbid (principal, action, resource) when { context.arguments has n && context.arguments.n == 1 };"#;
    bench.guard.set_policy(Policy::parse("p", policy).unwrap());
    for id in 1..=30 {
        let Seen::Denied(text) = bench.round(id, r#"{"n":1}"#, "") else {
            panic!("forbidden");
        };
        assert!(text.contains("`quiet`"), "{text}");
    }
    let last = bench.audit().pop().unwrap();
    assert_eq!(
        (&last["decided_by"], &last["policies"]),
        (&json!("policy"), &json!(["quiet"]))
    );
    bench
        .guard
        .set_policy(Policy::parse("p", "permit (principal, action, resource);").unwrap());
    assert_eq!(bench.round(31, r#"{"n":1}"#, "x"), Seen::Result);
    assert_eq!(bench.audit().pop().unwrap()["policy"], "permit");
}

#[test]
fn a_call_that_could_not_be_recorded_does_not_run() {
    let mut bench = Bench::new(Preset::Standard);
    let ToServer::ForwardCall(ticket) = bench.call(3, "{}") else {
        panic!("passed on");
    };
    bench.guard.journal().clear();
    let at = Micros(bench.now);
    let ToServer::Answer(line) = bench.guard.unaudited(ticket, at) else {
        panic!("denied");
    };
    assert!(said(&line).contains("audit"));
    assert_eq!(bench.guard.waiting(), 0);
    assert_eq!(bench.audit()[0]["decided_by"], "audit");
}

#[test]
fn in_observe_mode_all_calls_run_and_the_audit_says_what_would_have_been() {
    let mut settings = Settings::of(Preset::Ironcurtain);
    settings.mode = unstuck::Mode::Observe;
    let mut bench = Bench::with(GuardOptions::new("s", settings));
    for id in 1..=30 {
        assert_eq!(bench.round(id, "{}", "x"), Seen::Result);
    }
    let last = bench.audit().pop().unwrap();
    assert_eq!(
        (&last["verdict"], &last["would"]),
        (&json!("allow"), &json!("deny"))
    );
}

#[test]
fn an_answer_is_judged_alike_whatever_its_codec_has_read_before() {
    let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}"#;
    let answer = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\u00e9"}],"isError":true}}"#;
    let journal = |codec: &mut Codec| {
        let mut guard = Guard::new(GuardOptions::new("s", Settings::default()));
        guard.from_client(Codec::default().read(call), call.len(), Micros(0));
        guard.from_server(codec.read(answer), answer, Micros(1));
        let lines = guard.journal().lines();
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut asked = Codec::default();
    assert!(asked.read(call).is_ok());
    let after_a_request = journal(&mut asked);
    assert_eq!(after_a_request, journal(&mut Codec::default()));
    assert!(after_a_request[1].contains("\"outcome\":\"error\""));
}
