use serde_json::json;
use unstuck::{Mode, Preset, Settings};

use super::super::{Guard, GuardOptions, Micros, Timeline, ToClient, ToServer};
use crate::codec::Codec;

#[derive(Clone, Copy)]
enum Counted {
    Together,
    Apart,
}

/// Guards of two servers.
struct Servers {
    guards: Vec<Guard>,
    id: u64,
}

impl Servers {
    fn new(names: [&str; 2]) -> Self {
        let options = |name: &str| GuardOptions::new(name, Settings::of(Preset::Standard));
        let timeline = Timeline::new(&options(""));
        let guards = names.map(|name| Guard::with_timeline(options(name), timeline.clone()));
        Self {
            guards: guards.into(),
            id: 0,
        }
    }

    /// Servers whose guards see nothing but cycles.
    fn only_cycles(counted: Counted) -> Self {
        let mut settings = Settings::of(Preset::Standard);
        let rules = &mut settings.rules;
        for enabled in [
            &mut rules.exact_repeat.enabled,
            &mut rules.near_repeat.enabled,
            &mut rules.stagnation.enabled,
            &mut rules.stuck_outcome.enabled,
            &mut rules.poll.enabled,
        ] {
            *enabled = false;
        }
        let options = |name: &str| GuardOptions::new(name, settings.clone());
        let timeline = Timeline::new(&options(""));
        let guards = ["a", "b"].map(|name| match counted {
            Counted::Together => Guard::with_timeline(options(name), timeline.clone()),
            Counted::Apart => Guard::new(options(name)),
        });
        Self {
            guards: guards.into(),
            id: 0,
        }
    }

    /// What the model is shown by two servers in turns.
    fn in_turns(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        for _ in 0..12 {
            said.push(self.call(0, "open", "opened"));
            said.push(self.call(1, "close", "closed"));
        }
        said
    }

    /// Makes a call whose result is `result`. Returns the text that the model is shown.
    fn call(&mut self, server: usize, tool: &str, result: &str) -> String {
        self.id += 1;
        let guard = &mut self.guards[server];
        let at = Micros(i64::try_from(self.id).unwrap() * 1_000_000);
        let line = json!({"jsonrpc":"2.0","id":self.id,"method":"tools/call",
            "params":{"name":tool,"arguments":{}}})
        .to_string();
        let mut codec = Codec::default();
        match guard.from_client(codec.read(line.as_bytes()), line.len(), at) {
            ToServer::ForwardCall(_) => {}
            ToServer::Answer(answer) => return String::from_utf8(answer).unwrap(),
            other => panic!("{other:?}"),
        }
        let line = json!({"jsonrpc":"2.0","id":self.id,"result":{"content":[{"type":"text","text":result}]}})
            .to_string();
        match guard.from_server(codec.read(line.as_bytes()), line.as_bytes(), at) {
            ToClient::Forward => line,
            ToClient::Replace(line) => String::from_utf8(line).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn recorded(&mut self, server: usize) -> Vec<String> {
        let journal = self.guards[server].journal();
        let lines = journal.lines().map(str::to_owned).collect();
        journal.clear();
        lines
    }
}

#[test]
fn a_cycle_over_two_servers_is_nudged_and_denied() {
    let said = Servers::only_cycles(Counted::Together).in_turns();
    let nudged = said.iter().position(|said| said.contains("[unstuck]"));
    let denied = said
        .iter()
        .position(|said| said.contains("\"isError\":true"));
    assert!(nudged.unwrap() < denied.unwrap(), "{said:#?}");
    // Neither server sees it alone.
    let said = Servers::only_cycles(Counted::Apart).in_turns();
    assert!(!said.concat().contains("[unstuck]"), "{said:#?}");
}

#[test]
fn tools_with_one_name_on_two_servers_are_different() {
    let mut servers = Servers::new(["a", "b"]);
    for _ in 0..2 {
        for server in 0..2 {
            let said = servers.call(server, "list", "nothing");
            assert!(!said.contains("[unstuck]"), "{said}");
        }
    }
}

#[test]
fn results_go_to_the_calls_of_their_server() {
    let mut servers = Servers::new(["a", "b"]);
    // Both calls wait at once, and each is the first of its server.
    let call = |id: u64| {
        json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":"t","arguments":{}}})
            .to_string()
    };
    for round in 0..8_i64 {
        let mut codec = Codec::default();
        for guard in &mut servers.guards {
            let line = call(7);
            let said = guard.from_client(codec.read(line.as_bytes()), 10, Micros(round));
            assert!(matches!(said, ToServer::ForwardCall(_)), "{said:?}");
        }
        // The answers of one server differ from round to round, those of the other differ as well.
        for (server, guard) in servers.guards.iter_mut().enumerate() {
            let line = json!({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":format!("{server} has {} rows", round * 17)}]}})
                .to_string();
            let said =
                guard.from_server(codec.read(line.as_bytes()), line.as_bytes(), Micros(round));
            assert_eq!(said, ToClient::Forward);
        }
    }
}

#[test]
fn a_halt_on_one_server_is_lifted_for_all() {
    let mut servers = Servers::new(["a", "b"]);
    let mut last = String::new();
    for _ in 0..12 {
        last = servers.call(0, "build", "no such target");
    }
    assert!(last.contains("Every further tool call"), "{last}");
    let other = servers.call(1, "look", "fine");
    assert!(other.contains("Every further tool call"), "{other}");
    assert!(servers.guards[1].holds("default"));
    servers.recorded(0);
    servers.recorded(1);
    let cleared = servers.guards[0].reset(Some("default"), Micros(0));
    servers.guards[1].note_reset(Some("default"), cleared, Micros(0));
    assert_eq!(cleared, 1);
    for server in 0..2 {
        assert!(servers.guards[server].held().is_empty());
        let lines = servers.recorded(server);
        assert!(lines[0].contains("\"event\":\"reset\""), "{lines:?}");
        assert_eq!(servers.call(server, "look", "fine").find("[unstuck]"), None);
    }
}

#[test]
fn every_server_records_a_change_of_mode() {
    let mut servers = Servers::new(["a", "b"]);
    for server in 0..2 {
        let guard = &mut servers.guards[server];
        assert!(guard.set_mode(Mode::Observe, "a person", Micros(0)));
        assert_eq!(guard.mode(), Mode::Observe);
        assert_eq!(servers.recorded(server).len(), 1);
    }
    for _ in 0..12 {
        let said = servers.call(0, "build", "no such target");
        assert!(!said.contains("[unstuck]"), "{said}");
    }
}

#[test]
fn ladders_of_one_server_leave_those_of_another() {
    let mut servers = Servers::new(["a", "b"]);
    let list = |read_only: bool| {
        json!({"jsonrpc":"2.0","id":1,"result":{"tools":[
            {"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":read_only,"destructiveHint":!read_only}}
        ]}})
        .to_string()
    };
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    for (guard, read_only) in servers.guards.iter_mut().zip([true, false]) {
        let mut codec = Codec::default();
        guard.from_client(codec.read(ask.as_bytes()), ask.len(), Micros(0));
        let list = list(read_only);
        guard.from_server(codec.read(list.as_bytes()), list.as_bytes(), Micros(0));
    }
    let first_words = |servers: &mut Servers, server| {
        (1..20).find(|_| servers.call(server, "t", "same").contains("[unstuck]"))
    };
    assert_eq!(first_words(&mut servers, 0), Some(4));
    assert_eq!(first_words(&mut servers, 1), Some(2));
}
