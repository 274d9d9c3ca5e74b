use super::super::Example;
use crate::{Engine, Event, Preset, RuleName, Settings, Verdict};
use serde_json::{Value, json};

const WORDINGS: [&str; 6] = [
    "retry limit broker",
    "broker retry limit default",
    "default broker retry limit",
    "limit of broker retries",
    "broker default limit retry",
    "retry limit of a broker",
];

struct Run {
    engine: Engine,
    calls: u32,
}

impl Run {
    fn new() -> Self {
        Self {
            engine: Engine::new(Settings::of(Preset::Standard)),
            calls: 0,
        }
    }

    fn send(&mut self, event: &Value) -> (Verdict, Option<RuleName>) {
        let event = Event::parse(event.to_string().as_bytes()).unwrap();
        let decision = self.engine.observe(event);
        let rule = decision.reason.as_ref().map(|reason| reason.rule);
        (decision.verdict, rule)
    }

    /// A call that returns something else every time, even if it was denied; the stricter verdict of call and result.
    fn step(&mut self, tool: &str, args: &Value) -> (Verdict, Option<RuleName>) {
        self.calls += 1;
        let id = self.calls;
        let call = self.send(&json!({"event": "call", "id": id, "tool": tool, "args": args}));
        let output = format!("hits about {} and {}", word(id), word(id * 7));
        let result = self.send(&json!({"event": "result", "id": id, "output": output}));
        self.send(&json!({"event": "turn"}));
        call.max(result)
    }

    fn search(&mut self, query: &str) -> (Verdict, Option<RuleName>) {
        self.step("web_search", &json!({"query": query}))
    }
}

fn word(number: u32) -> String {
    let letters = number.to_string();
    letters
        .bytes()
        .map(|digit| char::from(digit + b'm' - b'0'))
        .collect()
}

#[test]
fn the_fifth_wording_is_nudged_whatever_was_returned() {
    let mut run = Run::new();
    for wording in &WORDINGS[..4] {
        assert_eq!(run.search(wording), (Verdict::Allow, None), "{wording}");
    }
    let nudged = (Verdict::Nudge, Some(RuleName::RewordedQuery));
    assert_eq!(run.search(WORDINGS[4]), nudged);
}

#[test]
fn ignored_nudges_end_in_a_denial_and_a_halt() {
    let mut run = Run::new();
    let mut seen = Vec::new();
    for number in 0..60 {
        let wording = WORDINGS[number % WORDINGS.len()];
        let ending = ["", " explained", " value", " guide", " manual"][number % 5];
        let (verdict, _) = run.search(&format!("{wording}{ending}"));
        if verdict > Verdict::Allow && seen.last() != Some(&verdict) {
            seen.push(verdict);
        }
    }
    assert!(seen.contains(&Verdict::Deny), "{seen:?}");
    assert_eq!(seen.last(), Some(&Verdict::Halt));
}

#[test]
fn searching_and_reading_is_left_alone() {
    let mut run = Run::new();
    for number in 0..12 {
        assert_eq!(run.search(WORDINGS[number % 6]), (Verdict::Allow, None));
        let page = json!({"url": format!("https://docs.example/{number}")});
        assert_eq!(run.step("open_page", &page), (Verdict::Allow, None));
    }
}

#[test]
fn a_list_that_is_worked_off_is_left_alone() {
    let mut run = Run::new();
    for city in [
        "Oslo", "Rome", "Lima", "Cairo", "Perth", "Quito", "Turin", "Delhi", "Accra",
    ] {
        let query = format!("population density of {city} by district");
        assert_eq!(run.search(&query), (Verdict::Allow, None), "{city}");
    }
}

#[test]
fn pages_of_one_search_are_left_alone() {
    let mut run = Run::new();
    for page in 0..20 {
        let args = json!({"query": "retry limit broker", "page": page});
        assert_eq!(run.step("web_search", &args), (Verdict::Allow, None));
    }
}

#[test]
fn one_round_of_searches_counts_once() {
    let mut run = Run::new();
    for (id, wording) in WORDINGS.iter().enumerate() {
        let args = json!({"query": wording});
        let call = json!({"event": "call", "id": id, "tool": "web_search", "args": args});
        assert_eq!(run.send(&call), (Verdict::Allow, None));
    }
    for id in 0..WORDINGS.len() {
        let result =
            json!({"event": "result", "id": id, "output": format!("hits {}", word(id as u32))});
        assert_eq!(run.send(&result), (Verdict::Allow, None));
    }
}

pub(super) fn examples() -> Vec<Example> {
    let search = |id: usize| {
        let ending = ["", " explained", " value", " guide", " manual"][id % 5];
        let query = format!("{}{ending}", WORDINGS[id % WORDINGS.len()]);
        let output = format!("hits about {}", word(id as u32));
        [
            json!({"event": "call", "id": id, "tool": "web_search", "args": {"query": query}})
                .to_string(),
            json!({"event": "result", "id": id, "output": output}).to_string(),
            json!({"event": "turn"}).to_string(),
        ]
    };
    vec![Example {
        name: "one question in other words",
        options: |_| {},
        events: (0..26).flat_map(search).collect(),
    }]
}
