use unstuck::{Event, EventKind, Json, Outcome};

use super::Conversation;
use crate::{
    message::Message,
    sink::{Problem, Sink, Usage},
};

#[derive(Default)]
struct Heard(Vec<String>);

impl Sink for Heard {
    fn event(&mut self, event: Event) {
        self.0.push(match event.kind {
            EventKind::Call(call) => format!("call {} {}", call.id, call.tool),
            EventKind::Result(outcome) => format!("result {}", outcome.id),
            EventKind::Turn(_) => "turn".to_owned(),
            kind => format!("{kind:?}"),
        });
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

fn calls(named: &[(&str, &str)]) -> Message {
    let mut message = Message::of_model();
    for (id, tool) in named {
        message.call(id, tool, Json::empty_object());
    }
    message
}

fn results(named: &[(&str, &str)]) -> Message {
    let mut message = Message::default();
    for (id, tool) in named {
        message.answer(Outcome::ok(*id, Json::null()), tool);
    }
    message
}

#[test]
fn calls_without_ids_get_their_results_by_tool_and_order() {
    let mut conversation = Conversation::new("", "");
    let mut heard = Heard::default();
    conversation.tell(1, calls(&[("", "a"), ("", "b"), ("", "a")]), &mut heard);
    conversation.tell(2, results(&[("", "b"), ("", ""), ("", "a")]), &mut heard);
    conversation.tell(3, calls(&[("x", "a")]), &mut heard);
    conversation.end(&mut heard);
    assert_eq!(
        heard.0,
        [
            "call unnamed-1 a",
            "call unnamed-2 b",
            "call unnamed-3 a",
            "result unnamed-2",
            "result unnamed-1",
            "result unnamed-3",
            "turn",
            "call x a",
            "turn",
        ]
    );
}

#[test]
fn a_person_ends_the_round() {
    let mut conversation = Conversation::new("", "");
    let mut heard = Heard::default();
    let mut word = Message::default();
    word.ask("Well?");
    conversation.tell(1, calls(&[("x", "a")]), &mut heard);
    conversation.tell(2, word, &mut heard);
    conversation.end(&mut heard);
    assert_eq!(heard.0, ["call x a", "turn", "User"]);
}
