//! Conversations and answers in all forms: what is left alone, what is inserted, what is replaced.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod support;

use serde_json::json;
use support::{Agent, Heeded, Turn, answer, read};
use unstuck::{Call, Preset, Settings, Verdict};
use unstuck_llm::{
    Answer, AnswerStream, Conversation, Form, Judged, Request, Shape, ask_again, join_answers,
    judge_whole,
};

fn settings() -> Settings {
    Settings::of(Preset::Standard)
}

fn conversation() -> Conversation {
    Conversation::new(settings(), [0; 16], "s", "main")
}

fn all() -> impl Iterator<Item = (Form, bool)> {
    Form::ALL
        .iter()
        .flat_map(|form| [(*form, false), (*form, true)])
}

fn judge(conversation: &mut Conversation, form: Form, body: &str) -> Judged {
    let mut request = Request::read(form, body.as_bytes()).expect("a request");
    conversation.judge(&mut request).expect("a history")
}

/// The body that goes to the model.
fn sent(conversation: &mut Conversation, form: Form, body: &str) -> String {
    let edited = judge(conversation, form, body).edited(body.as_bytes());
    edited.map_or_else(
        || body.to_owned(),
        |edited| String::from_utf8(edited).expect("text"),
    )
}

/// The answer as it goes to the client, cut into pieces on its way.
fn passed(
    form: Form,
    streamed: bool,
    answer: &str,
    size: usize,
    deny: impl Fn(&Call) -> Option<String>,
) -> String {
    let out = if streamed {
        let mut stream = AnswerStream::new(form, &settings());
        let mut out = Vec::new();
        for chunk in answer.as_bytes().chunks(size) {
            out.extend(stream.push(chunk, &deny));
        }
        out.extend(stream.end());
        out
    } else {
        let judged = judge_whole(form, answer.as_bytes(), deny);
        judged.edited.unwrap_or_else(|| answer.as_bytes().to_vec())
    };
    String::from_utf8(out).expect("text")
}

fn parallel() -> Turn {
    Turn {
        text: "Let me look at “both” files.".to_owned(),
        ..Turn::default()
    }
    .and("read", json!({"path": "a"}))
    .and("rm", json!({"path": "b"}))
    .and("read", json!({"path": "c"}))
}

#[test]
fn an_answer_without_denials_keeps_its_bytes() {
    for (form, streamed) in all() {
        for turn in [parallel(), Turn::says("Done."), Turn::calls("f", json!({}))] {
            let answer = answer(form, streamed, 1, &turn);
            for size in [1, 2, 3, 17, 1000, 1 << 20] {
                let passed = passed(form, streamed, &answer, size, |_| None);
                assert_eq!(passed, answer, "{form:?} {streamed} {size}");
            }
        }
    }
}

#[test]
fn a_stream_that_breaks_off_keeps_its_bytes() {
    for form in Form::ALL {
        let answer = answer(*form, true, 1, &parallel());
        for end in (0..answer.len()).filter(|end| answer.is_char_boundary(*end)) {
            let passed = passed(*form, true, &answer[..end], 11, |_| None);
            assert_eq!(passed, answer[..end], "{form:?} {end}");
        }
    }
}

#[test]
fn a_denied_call_becomes_text_and_the_others_stay() {
    for (form, streamed) in all() {
        let answer = answer(form, streamed, 1, &parallel());
        for size in [1, 13, 1 << 20] {
            let deny = |call: &Call| (&*call.tool == "rm").then(|| "No \"rm\".".to_owned());
            let heard = read(form, streamed, &passed(form, streamed, &answer, size, deny));
            let before = read(form, streamed, &answer);
            let kept: Vec<Heeded> = before
                .calls
                .into_iter()
                .filter(|call| call.tool != "rm")
                .collect();
            assert_eq!(heard.calls, kept, "{form:?} {streamed}");
            assert_eq!(heard.reason, before.reason);
            assert!(heard.text.starts_with("Let me look at “both” files."));
            assert!(
                heard.text.trim_end().ends_with("No \"rm\"."),
                "{}",
                heard.text
            );
        }
    }
}

#[test]
fn an_answer_whose_calls_are_all_denied_ends_the_turn() {
    for (form, streamed) in all() {
        let answer = answer(form, streamed, 1, &parallel());
        let deny = |call: &Call| Some(format!("Denied {}.", call.args));
        let heard = read(form, streamed, &passed(form, streamed, &answer, 50, deny));
        assert_eq!(heard.calls, []);
        assert!(
            heard.text.contains(r#"Denied {"path":"c"}."#),
            "{}",
            heard.text
        );
        let end = match form {
            Form::Anthropic => "end_turn",
            Form::Chat => "stop",
            Form::Responses => "completed",
            _ => "STOP",
        };
        assert_eq!(heard.reason, end, "{form:?} {streamed}");
    }
}

/// Two answers as one: all calls of the first are denied.
fn continued(form: Form, streamed: bool, first: &str, second: &str, size: usize) -> String {
    let deny = |call: &Call| {
        let is_denied = matches!(&*call.tool, "read" | "rm");
        is_denied.then(|| {
            format!(
                "[unstuck] Again.\nNot run: \"{}\" {}\n",
                call.tool, call.args
            )
        })
    };
    let out = if streamed {
        let mut stream = AnswerStream::new(form, &settings());
        let mut out = Vec::new();
        for chunk in first.as_bytes().chunks(size) {
            out.extend(stream.push(chunk, deny));
        }
        assert!(stream.is_spent(), "{form:?}");
        out.extend(stream.continue_with_next());
        for chunk in second.as_bytes().chunks(size) {
            out.extend(stream.push(chunk, deny));
        }
        assert!(!stream.is_spent(), "{form:?}");
        out.extend(stream.end());
        let used = stream.used().expect("tokens");
        assert_eq!(used.tokens.total(), 240, "{form:?}");
        out
    } else {
        let before = judge_whole(form, first.as_bytes(), deny);
        let after = judge_whole(form, second.as_bytes(), deny);
        assert!(before.is_spent && !after.is_spent);
        assert_eq!(after.edited, None);
        let before = before.edited.expect("changes");
        join_answers(form, &before, second.as_bytes()).expect("one answer")
    };
    String::from_utf8(out).expect("text")
}

#[test]
fn another_answer_goes_on_where_all_calls_were_denied() {
    for (form, streamed) in all() {
        let first = answer(form, streamed, 1, &parallel());
        let next = Turn {
            text: "I list the files.".to_owned(),
            ..Turn::default()
        }
        .and("ls", json!({"path": "d"}))
        .and("pwd", json!({}));
        let second = answer(form, streamed, 2, &next);
        for size in [1, 29, 1 << 20] {
            let both = continued(form, streamed, &first, &second, size);
            let heard = read(form, streamed, &both);
            let alone = read(form, streamed, &second);
            assert_eq!(heard.calls, alone.calls, "{form:?} {streamed}");
            assert_eq!(heard.reason, alone.reason);
            let places = [
                "Let me look",
                "Not run: \"rm\" {\"path\":\"b\"}",
                "I list the files.",
            ];
            let found: Vec<_> = places.iter().map(|it| heard.text.find(it)).collect();
            assert!(found.is_sorted() && found[0].is_some(), "{}", heard.text);
            // Words of the model do not stand in the line that names a call.
            assert!(heard.text.lines().any(|line| line == "I list the files."));
            let total = match form {
                Form::Anthropic => "\"output_tokens\":40",
                Form::Gemini => "\"totalTokenCount\":240",
                _ => "\"total_tokens\":240",
            };
            let found = both.matches(total).count();
            // Every event of Gemini says what was used until then.
            let is_each = form == Form::Gemini && streamed;
            assert!(found == 1 || (is_each && found > 1), "{form:?}: {both}");
        }
    }
}

#[test]
fn the_model_is_asked_again_with_a_text_behind_the_history() {
    for (form, streamed) in all() {
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let heard = agent.read(&answer(form, streamed, 1, &parallel()));
        agent.heard(&heard);
        assert_eq!(ask_again(form, agent.body().as_bytes(), "No."), None);
        agent.ran(&heard, |_| "nothing".to_owned());
        let body = agent.body();
        let once = ask_again(form, body.as_bytes(), "No \"a\".").expect("a request");
        let twice = ask_again(form, &once, "No b.").expect("a request");
        let twice: serde_json::Value = serde_json::from_slice(&twice).expect("JSON");
        let text = twice.to_string();
        let (a, b) = (text.find("No \\\"a\\\"."), text.find("No b."));
        assert!(a.is_some() && b.is_some(), "{form:?}: {text}");
        let before: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        let name = ["messages", "input", "contents"];
        let name = name.iter().find(|name| before.get(**name).is_some());
        let name = name.expect("a history");
        let length = agent.history.len() - 1;
        for place in 0..length {
            assert_eq!(twice[name][place], before[name][place], "{form:?}");
        }
    }
}

#[test]
fn an_answer_of_this_program_is_read_by_clients() {
    for (form, streamed) in all() {
        let shape = if streamed {
            Shape::Events
        } else {
            Shape::Whole
        };
        let answer = Answer {
            text: "[unstuck] Stopped: \"same\" call.",
            model: "m1",
            id: "7",
        };
        let heard = read(form, streamed, &answer.write(form, shape));
        assert_eq!(heard.text, answer.text);
        assert_eq!(heard.calls, []);
        let error: serde_json::Value =
            serde_json::from_str(&answer.error(form)).expect("an error is JSON");
        assert_eq!(error["error"]["message"], answer.text);
    }
}

#[test]
fn text_that_repeats_itself_is_cut_and_the_answer_stays_whole() {
    let chant = "I have to read the file again. ".repeat(400);
    for form in Form::ALL {
        let answer = answer(*form, true, 1, &Turn::says(&chant));
        let mut stream = AnswerStream::new(*form, &settings());
        let mut out = Vec::new();
        for chunk in answer.as_bytes().chunks(700) {
            out.extend(stream.push(chunk, |_| None));
            if stream.is_ended() {
                break;
            }
        }
        assert!(stream.is_ended(), "{form:?}");
        assert!(stream.cut().is_some_and(|cut| cut.is_enforced));
        let out = String::from_utf8(out).expect("text");
        assert!(out.len() < answer.len());
        let heard = read(*form, true, &out);
        assert!(heard.text.starts_with("I have to read the file again."));
        assert!(heard.text.contains("[unstuck]"), "{}", heard.text);
    }
}

/// Runs a loop until it is halted, and returns the bodies that went to the model.
fn run_loop(agent: &mut Agent, conversation: &mut Conversation) -> Vec<String> {
    let mut bodies = Vec::new();
    for number in 0..40 {
        let body = agent.body();
        if judge(conversation, agent.form, &body).halt.is_some() {
            return bodies;
        }
        let sent = sent(conversation, agent.form, &body);
        // Another guard that sees nothing but this request sends the same.
        let mut fresh = self::conversation();
        assert_eq!(self::sent(&mut fresh, agent.form, &body), sent);
        bodies.push(sent);
        let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
        let answer = answer(agent.form, agent.streamed, number, &turn);
        let deny = |call: &Call| conversation.check(call).1;
        let passed = passed(agent.form, agent.streamed, &answer, 64, deny);
        let heard = agent.read(&passed);
        agent.heard(&heard);
        agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
        if heard.calls.is_empty() {
            agent.user("continue");
        }
    }
    panic!("never halted");
}

#[test]
fn a_loop_is_nudged_denied_and_halted_and_a_person_lifts_it() {
    for (form, streamed) in all() {
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let mut conversation = conversation();
        let bodies = run_loop(&mut agent, &mut conversation);
        assert!(bodies.iter().any(|body| body.contains("[unstuck]")));
        let last = agent.body();
        assert!(last.contains("Not run: "), "{form:?}: {last}");
        // A guard without memory halts as well.
        let fresh = judge(&mut self::conversation(), form, &last);
        let halt = fresh.halt.expect("a halt");
        assert_eq!(halt.verdict, Verdict::Halt);

        agent.user("please continue.");
        let judged = judge(&mut conversation, form, &agent.body());
        assert!(judged.halt.is_some(), "{form:?}");
        agent.user("The file is called other.txt.");
        let judged = judge(&mut conversation, form, &agent.body());
        assert!(judged.halt.is_none() && judged.person, "{form:?}");
        let judged = judge(&mut self::conversation(), form, &agent.body());
        assert!(judged.halt.is_none(), "{form:?}");
    }
}

#[test]
fn a_request_shares_its_beginning_with_the_one_before_it() {
    for (form, streamed) in all() {
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let bodies = run_loop(&mut agent, &mut conversation());
        for pair in bodies.windows(2) {
            let history = |body: &str| {
                let value: serde_json::Value = serde_json::from_str(body).expect("JSON");
                let name = ["messages", "input", "contents"];
                let found = name.iter().find_map(|name| value.get(name).cloned());
                found.and_then(|it| it.as_array().cloned()).expect("a list")
            };
            let (before, after) = (history(&pair[0]), history(&pair[1]));
            assert_eq!(before[..], after[..before.len()], "{form:?}");
        }
    }
}

#[test]
fn a_healthy_run_is_sent_as_it_is() {
    for (form, streamed) in all() {
        let mut agent = Agent::new(form, streamed, "Change the files.");
        let mut conversation = conversation();
        for number in 0..40 {
            let body = agent.body();
            assert_eq!(sent(&mut conversation, form, &body), body, "{form:?}");
            let tool = if number % 3 == 2 {
                "write_file"
            } else {
                "read_file"
            };
            let turn = Turn::calls(tool, json!({"path": format!("src/part_{number}.rs")}));
            let answer = answer(form, streamed, number, &turn);
            let deny = |call: &Call| conversation.check(call).1;
            let passed = passed(form, streamed, &answer, 64, deny);
            assert_eq!(passed, answer);
            let heard = agent.read(&passed);
            agent.heard(&heard);
            agent.ran(&heard, |call| {
                format!("pub fn part() -> &'static str {{ {} }}", call.args)
            });
        }
    }
}

#[test]
fn a_compacted_history_goes_on_counting() {
    for form in Form::ALL {
        let mut agent = Agent::new(*form, false, "Show the file.");
        let mut conversation = conversation();
        let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
        let mut halted_at = None;
        for number in 0..40 {
            if judge(&mut conversation, *form, &agent.body())
                .halt
                .is_some()
            {
                halted_at = Some(number);
                break;
            }
            let answer = answer(*form, false, number, &turn);
            let heard = agent.read(&answer);
            agent.heard(&heard);
            agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
            if number == 4 {
                agent.history.clear();
                agent.user("Summary: a file is to be shown.");
            }
        }
        let halted_at = halted_at.expect("a halt");
        assert!(halted_at < 20, "{form:?} {halted_at}");
    }
}

#[test]
fn repeats_are_left_out_and_every_call_keeps_its_result() {
    let mut observed = settings();
    observed.mode = unstuck::Mode::Observe;
    let fresh = || {
        let conversation = Conversation::new(observed.clone(), [0; 16], "s", "main");
        conversation.with_collapse(std::num::NonZeroUsize::new(3))
    };
    for (form, streamed) in all() {
        let mut agent = Agent::new(form, streamed, "Show the file.");
        let mut conversation = fresh();
        for number in 0..8 {
            let body = agent.body();
            let sent = sent(&mut conversation, form, &body);
            assert_eq!(self::sent(&mut fresh(), form, &body), sent, "{form:?}");
            assert_eq!(sent == body, number < 3, "{form:?}");
            let note = format!("This step came {} times in a row", number.min(6));
            assert_eq!(sent.contains(&note), number >= 3, "{form:?}: {sent}");
            let value: serde_json::Value = serde_json::from_str(&sent).expect("JSON");
            let text = value.to_string();
            for call in 0..number {
                // A call and its result, or neither.
                let is_kept = number < 3 || call == 0 || call >= 6;
                let id = format!("\"call_{call}_0\"");
                let expected = if is_kept { 2 } else { 0 };
                assert_eq!(
                    text.matches(&id).count(),
                    expected,
                    "{form:?} {call}: {text}"
                );
            }
            let command = if number < 6 { "cat nope.txt" } else { "ls" };
            let turn = Turn {
                text: format!("Try {number}."),
                ..Turn::default()
            };
            let turn = turn.and("bash", json!({"command": command}));
            let heard = agent.read(&answer(form, streamed, number, &turn));
            agent.heard(&heard);
            agent.ran(&heard, |_| format!("{command}: nothing"));
        }
    }
}
