//! Answers that come as a whole, and answers of this program.

use unstuck::Call;
use unstuck_json::Json;
use unstuck_transcript::Part;

use crate::form::{
    Form, Shape,
    contract::{Final, Judge},
    shared::text_of,
};

/// Judges the calls of a whole answer. `judge` returns the text in place of a call that is denied; `None` is returned where
/// none is, so that the answer stays as it is.
pub fn judge_whole(
    form: Form,
    body: &[u8],
    mut judge: impl FnMut(&Call) -> Option<String>,
) -> Option<Vec<u8>> {
    let text = simdutf8::basic::from_utf8(body).ok()?;
    let judge: &mut Judge<'_> = &mut judge;
    let edits = (form.spec().judge)(text, judge);
    (!edits.is_empty()).then(|| edits.apply(body))
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
    let told = json.view();
    let answer = form.api().answer(told.get("response").unwrap_or(told));
    answer.map(|answer| answer.parts).unwrap_or_default()
}

/// The id of an answer, by which a later request may go on from it.
pub fn id_of(data: &str) -> Option<String> {
    let json = Json::lossy(data.as_bytes()).ok()?;
    let told = json.view();
    let response = told.get("response").unwrap_or(told);
    let id = text_of(response, "id");
    (!id.is_empty()).then_some(id)
}
