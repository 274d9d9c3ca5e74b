//! Events of the Responses API, written anew.

use super::item;
use crate::form::shared::{quoted, typed_event};

/// Writes events with numbers in sequence.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) next: i64,
    pub(super) out: String,
}

impl Writer {
    pub(super) fn event(&mut self, kind: &str, members: &str) {
        let number = self.next;
        self.next += 1;
        let data = format!(r#"{{"type":"{kind}","sequence_number":{number},{members}}}"#);
        self.out.push_str(&typed_event(kind, &data));
    }

    /// A whole message.
    pub(super) fn message(&mut self, index: i64, id: &str, text: &str) {
        let empty = quoted(id);
        let added = format!(
            r#""output_index":{index},"item":{{"type":"message","id":{empty},"role":"assistant","status":"in_progress","content":[]}}"#
        );
        self.event("response.output_item.added", &added);
        let place = format!(
            r#""item_id":{},"output_index":{index},"content_index":0"#,
            quoted(id)
        );
        let part = r#""part":{"type":"output_text","text":"","annotations":[]}"#;
        self.event("response.content_part.added", &format!("{place},{part}"));
        let words = quoted(text);
        self.event(
            "response.output_text.delta",
            &format!(r#"{place},"delta":{words}"#),
        );
        self.end_of_message(index, id, text);
    }

    /// The events that end a message which says this as a whole.
    pub(super) fn end_of_message(&mut self, index: i64, id: &str, text: &str) {
        let place = format!(
            r#""item_id":{},"output_index":{index},"content_index":0"#,
            quoted(id)
        );
        let words = quoted(text);
        self.event(
            "response.output_text.done",
            &format!(r#"{place},"text":{words}"#),
        );
        self.event(
            "response.content_part.done",
            &format!(r#"{place},"part":{{"type":"output_text","text":{words},"annotations":[]}}"#),
        );
        let whole = item(id, text);
        self.event(
            "response.output_item.done",
            &format!(r#""output_index":{index},"item":{whole}"#),
        );
    }
}
