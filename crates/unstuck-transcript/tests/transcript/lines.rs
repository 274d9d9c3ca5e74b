//! The line of an event is the line of the file that its message begins on.

use serde_json::Value;
use unstuck::{Event, EventKind};
use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};

use crate::told::fixtures;

/// Lines of calls, each with what its element must hold.
#[derive(Default)]
struct Lines(Vec<(Option<u64>, Vec<String>)>);

impl Sink for Lines {
    fn event(&mut self, event: Event) {
        if let EventKind::Call(call) = &event.kind {
            let arguments: Value = serde_json::from_str(call.args.as_str()).unwrap();
            let mut texts = Vec::new();
            strings(&arguments, &mut texts);
            self.0.push((event.line, texts));
        }
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

/// All strings in a value, also those in JSON that is written as a string.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                strings(&inner, found);
            }
            found.push(text.clone());
        }
        Value::Array(elements) => elements.iter().for_each(|inner| strings(inner, found)),
        Value::Object(members) => members.values().for_each(|inner| strings(inner, found)),
        _ => {}
    }
}

fn lines(format: Format, bytes: &[u8]) -> Vec<(Option<u64>, Vec<String>)> {
    let mut transcript = Transcript::new(format, &Origin::default());
    let mut lines = Lines::default();
    transcript.document(bytes, &mut lines);
    transcript.end(&mut lines);
    lines.0
}

/// The value that begins on a line; the text from there on where the value is broken.
fn value_on(text: &str, line: u64) -> Option<Value> {
    let line = usize::try_from(line).unwrap() - 1;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = &text[start..];
    let rest = &rest[rest.find(['{', '['])?..];
    let value = serde_json::Deserializer::from_str(rest)
        .into_iter()
        .next()?;
    Some(value.unwrap_or_else(|_| rest.replace("\\\"", "\"").replace("\\n", "\n").into()))
}

#[test]
fn the_line_of_a_call_is_where_its_message_begins() {
    let mut checked = 0;
    for (format, path, bytes) in fixtures() {
        let text = String::from_utf8_lossy(&bytes).replace('\u{feff}', "");
        let is_archive = bytes.starts_with(b"PK");
        for (line, texts) in lines(format, &bytes) {
            if is_archive {
                assert_eq!(line, None, "{}", path.display());
                continue;
            }
            let line = line.unwrap_or_else(|| panic!("{}: no line", path.display()));
            let Some(value) = value_on(&text, line) else {
                panic!("{}: nothing begins on line {line}", path.display());
            };
            let mut there = Vec::new();
            strings(&value, &mut there);
            let all = there.join("\n");
            // Texts of attachments stand elsewhere, and several items of a response are one message of the model.
            if all.contains("attachment://") || format == Format::OpenAiResponses {
                continue;
            }
            // What is not Unicode in the file is replaced.
            for text in texts.iter().filter(|text| !text.contains('\u{fffd}')) {
                assert!(
                    all.contains(text.trim()),
                    "{}:{line} has no {text:?}",
                    path.display()
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn blank_lines_in_a_document_count() {
    let document = "\n\n[\n\n{\"role\":\"user\",\"content\":\"go\"},\n\n\n{\"role\":\"assistant\",\n\n\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"bash\",\"arguments\":\"{}\"}}]}\n]\n";
    let found = lines(Format::OpenAiChat, document.as_bytes());
    assert_eq!(found.first().map(|(line, _)| *line), Some(Some(8)));
}
