//! Every form, streamed and whole, in every situation: an agent, the proxy, and a scripted API.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod api;
#[path = "../../unstuck-llm/tests/support/mod.rs"]
mod support;

use api::{Api, HEADERS, Message, Reply, Running, events, post, proxy, whole};
use serde_json::json;
use support::{Agent, Heard, Turn, answer};
use unstuck_llm::Form;

/// Declares a test for each cell.
macro_rules! cells {
    ($($situation:ident)*) => {$(
        mod $situation {
            use unstuck_llm::Form;

            #[test]
            fn anthropic_whole() {
                super::situations::$situation(Form::Anthropic, false);
            }
            #[test]
            fn anthropic_streamed() {
                super::situations::$situation(Form::Anthropic, true);
            }
            #[test]
            fn chat_whole() {
                super::situations::$situation(Form::Chat, false);
            }
            #[test]
            fn chat_streamed() {
                super::situations::$situation(Form::Chat, true);
            }
            #[test]
            fn responses_whole() {
                super::situations::$situation(Form::Responses, false);
            }
            #[test]
            fn responses_streamed() {
                super::situations::$situation(Form::Responses, true);
            }
            #[test]
            fn gemini_whole() {
                super::situations::$situation(Form::Gemini, false);
            }
            #[test]
            fn gemini_streamed() {
                super::situations::$situation(Form::Gemini, true);
            }
        }
    )*};
}

cells! { healthy looping redirected chant unknown_tool parallel_calls refusal compaction retry }

/// An API whose model answers with turns by their number.
fn model(form: Form, streamed: bool, turn: impl Fn(usize) -> Turn + Send + Sync + 'static) -> Api {
    Api::start(move |number, _| reply(form, streamed, number, &turn(number)))
}

fn reply(form: Form, streamed: bool, number: usize, turn: &Turn) -> Reply {
    let body = answer(form, streamed, number, turn);
    if streamed { events(body) } else { whole(body) }
}

/// Sends the agent's history.
fn ask(agent: &Agent, running: &Running) -> Message {
    let body = agent.body();
    post(running.address, agent.path(), HEADERS, body.as_bytes())
}

/// One turn of an agent that runs its calls.
fn step(agent: &mut Agent, running: &Running, output: &str) -> Heard {
    let heard = agent.read(&ask(agent, running).text());
    agent.heard(&heard);
    agent.ran(&heard, |_| output.to_owned());
    heard
}

fn is_halt(heard: &Heard) -> bool {
    heard.calls.is_empty() && heard.text.contains("The run was stopped here.")
}

/// Steps until the run is halted; the agent goes on by itself where a turn ends. Returns what it heard.
fn until_halt(agent: &mut Agent, running: &Running, output: &str) -> Vec<Heard> {
    let mut all = Vec::new();
    for _ in 0..40 {
        let heard = step(agent, running, output);
        all.push(heard.clone());
        if is_halt(&heard) {
            return all;
        }
        if heard.calls.is_empty() {
            agent.user("continue");
        }
    }
    panic!("never halted: {all:?}");
}

mod situations {
    use super::*;

    pub(super) fn healthy(form: Form, streamed: bool) {
        let turn = |number: usize| {
            let tool = if number % 3 == 2 {
                "write_file"
            } else {
                "read_file"
            };
            Turn {
                text: format!("Step {number}: “next”."),
                ..Turn::default()
            }
            .and(tool, json!({"path": format!("src/part_{number}.rs")}))
        };
        let api = model(form, streamed, turn);
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Change the files.");
        for number in 0..40 {
            let body = agent.body();
            let heard = ask(&agent, &running);
            let seen = api.seen().pop().expect("a request");
            assert_eq!(seen.text(), body);
            assert_eq!(heard.text(), answer(form, streamed, number, &turn(number)));
            assert_eq!(heard.header("x-request-id"), Some(&*format!("r{number}")));
            for (name, value) in [
                ("x-api-key", "sk-secret-1234567890"),
                ("authorization", "Bearer sk-other-0987654321"),
                ("anthropic-beta", "a-2026,b-2026"),
                ("x-unknown", "kept"),
            ] {
                assert_eq!(seen.header(name), Some(value));
            }
            let heard = agent.read(&heard.text());
            agent.heard(&heard);
            agent.ran(&heard, |call| format!("part {}", call.args));
        }
        assert_eq!(*running.lines.lock().expect("lines"), Vec::<String>::new());
    }

    pub(super) fn looping(form: Form, streamed: bool) {
        let api = model(form, streamed, |_| {
            Turn::calls("bash", json!({"command": "cat nope.txt"}))
        });
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let heard = until_halt(&mut agent, &running, "cat: nope.txt: No such file");
        let asked = api.seen().len();
        // The model got a message, calls were denied, and the last answer is not the model's.
        assert!(api.seen().iter().any(|it| it.text().contains("[unstuck]")));
        assert!(heard.iter().any(|it| it.text.contains("Not run: ")));
        let denied = heard.iter().filter(|it| it.text.contains("Not run: "));
        // It was asked twice more for each answer of which no call was left.
        assert_eq!(asked, heard.len() - 1 + 2 * denied.count());
        let tally = running.guard.sessions()[0].tally;
        assert!(tally.nudges > 0 && tally.denials > 0 && tally.halts == 1);

        // The agent's own continuation does not lift it, a person's message does.
        agent.user("Please continue.");
        assert!(is_halt(&step(&mut agent, &running, "")));
        assert_eq!(api.seen().len(), asked);
        agent.user("It is called other.txt.");
        assert!(!is_halt(&step(&mut agent, &running, "hello")));
        assert_eq!(api.seen().len(), asked + 1);
    }

    pub(super) fn redirected(form: Form, streamed: bool) {
        let api = Api::start(move |number, request| {
            let turn = if request.text().contains("Not run: ") {
                Turn::calls("list", json!({"page": number}))
            } else {
                Turn::calls("bash", json!({"command": "cat nope.txt"}))
            };
            reply(form, streamed, number, &turn)
        });
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let mut redirected = 0;
        for number in 0..20 {
            let heard = agent.read(&ask(&agent, &running).text());
            // The turn goes on: there is a call in every answer.
            assert_eq!(heard.calls.len(), 1, "{number}: {heard:?}");
            redirected += usize::from(heard.text.contains("Not run: "));
            agent.heard(&heard);
            agent.ran(&heard, |call| match &*call.tool {
                "bash" => "cat: nope.txt: No such file".to_owned(),
                _ => format!("page {}", call.args),
            });
        }
        assert_eq!(redirected, 1);
        assert_eq!(api.seen().len(), 21);
        // Another proxy, which sees this history for the first time, sends what this one sends.
        let other = proxy(api.address);
        ask(&agent, &running);
        ask(&agent, &other);
        let seen = api.seen();
        assert_eq!(seen[21].text(), seen[22].text());
    }

    pub(super) fn chant(form: Form, streamed: bool) {
        let text = "I have to read the file again. ".repeat(300);
        let of_model = text.clone();
        let api = model(form, streamed, move |_| Turn::says(&of_model));
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let heard = until_halt(&mut agent, &running, "");
        assert!(heard.len() < 8, "{}", heard.len());
        let first = &heard[0].text;
        if streamed {
            assert!(first.len() < text.len() / 2, "{}", first.len());
            assert!(first.contains("[unstuck]"));
            assert!(running.guard.sessions()[0].tally.cuts > 0);
        } else {
            assert_eq!(*first, text);
        }
    }

    pub(super) fn unknown_tool(form: Form, streamed: bool) {
        let api = model(form, streamed, |number| {
            Turn::calls("nosuchtool", json!({"x": number % 2}))
        });
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Use the tool.");
        let error = "Error: Tool \"nosuchtool\" not found. Available tools: bash, read.";
        let heard = until_halt(&mut agent, &running, error);
        assert!(api.seen().iter().any(|it| it.text().contains("[unstuck]")));
        assert!(heard.len() > 3);
    }

    pub(super) fn parallel_calls(form: Form, streamed: bool) {
        let api = model(form, streamed, |_| {
            Turn::calls("bash", json!({"command": "cat nope.txt"}))
                .and("grep", json!({"pattern": "needle", "path": "src"}))
        });
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let mut denied = 0;
        for number in 0..30 {
            let heard = agent.read(&ask(&agent, &running).text());
            if is_halt(&heard) {
                assert!(denied > 0 && number > 3);
                return;
            }
            // Every call is run, or named as not run. Where none is left the model is asked twice more.
            let not_run = heard.text.matches("Not run: ").count();
            let answers = if heard.calls.is_empty() { 3 } else { 1 };
            assert_eq!(heard.calls.len() + not_run, 2 * answers, "{heard:?}");
            denied += not_run;
            agent.heard(&heard);
            agent.ran(&heard, |call| format!("{}: nothing", call.tool));
            if heard.calls.is_empty() {
                agent.user("continue");
            }
        }
        panic!("never halted");
    }

    pub(super) fn refusal(form: Form, streamed: bool) {
        let errors = [
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"no"}}"#,
            ),
            (429, r#"{ "error" : {"message":"slow down"} }"#),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
            ),
        ];
        let api = Api::start(move |number, _| {
            let (status, body) = errors[number % errors.len()];
            Reply::Whole(status, "application/json", body.to_owned(), 10)
        });
        let running = proxy(api.address);
        let agent = Agent::new(form, streamed, "Show the file.");
        for (status, body) in errors {
            let heard = ask(&agent, &running);
            assert_eq!((heard.status(), &*heard.text()), (status, body));
        }
        // A model that refuses in words is an answer like any other.
        let refuses = model(form, streamed, |_| Turn::says("I cannot help with that."));
        let running = proxy(refuses.address);
        for _ in 0..3 {
            let heard = agent.read(&ask(&agent, &running).text());
            assert_eq!(heard.text, "I cannot help with that.");
        }
    }

    pub(super) fn compaction(form: Form, streamed: bool) {
        let first_denial = |compacted_at: Option<usize>| {
            let api = model(form, streamed, |_| {
                Turn::calls("bash", json!({"command": "cat nope.txt"}))
            });
            let running = proxy(api.address);
            let mut agent = Agent::new(form, streamed, "Show the file.");
            let named = format!("{HEADERS}x-unstuck-session: s1\r\n");
            for number in 0..30 {
                let body = agent.body();
                let heard = post(running.address, agent.path(), &named, body.as_bytes());
                let heard = agent.read(&heard.text());
                if heard.text.contains("Not run: ") {
                    return number;
                }
                agent.heard(&heard);
                agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
                if compacted_at == Some(number) {
                    agent.history.clear();
                    agent.user("This session is being continued from a previous conversation.");
                }
            }
            panic!("never denied");
        };
        // Calls before the compaction count; the one whose result it took away was never sent.
        let plain = first_denial(None);
        assert_eq!(first_denial(Some(plain - 2)), plain + 1);
    }

    pub(super) fn retry(form: Form, streamed: bool) {
        let api = model(form, streamed, |_| {
            Turn::calls("bash", json!({"command": "cat nope.txt"}))
        });
        let running = proxy(api.address);
        let mut agent = Agent::new(form, streamed, "Show the file.");
        step(&mut agent, &running, "cat: nope.txt: No such file");
        for _ in 0..12 {
            let heard = ask(&agent, &running);
            assert_eq!(agent.read(&heard.text()).calls.len(), 1);
            assert_eq!(api.seen().pop().expect("a request").text(), agent.body());
        }
        assert_eq!(running.guard.sessions().len(), 1);
        assert_eq!(running.guard.sessions()[0].tally.nudges, 0);
    }
}
