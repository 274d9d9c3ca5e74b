//! Many events at once, as `unstuck check` answers them.

use unstuck::{Engine, EventReader};

/// Byte order mark that some editors put before a text.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Answers every line with a decision or an error, and returns the number of the last line. Blank lines have no answer.
pub(crate) fn check_lines(
    engine: &mut Engine,
    reader: &mut EventReader,
    text: &[u8],
) -> (String, u64) {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let mut answers = String::new();
    let mut number = 0;
    for line in text.split(|byte| *byte == b'\n') {
        number += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match reader.read(line) {
            Ok(mut event) => {
                event.line = Some(number);
                serde_json::to_string(&engine.observe(event)).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match answer {
            Ok(decision) => answers.push_str(&decision),
            Err(error) => {
                let refused = serde_json::json!({ "line": number, "error": error });
                answers.push_str(&refused.to_string());
            }
        }
        answers.push('\n');
    }
    (answers, number)
}
