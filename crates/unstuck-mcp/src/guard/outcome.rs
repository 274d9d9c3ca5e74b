//! The result of a call, as the rules see it.

use unstuck::{Json, fingerprint::Fingerprint};
use unstuck_json::{JsonKind, JsonRef};

use super::Ending;
use crate::codec::Body;

/// A result, as far as it means something to the rules.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) ending: Ending,
    pub(super) structured: Structured,
    /// What a server that asks for more wants back, as JSON.
    pub(super) state: Option<Box<str>>,
    /// Size and fingerprint, for the audit.
    pub(super) recorded: Option<(usize, Fingerprint)>,
}

/// Whether a result has a part that some clients show in place of all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structured {
    Present,
    Absent,
}

impl Read {
    /// A result, and what results are compared by.
    pub(super) fn of(body: Body) -> (Self, Json) {
        let mut read = Self {
            ending: Ending::Ok,
            structured: Structured::Absent,
            state: None,
            recorded: None,
        };
        let result = match body {
            Body::Result(result) => result,
            Body::Text(text) => {
                if text.is_error {
                    read.ending = Ending::Error;
                }
                return (read, text.text);
            }
            Body::Error(error) => {
                read.ending = Ending::Failed;
                return (read, error);
            }
        };
        let mut content = None;
        let mut structured = None;
        for (name, value) in result.view().members() {
            match &*name {
                "content" => content = Some(value),
                "structuredContent" => structured = Some(value),
                "isError" if value.boolean() == Some(true) && read.ending == Ending::Ok => {
                    read.ending = Ending::Error;
                }
                "task" if value.kind() == JsonKind::Object => read.ending = Ending::Pending,
                "resultType" => match value.text().as_deref() {
                    Some("input_required") => read.ending = Ending::InputRequired,
                    Some("complete") | None => {}
                    Some(_) => read.ending = Ending::Pending,
                },
                "requestState" => read.state = Some(value.as_str().into()),
                _ => {}
            }
        }
        if structured.is_some() {
            read.structured = Structured::Present;
        }
        let output = match (content, structured) {
            (Some(content), None) => match only_text(content) {
                Some(text) => Json::from(text),
                None => Json::from(content),
            },
            (None, Some(structured)) => Json::from(structured),
            // Canonical values in canonical order: what comes out is canonical, and surely JSON.
            (Some(content), Some(structured)) => Json::parse(&format!(
                "{{\"content\":{content},\"structuredContent\":{structured}}}"
            ))
            .unwrap_or_else(|_| result.clone()),
            (None, None) => result,
        };
        (read, output)
    }
}

/// The text of a result that is nothing but one text, as most are.
fn only_text(content: JsonRef<'_>) -> Option<JsonRef<'_>> {
    let mut elements = content.elements();
    let (Some(only), None) = (elements.next(), elements.next()) else {
        return None;
    };
    let kind = only.get("type")?.text()?;
    let text = only.get("text")?;
    (kind == "text" && text.kind() == JsonKind::String).then_some(text)
}
