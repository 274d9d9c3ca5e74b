//! The Responses API of OpenAI.

mod stream;
mod writer;

use unstuck::{Call, Json};
use unstuck_json::JsonRef;
use unstuck_transcript::{ModelApi, Part};

use super::{
    Shape,
    contract::{Final, FormSpec, Insertion, Judge},
    shared::{joined, quoted, text_of},
};
use crate::span::{Edits, at, elements, whole};

pub(super) static RESPONSES: FormSpec = FormSpec {
    name: "openai-responses",
    api: ModelApi::OpenAiResponses,
    history: "input",
    serves: |path| path.ends_with("/responses"),
    shape: |_, stream| if stream { Shape::Events } else { Shape::Whole },
    path_for_model: |_, _| None,
    note: |element, text| {
        Some(Insertion {
            at: element.len(),
            text: format!(
                r#",{{"type":"message","role":"developer","content":[{{"type":"input_text","text":{}}}]}}"#,
                quoted(text)
            ),
        })
    },
    judge,
    join: |first, second| joined(first, second, &["output"], "usage"),
    reader: || Box::<stream::Stream>::default(),
    whole: |answer| response(answer, &[item(&item_id(answer), answer.text)]),
    events,
    error: |text| {
        let text = quoted(text);
        format!(
            r#"{{"error":{{"message":{text},"type":"invalid_request_error","param":null,"code":null}}}}"#
        )
    },
};

fn item_id(answer: &Final<'_>) -> String {
    format!("msg_{}", answer.id)
}

/// A message that says a text.
fn item(id: &str, text: &str) -> String {
    let (id, text) = (quoted(id), quoted(text));
    format!(
        r#"{{"type":"message","id":{id},"role":"assistant","status":"completed","content":[{{"type":"output_text","text":{text},"annotations":[]}}]}}"#
    )
}

fn response(answer: &Final<'_>, output: &[String]) -> String {
    let (id, model) = (quoted(&format!("resp_{}", answer.id)), quoted(answer.model));
    let status = if output.is_empty() {
        "in_progress"
    } else {
        "completed"
    };
    let output = output.join(",");
    format!(
        r#"{{"id":{id},"object":"response","created_at":0,"status":"{status}","error":null,"incomplete_details":null,"model":{model},"output":[{output}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":{{"input_tokens":0,"input_tokens_details":{{"cached_tokens":0}},"output_tokens":0,"output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":0}}}}"#
    )
}

fn events(answer: &Final<'_>) -> String {
    let mut writer = writer::Writer::default();
    let created = response(answer, &[]);
    writer.event("response.created", &format!(r#""response":{created}"#));
    writer.message(0, &item_id(answer), answer.text);
    let done = response(answer, &[item(&item_id(answer), answer.text)]);
    writer.event("response.completed", &format!(r#""response":{done}"#));
    writer.out
}

/// Whether the agent runs this item: the provider runs its own tools itself.
fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "shell_call"
            | "apply_patch_call"
            | "computer_call"
    )
}

/// The call that an item is, read as in histories.
fn call_of(item: JsonRef<'_>) -> Option<Call> {
    if !is_call(&text_of(item, "type")) {
        return None;
    }
    let mut messages = Vec::new();
    ModelApi::OpenAiResponses.element(item, &mut messages);
    let parts = messages.pop()?.parts;
    parts.into_iter().find_map(|part| match part {
        Part::Called(call) if !call.tool.is_empty() => Some(call),
        _ => None,
    })
}

/// The id of the message in place of a call.
fn id_in_place(item: JsonRef<'_>) -> String {
    let id = text_of(item, "id");
    let id = if id.is_empty() {
        text_of(item, "call_id")
    } else {
        id
    };
    format!("msg_unstuck_{id}")
}

fn judge(body: &str, judge: &mut Judge<'_>) -> Edits {
    let mut edits = Edits::default();
    let output = at(body, whole(body), &["output"]).map(|span| elements(body, span));
    for span in output.into_iter().flatten() {
        let Ok(value) = Json::lossy(&body.as_bytes()[span.clone()]) else {
            continue;
        };
        if let Some(text) = call_of(value.view()).and_then(|call| judge(&call)) {
            edits.replace(span, item(&id_in_place(value.view()), &text));
        }
    }
    edits
}
