//! One line to one message.

use std::borrow::Cow;

use unstuck::{JsonError, event::MAX_LINE_BYTES};
use unstuck_json::{JsonKind, Scanner, Scratch, lossy_text};

use super::id::{Id, LONGEST_ID, repeatable};
use super::lines::ends;
use super::message::{Body, Message, Notification, Params, Request, Response, Shape};
use super::plain;
use super::refusal::{Refusal, RefusalKind, Role};

/// The members of a message that mean something to JSON-RPC.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// The members of `params` that mean something to the guard.
const PARAMS: [&str; 6] = [
    "name",
    "arguments",
    "_meta",
    "requestId",
    "inputResponses",
    "requestState",
];

/// What `id` has to be. The length is [`LONGEST_ID`].
const AN_ID: &str = "a string or a number of at most 1024 bytes";

/// Reads messages and keeps its buffers between them.
///
/// ```
/// use unstuck_mcp::{Codec, Message};
///
/// let mut codec = Codec::default();
/// let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"b":1,"a":2}}}"#;
/// let Ok(Message::Request(request)) = codec.read(line) else { panic!() };
/// assert_eq!(request.params.arguments.unwrap().as_str(), r#"{"a":2,"b":1}"#);
/// assert!(codec.read(br#"{"jsonrpc":"2.0","method":"a","method":"b"}"#).is_err());
/// ```
#[derive(Debug)]
pub struct Codec {
    scratch: Scratch,
    longest: usize,
    last: Last,
}

/// What kind the last message was, other than a notification. Who answered goes on to answer, and who asked to ask: only
/// what is likely to be an answer is tried as one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Answer,
    Request,
}

impl Default for Codec {
    fn default() -> Self {
        Self::with_limit(MAX_LINE_BYTES)
    }
}

impl Codec {
    /// A codec that refuses messages of more than `longest` bytes.
    pub fn with_limit(longest: usize) -> Self {
        Self {
            scratch: Scratch::default(),
            longest,
            last: Last::Answer,
        }
    }

    /// The most bytes a message may have.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Reads one message that is a line of its own. A carriage return anywhere but right before the line feed is
    /// refused: JSON takes it for white space, but many programs end a line there and would read the rest as another
    /// message.
    pub fn read_line<'a>(&mut self, line: &'a [u8]) -> Result<Message<'a>, Refusal> {
        let text = line
            .strip_suffix(b"\n")
            .map_or(line, |text| text.strip_suffix(b"\r").unwrap_or(text));
        if memchr::memchr(b'\r', text).is_some() {
            let (id, role) = self.find_id(&lossy_text(line));
            let kind = RefusalKind::CarriageReturn;
            return Err(Refusal { id, kind, role });
        }
        self.read(line)
    }

    /// Reads one message, with or without its line end.
    pub fn read<'a>(&mut self, line: &'a [u8]) -> Result<Message<'a>, Refusal> {
        if line.len() > self.longest {
            let (beginning, end) = ends(line);
            return Err(self.too_long(beginning, end));
        }
        let text = simdutf8::basic::from_utf8(line).map_err(|_| {
            let at = std::str::from_utf8(line).map_or_else(|error| error.valid_up_to(), str::len);
            Refusal::new(JsonError::Utf8 { at })
        })?;
        if self.last == Last::Answer
            && let Some(answer) = plain::answer(Scanner::new(text, &mut self.scratch).strict())
        {
            return Ok(answer);
        }
        let exact = Scanner::new(text, &mut self.scratch).strict();
        let kind = match message(exact) {
            // Half of a surrogate pair and numbers beyond a double are JSON all the same, and programs write them. They
            // are compared by the nearest thing that can be told.
            Err(RefusalKind::Json(
                JsonError::LoneSurrogate { .. } | JsonError::NumberBeyondDouble { .. },
            )) => self.read_lossy(text),
            other => other,
        };
        match &kind {
            Ok(Message::Request(_)) => self.last = Last::Request,
            Ok(Message::Response(_)) => self.last = Last::Answer,
            Ok(Message::Notification(_)) | Err(_) => {}
        }
        kind.map_err(|kind| {
            let (id, role) = self.find_id(text);
            Refusal { id, kind, role }
        })
    }

    /// What is wrong with a message that is longer than may be read, of which these are the beginning and the end.
    pub fn too_long(&mut self, beginning: &[u8], end: &[u8]) -> Refusal {
        let (id, role) = self.find_id(&lossy_text(beginning));
        let id = id.or_else(|| last_id(end));
        let kind = RefusalKind::TooLong {
            longest: self.longest,
        };
        Refusal { id, kind, role }
    }

    fn read_lossy<'a>(&mut self, text: &'a str) -> Result<Message<'a>, RefusalKind> {
        // A lossy reader takes more than JSON; that it is JSON is seen to first.
        let mut exact = Scanner::new(text, &mut self.scratch);
        exact.skip_value()?;
        exact.end()?;
        message(Scanner::lossy(text, &mut self.scratch).strict())
    }

    /// The id of a message that cannot be read, so that the request that waits for an answer gets one, and what it seems to be.
    fn find_id(&mut self, text: &str) -> (Option<Box<str>>, Role) {
        let mut scanner = Scanner::lossy(text, &mut self.scratch);
        let mut found = None;
        let mut role = Role::Unknown;
        let mut answers = false;
        let mut look = || -> Result<(), JsonError> {
            scanner.begin_object()?;
            let mut ids = 0;
            while let Some(key) = scanner.next_key()? {
                match &*key {
                    "id" => {
                        let raw = scanner.raw()?;
                        ids += 1;
                        found = if ids == 1 { repeatable(raw) } else { None };
                    }
                    name => {
                        if name.eq_ignore_ascii_case("method") {
                            role = Role::Request;
                        }
                        answers |= matches!(name, "result" | "error");
                        scanner.skip_value()?;
                    }
                }
            }
            Ok(())
        };
        // What was found before it broke off is all there is to know.
        let whole = look().is_ok();
        if role == Role::Unknown && (answers || whole && found.is_some()) {
            role = Role::Response;
        }
        (found, role)
    }
}

/// The id, where it is the last member of a message that ends like this. Some programs write it there.
fn last_id(end: &[u8]) -> Option<Box<str>> {
    let end = lossy_text(end.trim_ascii_end().strip_suffix(b"}")?);
    let (before, id) = end.rsplit_once(':')?;
    let id = id.trim_ascii();
    // With an escape in it, where the string begins would be a guess.
    if id.contains('\\') {
        return None;
    }
    let before = before.trim_ascii_end().strip_suffix("\"id\"")?;
    let is_member = before.trim_ascii_end().ends_with([',', '{']);
    is_member.then(|| repeatable(id)).flatten()
}

fn message<'a>(mut scanner: Scanner<'a, '_>) -> Result<Message<'a>, RefusalKind> {
    match scanner.peek_kind()? {
        JsonKind::Object => {}
        JsonKind::Array => return Err(RefusalKind::Batch),
        _ => return Err(RefusalKind::NotAnObject),
    }
    let mut names = Names::new(&MEMBERS);
    let mut id = None;
    let mut method = None;
    let mut params = Params::default();
    let mut result = None;
    let mut error = None;
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        match names.take(key)? {
            Some("id") => id = Some(read_id(&mut scanner)?),
            Some("method") => method = Some(string(&mut scanner, "method")?),
            Some("params") => params = read_params(&mut scanner)?,
            Some("result") => result = Some(scanner.canonical()?),
            Some("error") => error = Some(scanner.canonical()?),
            _ => scanner.check_value()?,
        }
    }
    scanner.end()?;
    names.end()?;
    match (method, id, result, error) {
        (Some(method), Some(Some(id)), None, None) => {
            Ok(Message::Request(Request { id, method, params }))
        }
        (Some(method), None, None, None) => {
            Ok(Message::Notification(Notification { method, params }))
        }
        (Some(_), Some(None), None, None) => Err(RefusalKind::WrongType {
            member: "id",
            expected: AN_ID,
        }),
        (None, id, Some(result), None) => Ok(Message::Response(Response {
            id: id.flatten(),
            body: Body::Result(result),
        })),
        (None, id, None, Some(error)) => Ok(Message::Response(Response {
            id: id.flatten(),
            body: Body::Error(error),
        })),
        _ => Err(RefusalKind::Ambiguous),
    }
}

/// The id, or `None` for `null`.
fn read_id<'a>(scanner: &mut Scanner<'a, '_>) -> Result<Option<Id<'a>>, RefusalKind> {
    match scanner.peek_kind()? {
        JsonKind::String | JsonKind::Number => {
            let raw = scanner.raw()?;
            if raw.len() > LONGEST_ID {
                return Err(RefusalKind::WrongType {
                    member: "id",
                    expected: AN_ID,
                });
            }
            Ok(Some(Id::of(raw)?))
        }
        JsonKind::Null => {
            scanner.skip_value()?;
            Ok(None)
        }
        _ => Err(RefusalKind::WrongType {
            member: "id",
            expected: AN_ID,
        }),
    }
}

fn read_params<'a>(scanner: &mut Scanner<'a, '_>) -> Result<Params<'a>, RefusalKind> {
    let mut params = Params {
        shape: Shape::Object,
        ..Params::default()
    };
    if scanner.peek_kind()? != JsonKind::Object {
        scanner.check_value()?;
        params.shape = Shape::Other;
        return Ok(params);
    }
    let mut names = Names::new(&PARAMS);
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        match names.take(key)? {
            // Other methods may have a `name` of another type.
            Some("name") if scanner.peek_kind()? == JsonKind::String => {
                params.name = Some(scanner.string()?);
            }
            Some("arguments") => params.arguments = Some(scanner.canonical()?),
            Some("_meta") => params.meta = Some(scanner.canonical()?),
            Some("requestId") => params.request_id = Some(scanner.canonical()?),
            Some("inputResponses") => params.input_responses = Some(scanner.canonical()?),
            Some("requestState") => params.request_state = Some(scanner.canonical()?),
            _ => scanner.check_value()?,
        }
    }
    names.end()?;
    Ok(params)
}

fn string<'a>(
    scanner: &mut Scanner<'a, '_>,
    member: &'static str,
) -> Result<Cow<'a, str>, RefusalKind> {
    if scanner.peek_kind()? != JsonKind::String {
        return Err(RefusalKind::WrongType {
            member,
            expected: "a string",
        });
    }
    Ok(scanner.string()?)
}

/// The names of an object's members, to see that no name occurs twice.
struct Names<'a> {
    known: &'static [&'static str],
    /// One bit for each known name that was met.
    met: u32,
    unknown: Vec<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    fn new(known: &'static [&'static str]) -> Self {
        Self {
            known,
            met: 0,
            unknown: Vec::new(),
        }
    }

    /// Which of the known names this is.
    fn take(&mut self, name: Cow<'a, str>) -> Result<Option<&'static str>, RefusalKind> {
        for (place, known) in self.known.iter().copied().enumerate() {
            if name == known {
                if self.met & 1 << place != 0 {
                    return Err(RefusalKind::DuplicateMember);
                }
                self.met |= 1 << place;
                return Ok(Some(known));
            }
        }
        let variant = |known: &&&str| folded(&name).eq(folded(known));
        if let Some(known) = self.known.iter().find(variant) {
            return Err(RefusalKind::CaseVariant(known));
        }
        self.unknown.push(name);
        Ok(None)
    }

    fn end(mut self) -> Result<(), RefusalKind> {
        self.unknown.sort_unstable();
        if self.unknown.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(RefusalKind::DuplicateMember);
        }
        Ok(())
    }
}

/// A name as those read it who do not mind its case. Two letters beyond ASCII count as `s` and `k` for them.
fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().map(|letter| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    })
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
