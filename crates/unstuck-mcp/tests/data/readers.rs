//! Other readers of the lines that a guard passes on, written by other hands than the codec: which lines they see, and
//! which of two members of one name they take. The fuzz target `readers` and the test `readers` hold the guard against them.

use serde_json::{Map, Value};
use unstuck::{Preset, Settings};
use unstuck_mcp::{Codec, Guard, GuardOptions, Line, Lines, Message, Micros, ToServer};

/// A call as a server sees it: the tool and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) tool: Value,
    pub(crate) arguments: Value,
}

/// What a guard passed on, and the calls that it judged.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) calls: Vec<Call>,
}

impl Passed {
    /// Judges a client's stream.
    pub(crate) fn by_guard(client: &[u8], longest: usize) -> Self {
        let mut guard = Guard::new(GuardOptions::new("s", Settings::of(Preset::Ironcurtain)));
        let mut codec = Codec::with_limit(longest);
        let mut lines = Lines::new(client, longest);
        let mut passed = Self::default();
        let mut at = 0;
        while let Ok(Some(line)) = lines.next_line() {
            at += 1_000_000;
            let Line::Whole(line) = line else { continue };
            let call = match codec.read_line(line) {
                Ok(Message::Request(request)) if request.method == "tools/call" => Some(Call {
                    tool: request
                        .params
                        .name
                        .as_deref()
                        .map_or(Value::Null, Value::from),
                    arguments: request.params.arguments.as_ref().map_or_else(
                        || Value::Object(Map::new()),
                        |arguments| serde_json::from_str(arguments.as_str()).expect("JSON"),
                    ),
                }),
                _ => None,
            };
            let said = guard.from_client(codec.read_line(line), line.len(), Micros(at));
            match said {
                ToServer::Forward => {}
                ToServer::ForwardCall(_) => passed.calls.extend(call.map(rounded)),
                _ => continue,
            }
            passed.bytes.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                passed.bytes.push(b'\n');
            }
        }
        passed
    }

    /// Panics if any reader sees another call than the guard judged.
    pub(crate) fn assert_one_reading(&self) {
        let text = std::str::from_utf8(&self.bytes).expect("only text is passed on");
        for duplicate in [Duplicate::First, Duplicate::Last] {
            let calls = |ends: Ends| -> Vec<Call> {
                let lines = ends.split(text);
                lines
                    .iter()
                    .filter_map(|line| call(line, duplicate))
                    .collect()
            };
            assert_eq!(calls(Ends::LineFeed), self.calls);
            assert_eq!(calls(Ends::Universal), self.calls);
            // These end lines within strings as well. They may lose a call, and must not see another.
            for ends in [Ends::Node, Ends::Unicode] {
                for call in calls(ends) {
                    assert!(self.calls.contains(&call), "{ends:?} sees {call:?}");
                }
            }
        }
    }
}

/// What ends a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ends {
    LineFeed,
    /// Text mode of Python.
    Universal,
    /// `readline` of Node.js.
    Node,
    /// `str.splitlines` of Python.
    Unicode,
}

impl Ends {
    fn split(self, text: &str) -> Vec<&str> {
        let ends = |letter: char| match self {
            Self::LineFeed => letter == '\n',
            Self::Universal => matches!(letter, '\n' | '\r'),
            Self::Node => matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}'),
            Self::Unicode => matches!(
                letter,
                '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
            ),
        };
        text.split(ends).collect()
    }
}

/// Which of two members of one name is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicate {
    First,
    Last,
}

/// The call that a line is to a server, if it is one.
pub(crate) fn call(line: &str, duplicate: Duplicate) -> Option<Call> {
    let mut reader = Reader {
        text: line.trim(),
        duplicate,
        depth: 0,
    };
    let message = reader.value()?;
    if !reader.text.trim_start().is_empty() || message["method"] != "tools/call" {
        return None;
    }
    let params = &message["params"];
    Some(rounded(Call {
        tool: params["name"].clone(),
        arguments: match params.get("arguments") {
            None => Value::Object(Map::new()),
            Some(arguments) => arguments.clone(),
        },
    }))
}

/// The call with numbers as doubles, which is what all readers can tell. A number beyond all doubles is `null`: the codec
/// compares it by its text, Python by its text, and JavaScript has no other value for it.
pub(crate) fn rounded(mut call: Call) -> Call {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) => *value = number.as_f64().into(),
            Value::String(text) if is_beyond_double(text) => *value = Value::Null,
            Value::Array(values) => values.iter_mut().for_each(round),
            Value::Object(members) => members.values_mut().for_each(round),
            _ => {}
        }
    }
    round(&mut call.arguments);
    call
}

fn is_beyond_double(text: &str) -> bool {
    text.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit())
        && text.parse().is_ok_and(f64::is_infinite)
}

/// A small reader of JSON that takes more than JSON.
struct Reader<'a> {
    text: &'a str,
    duplicate: Duplicate,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> Option<()> {
        self.text = self.text.trim_start();
        self.text = self.text.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > 200 {
            return None;
        }
        self.text = self.text.trim_start();
        let value = match self.text.as_bytes().first()? {
            b'{' => self.object()?,
            b'[' => self.array()?,
            b'"' => Value::String(self.string()?),
            b'-' | b'0'..=b'9' => self.number()?,
            _ => {
                let words = [
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("null", Value::Null),
                ];
                words
                    .into_iter()
                    .find_map(|(word, value)| self.take(word).map(|()| value))?
            }
        };
        self.depth -= 1;
        Some(value)
    }

    fn object(&mut self) -> Option<Value> {
        let mut members = Map::new();
        self.take("{")?;
        if self.take("}").is_some() {
            return Some(members.into());
        }
        loop {
            self.text = self.text.trim_start();
            let name = self.string()?;
            self.take(":")?;
            let value = self.value()?;
            if self.duplicate == Duplicate::Last || !members.contains_key(&name) {
                members.insert(name, value);
            }
            if self.take("}").is_some() {
                return Some(members.into());
            }
            self.take(",")?;
        }
    }

    fn array(&mut self) -> Option<Value> {
        let mut values = Vec::new();
        self.take("[")?;
        if self.take("]").is_some() {
            return Some(values.into());
        }
        loop {
            values.push(self.value()?);
            if self.take("]").is_some() {
                return Some(values.into());
            }
            self.take(",")?;
        }
    }

    fn number(&mut self) -> Option<Value> {
        let is_part = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
        let end = self
            .text
            .find(|letter| !is_part(letter))
            .unwrap_or(self.text.len());
        let (number, rest) = self.text.split_at(end);
        self.text = rest;
        let double: f64 = number.parse().ok()?;
        Some(if double.is_finite() {
            double.into()
        } else {
            number.into()
        })
    }

    fn string(&mut self) -> Option<String> {
        self.text = self.text.strip_prefix('"')?;
        let mut units: Vec<u16> = Vec::new();
        let mut letters = self.text.char_indices();
        loop {
            let (at, letter) = letters.next()?;
            match letter {
                '"' => {
                    self.text = &self.text[at + 1..];
                    return Some(String::from_utf16_lossy(&units));
                }
                '\\' => match letters.next()?.1 {
                    'u' => {
                        let digits: String = (0..4)
                            .map_while(|_| letters.next())
                            .map(|(_, digit)| digit)
                            .collect();
                        units.push(u16::from_str_radix(&digits, 16).ok()?);
                    }
                    'b' => units.push(8),
                    'f' => units.push(12),
                    'n' => units.push(10),
                    'r' => units.push(13),
                    't' => units.push(9),
                    other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
                },
                other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
            }
        }
    }
}
