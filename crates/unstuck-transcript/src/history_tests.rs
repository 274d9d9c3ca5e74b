use unstuck::{Event, EventKind, Json, Outcome};

use super::{Histories, MAX_THREADS};
use crate::{
    message::Message,
    sink::{Problem, Sink, Usage},
};

#[derive(Default)]
struct Heard(Vec<String>);

impl Sink for Heard {
    fn event(&mut self, event: Event) {
        let what = match event.kind {
            EventKind::Call(call) => format!("call {}", call.id),
            EventKind::Result(outcome) => format!("result {}", outcome.id),
            EventKind::Text(text) => format!("text {}", text.text),
            EventKind::Turn(_) => return,
            kind => format!("{kind:?}"),
        };
        self.0.push(format!("{} {what}", event.session));
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

/// A history in short: `?words` of a person, `.words` of the model, `>id` a call, `<id` its result.
fn history(short: &str) -> Vec<Message> {
    let message = |word: &str| {
        let (kind, rest) = word.split_at(1);
        let mut message = Message::default();
        match kind {
            "?" => message.ask(rest),
            "<" => message.answer(Outcome::ok(rest, Json::null()), ""),
            _ => {
                message = Message::of_model();
                match kind {
                    ">" => message.call(rest, "tool", Json::empty_object()),
                    _ => message.say(rest),
                }
            }
        }
        message
    };
    short.split_whitespace().map(message).collect()
}

fn heard(requests: &[(Option<&str>, &str)]) -> Vec<String> {
    let mut histories = Histories::new("s");
    let mut heard = Heard::default();
    for (key, short) in requests {
        histories.request(*key, history(short), &mut heard);
    }
    histories.end(&mut heard);
    heard.0
}

#[test]
fn a_history_that_grows_is_told_once() {
    assert_eq!(
        heard(&[
            (None, "?go"),
            (None, "?go >1 <1"),
            (None, "?go >1 <1 .done ?more")
        ]),
        ["s User", "s call 1", "s result 1", "s text done", "s User"]
    );
}

#[test]
fn conversations_are_told_apart() {
    assert_eq!(
        heard(&[
            (None, "?go >1"),
            (None, "?title .x"),
            (None, "?go >1 <1"),
            (None, "?go")
        ]),
        [
            "s User",
            "s call 1",
            "s#2 User",
            "s#2 text x",
            "s result 1",
            "s#3 User"
        ]
    );
}

#[test]
fn a_session_that_is_named_is_one_conversation() {
    assert_eq!(
        heard(&[
            (Some("k"), "?go >1 <1"),
            (Some("j"), "?go >1"),
            (Some("k"), "?new >2")
        ]),
        [
            "k User",
            "k call 1",
            "k result 1",
            "j User",
            "j call 1",
            "k Compaction",
            "k call 2"
        ]
    );
}

#[test]
fn a_history_that_was_compacted_tells_only_what_is_new() {
    assert_eq!(
        heard(&[
            (None, "?go >1 <1 >2 <2 .a"),
            (None, "?summary >2 <2 .a ?more >3")
        ])[5..],
        ["s text a", "s Compaction", "s User", "s call 3"]
    );
}

#[test]
fn a_history_that_goes_back_and_on_in_another_way_is_not_compacted() {
    assert_eq!(
        heard(&[(None, "?go >1 <1 .a"), (None, "?go >1 <1 ?other")])[4..],
        ["s User"]
    );
}

#[test]
fn ids_that_are_used_again_are_calls_of_their_own() {
    assert_eq!(
        heard(&[(None, "?go >1 <1"), (None, "?go >1 <1 >1 <1")]),
        ["s User", "s call 1", "s result 1", "s call 1", "s result 1"]
    );
}

#[test]
fn only_so_many_conversations_are_kept() {
    let mut histories = Histories::new("s");
    let mut heard = Heard::default();
    for number in 0..MAX_THREADS + 8 {
        let short = format!("?task{number} >c{number}");
        histories.request(None, history(&short), &mut heard);
    }
    assert_eq!(histories.threads.len(), MAX_THREADS);
}
