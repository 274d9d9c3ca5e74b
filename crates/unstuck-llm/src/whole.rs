//! Answers that come as a whole, and answers of this program.

use unstuck::Call;
use unstuck_json::Json;
use unstuck_transcript::Part;

use crate::form::{
    Form, Shape,
    contract::{Final, Judge},
    shared::text_of,
};

/// A whole answer, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgedAnswer {
    /// The answer with its changes. `None` where it stays as it is.
    pub edited: Option<Vec<u8>>,
    /// Whether it had calls, and all of them were denied.
    pub is_spent: bool,
}

/// Judges the calls of a whole answer. `judge` returns the text in place of a call that is denied.
pub fn judge_whole(
    form: Form,
    body: &[u8],
    mut judge: impl FnMut(&Call) -> Option<String>,
) -> JudgedAnswer {
    let mut answer = JudgedAnswer {
        edited: None,
        is_spent: false,
    };
    let Ok(text) = simdutf8::basic::from_utf8(body) else {
        return answer;
    };
    let (mut denied, mut left) = (0, 0);
    let judge: &mut Judge<'_> = &mut |call: &Call| {
        let text = judge(call);
        if text.is_some() {
            denied += 1;
        } else {
            left += 1;
        }
        text
    };
    let edits = (form.spec().judge)(text, judge);
    answer.edited = (!edits.is_empty()).then(|| edits.apply(body));
    answer.is_spent = denied > 0 && left == 0;
    answer
}

/// Two whole answers of the model as one, for the client: what the first says comes before what the second says, and what
/// both used is added up. `None` if they cannot be put together.
pub fn join_answers(form: Form, first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let first = simdutf8::basic::from_utf8(first).ok()?;
    let second = simdutf8::basic::from_utf8(second).ok()?;
    (form.spec().join)(first, second).map(String::into_bytes)
}

/// An answer of this program in place of the model's.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// What it says.
    pub text: &'a str,
    /// The model that was asked.
    pub model: &'a str,
    /// Makes its ids.
    pub id: &'a str,
}

impl Answer<'_> {
    /// An answer that ends the turn, in the form and shape that the client waits for.
    pub fn write(&self, form: Form, shape: Shape) -> String {
        let answer = Final {
            text: self.text,
            model: self.model,
            id: self.id,
        };
        match shape {
            Shape::Whole => (form.spec().whole)(&answer),
            Shape::Events => (form.spec().events)(&answer),
            Shape::Array => format!("[{}]", (form.spec().whole)(&answer)),
        }
    }

    /// An error that says why there is no answer.
    pub fn error(&self, form: Form) -> String {
        (form.spec().error)(self.text)
    }
}

/// What the model said in a whole answer, or in the last event of a stream of the Responses API.
pub fn parts(form: Form, data: &str) -> Vec<Part> {
    let Ok(json) = Json::lossy(data.as_bytes()) else {
        return Vec::new();
    };
    let value = json.view();
    let answer = form.api().answer(value.get("response").unwrap_or(value));
    answer.map(|answer| answer.parts).unwrap_or_default()
}

/// The id of an answer, by which a later request may go on from it.
pub fn id_of(data: &str) -> Option<String> {
    let json = Json::lossy(data.as_bytes()).ok()?;
    let value = json.view();
    let response = value.get("response").unwrap_or(value);
    let id = text_of(response, "id");
    (!id.is_empty()).then_some(id)
}
