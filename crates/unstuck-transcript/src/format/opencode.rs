//! OpenCode: what `opencode export` writes, what `opencode run --format json` prints, and the rows of its database.
//!
//! All three have the same parts. A step is one request to the model; its calls carry their results with them.

use unstuck::{Call, Json, Outcome, Role, Status, Timestamp};
use unstuck_json::{JsonKind, JsonRef};

use super::{
    contract::{FormatSpec, Location, Reading, Root},
    logged,
};
use crate::{
    head::Head,
    look, outcome,
    seen::Seen,
    sink::{Problem, Sink, Tokens},
    time,
    track::{Moment, Track, Used},
    transcript::{Lines, Origin},
    values::lines_of,
};

pub(super) static OPENCODE: FormatSpec = FormatSpec {
    name: "opencode",
    title: "OpenCode",
    agent: "opencode",
    recognises,
    reading: Reading::Document(document),
    endings: &[".json", ".db"],
    files_named_alike: &[],
    directory: &["/directory"],
    locations: &[Location {
        root: Root::Data("opencode"),
        under: "opencode.db",
        title: None,
    }],
};

pub(super) static OPENCODE_RUN: FormatSpec = FormatSpec {
    name: "opencode-run",
    title: "OpenCode",
    agent: "opencode",
    recognises: |head| logged::is_plain(head, recognises_run),
    reading: Reading::Lines(|origin| Box::new(RunReader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

pub(super) static OPENCODE_RUN_LOG: FormatSpec = FormatSpec {
    name: "opencode-run-log",
    title: "OpenCode",
    agent: "opencode",
    recognises: |head| logged::recognises(head, recognises_run),
    reading: Reading::Lines(|origin| Box::new(logged::Reader::new(RunReader::new(origin)))),
    endings: &[".log"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// How errors of calls begin that a person or a rule refused.
const DENIED: [&str; 3] = [
    "The user rejected permission",
    "The user has specified a rule which prevents",
    "Permission denied by",
];

/// The sessions of a database, row by row. This crate opens nothing: the caller reads the tables and hands the rows over, for
/// each session its messages in the order of `time_created` and `id`, and behind each message its parts by `id`.
///
/// ```
/// use unstuck::Event;
/// use unstuck_transcript::{OpenCodeRows, Problem, Sink, Usage};
///
/// #[derive(Default)]
/// struct Count(usize);
///
/// impl Sink for Count {
///     fn event(&mut self, _: Event) {
///         self.0 += 1;
///     }
///     fn usage(&mut self, _: Usage) {}
///     fn problem(&mut self, _: Problem) {}
/// }
///
/// let mut rows = OpenCodeRows::new("ses_1", None);
/// let mut count = Count::default();
/// rows.message("msg_1", Some(1_000), r#"{"role":"user"}"#, &mut count);
/// rows.part(Some(1_000), r#"{"type":"text","text":"fix it"}"#, &mut count);
/// rows.end(&mut count);
/// assert_eq!(count.0, 1);
/// ```
#[derive(Debug)]
pub struct OpenCodeRows {
    teller: Teller,
    /// How many parts there were.
    parts: u64,
}

impl OpenCodeRows {
    /// Begins a session. One that was begun by another is an agent within that one: `root` is the session at the top of
    /// its parents.
    pub fn new(session: &str, root: Option<&str>) -> Self {
        Self {
            teller: Teller::new(session, root),
            parts: 0,
        }
    }

    /// A row of `message`: its `id`, `time_created` in milliseconds, and `data`.
    pub fn message(&mut self, id: &str, created: Option<i64>, data: &str, sink: &mut dyn Sink) {
        let at = created.map(Timestamp);
        match Json::lossy(data.as_bytes()) {
            Ok(data) => self.teller.message(id, at, 0, data.view(), sink),
            Err(error) => problem(&format!("message {id}: {error}"), sink),
        }
    }

    /// A row of `part`, of the message given last: `time_created` in milliseconds, and `data`.
    pub fn part(&mut self, created: Option<i64>, data: &str, sink: &mut dyn Sink) {
        self.parts += 1;
        let moment = Moment {
            line: 0,
            at: created.map(Timestamp),
        };
        match Json::lossy(data.as_bytes()) {
            Ok(data) => self.teller.part(moment, data.view(), sink),
            Err(error) => problem(&format!("part {}: {error}", self.parts), sink),
        }
    }

    /// The session has no more rows.
    pub fn end(&mut self, sink: &mut dyn Sink) {
        self.teller.end(sink);
    }
}

/// Reports a row that cannot be read. Rows of a database have no lines.
fn problem(message: &str, sink: &mut dyn Sink) {
    sink.problem(Problem {
        line: None,
        message: message.into(),
    });
}

/// Tells the parts of messages.
#[derive(Debug)]
struct Teller {
    track: Track,
    author: Author,
    model: Box<str>,
    /// What the message says that it used, for messages whose steps do not say it.
    message_used: Option<(Moment, Used)>,
    /// The results of the step. The model made all its calls before it saw one of them.
    results: Vec<(Moment, Outcome)>,
    /// What is known of calls that are written more than once.
    updates: Option<Updates>,
}

/// Calls of a stream that tells each of them when it is pending, when it runs, and when it has ended.
#[derive(Debug, Default)]
struct Updates {
    called: Seen,
    answered: Seen,
    /// Calls whose arguments are still to come.
    pending: Vec<(Box<str>, Moment, Call)>,
}

/// Pending calls beyond this are reported with the arguments they have.
const MOST_PENDING: usize = 256;

/// Who wrote the message whose parts come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Person,
    /// The same message once it was reported.
    PersonHeard,
    Model,
    /// The model, asked to summarise what it did.
    Summary,
}

impl Teller {
    fn new(session: &str, root: Option<&str>) -> Self {
        let track = match root.filter(|root| *root != session) {
            Some(root) => Track::new(root, session),
            None => Track::new(session, "main"),
        };
        Self {
            track,
            author: Author::Model,
            model: Box::default(),
            message_used: None,
            results: Vec::new(),
            updates: None,
        }
    }

    fn message(
        &mut self,
        id: &str,
        at: Option<Timestamp>,
        line: u64,
        info: JsonRef<'_>,
        sink: &mut dyn Sink,
    ) {
        self.finish(sink);
        if look::says(info, "role", "user") {
            self.author = Author::Person;
            return;
        }
        self.author = if look::is_true(info, "summary") {
            Author::Summary
        } else {
            Author::Model
        };
        if let Some(model) = look::text(info, "modelID") {
            self.model = model.into();
        }
        self.track.message(id, sink);
        let used = self.used(info);
        if used.tokens.total() > 0 {
            self.message_used = Some((Moment { line, at }, used));
        }
    }

    fn part(&mut self, moment: Moment, part: JsonRef<'_>, sink: &mut dyn Sink) {
        let is_harness = look::is_true(part, "synthetic") || look::is_true(part, "ignored");
        let kind = look::text(part, "type").unwrap_or_default();
        match (&*kind, self.author) {
            // Prompts of sub-agents come from the agent above.
            ("text", Author::Person) if !is_harness && &*self.track.agent == "main" => {
                let text = look::text(part, "text").unwrap_or_default();
                self.track.asked(moment, &text, sink);
                self.author = Author::PersonHeard;
            }
            ("text", Author::Model) if !is_harness => self.say(moment, Role::Assistant, part, sink),
            ("reasoning", Author::Model) => self.say(moment, Role::Thinking, part, sink),
            ("tool", _) => self.tool(moment, part, sink),
            ("step-start", _) => {
                self.answer(sink);
                self.track.close(sink);
            }
            ("step-finish", _) => {
                self.answer(sink);
                self.message_used = None;
                let used = self.used(part);
                self.track.pay(moment, used, sink);
            }
            ("compaction", _) => {
                self.answer(sink);
                self.track.compaction(moment, sink);
            }
            _ => {}
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.finish(sink);
        self.track.close(sink);
    }

    fn say(&mut self, moment: Moment, role: Role, part: JsonRef<'_>, sink: &mut dyn Sink) {
        let moment = Moment {
            at: look::at(part, &["time", "start"])
                .and_then(time::time)
                .or(moment.at),
            ..moment
        };
        let text = look::text(part, "text").unwrap_or_default();
        self.track.say(moment, role, &text, sink);
    }

    fn tool(&mut self, moment: Moment, part: JsonRef<'_>, sink: &mut dyn Sink) {
        let (Some(id), Some(state)) = (look::text(part, "callID"), part.get("state")) else {
            return;
        };
        let moment = |end: &str| Moment {
            at: look::at(state, &["time", end])
                .and_then(time::time)
                .or(moment.at),
            ..moment
        };
        let tool = look::text(part, "tool").unwrap_or_default();
        let input = state.get("input");
        // A call of a tool that is not there is recorded as one of `invalid`.
        let missing = input
            .filter(|_| tool == "invalid")
            .and_then(|input| look::text(input, "tool"));
        let args = input.map_or_else(Json::empty_object, Json::from);
        let name = missing.as_ref().unwrap_or(&tool);
        let call = Call::new(&*id, &**name, args);
        // Some providers count the calls of each message anew.
        let key = format!("{} {id}", look::text(part, "messageID").unwrap_or_default());
        if let Some(call) = self.is_new(&key, moment("start"), call, state) {
            self.track.call(moment("start"), call, sink);
        }
        if let Some(mut outcome) = result(&id, state) {
            let updates = self.updates.as_mut();
            if updates.is_some_and(|updates| !updates.answered.add(&key)) {
                return;
            }
            if missing.is_some() && outcome.status == Status::Ok {
                outcome.status = Status::Error;
            }
            self.results.push((moment("end"), outcome));
        }
    }

    /// The call, unless it was reported before or will be later.
    fn is_new(
        &mut self,
        key: &str,
        moment: Moment,
        call: Call,
        state: JsonRef<'_>,
    ) -> Option<Call> {
        let Some(updates) = &mut self.updates else {
            return Some(call);
        };
        let waiting = updates.pending.iter().position(|(one, ..)| **one == *key);
        let is_pending = look::says(state, "status", "pending");
        if is_pending && updates.pending.len() < MOST_PENDING {
            if waiting.is_none() && !updates.called.has(key) {
                updates.pending.push((key.into(), moment, call));
            }
            return None;
        }
        if let Some(waiting) = waiting {
            updates.pending.remove(waiting);
        }
        updates.called.add(key).then_some(call)
    }

    fn answer(&mut self, sink: &mut dyn Sink) {
        let updates = self.updates.iter_mut();
        let pending: Vec<_> = updates.flat_map(|one| one.pending.drain(..)).collect();
        // These never ran.
        for (key, moment, call) in pending {
            if self
                .updates
                .as_mut()
                .is_some_and(|one| one.called.add(&key))
            {
                self.track.call(moment, call, sink);
            }
        }
        self.results.sort_by_key(|(moment, _)| moment.at);
        for (moment, outcome) in self.results.drain(..) {
            self.track.result(moment, outcome, sink);
        }
    }

    /// The message is over. Steps report their usage; that of a message without steps is reported now.
    fn finish(&mut self, sink: &mut dyn Sink) {
        self.answer(sink);
        if let Some((moment, used)) = self.message_used.take() {
            self.track.pay(moment, used, sink);
        }
    }

    fn used(&self, step: JsonRef<'_>) -> Used {
        let tokens = step.get("tokens");
        let count = |path: &[&str]| {
            let value = tokens.and_then(|tokens| look::at(tokens, path));
            let count = value.and_then(JsonRef::number).unwrap_or(0.0);
            #[expect(clippy::cast_sign_loss, reason = "a negative number becomes zero")]
            let count = count as u64;
            count
        };
        Used {
            model: self.model.clone(),
            tokens: Tokens {
                input: count(&["input"]),
                output: count(&["output"]) + count(&["reasoning"]),
                cache_read: count(&["cache", "read"]),
                cache_write: count(&["cache", "write"]),
            },
            cost_micros: look::micros(step.get("cost").and_then(JsonRef::number)),
        }
    }
}

fn result(id: &str, state: JsonRef<'_>) -> Option<Outcome> {
    let (status, output) = match &*look::text(state, "status")? {
        "completed" => (Status::Ok, state.get("output")),
        "error" => {
            let error = look::text(state, "error").unwrap_or_default();
            let interrupted =
                look::at(state, &["metadata", "interrupted"]).and_then(JsonRef::boolean);
            let status = if DENIED.iter().any(|start| error.starts_with(start)) {
                Status::Denied
            } else if interrupted == Some(true) || error == "Tool execution aborted" {
                Status::Cancelled
            } else {
                Status::Error
            };
            (status, state.get("error"))
        }
        _ => return None,
    };
    let mut outcome = outcome::outcome(id, status, output.map(Json::from));
    outcome.exit_code = look::at(state, &["metadata", "exit"]).and_then(JsonRef::integer);
    Some(outcome)
}

/// Reads what `opencode export` writes.
fn document(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    let json = Json::lossy(bytes).map_err(|error| error.to_string())?;
    let export = json.view();
    let info = export.get("info").ok_or("the export has no session")?;
    let session = look::text(info, "id");
    let session = session.as_deref().unwrap_or(&origin.session);
    let mut teller = Teller::new(session, look::text(info, "parentID").as_deref());
    let messages = export.get("messages").ok_or("the export has no messages")?;
    for (message, line) in messages.elements().zip(lines_of("messages", bytes)) {
        let Some(info) = message.get("info") else {
            continue;
        };
        let at = look::at(info, &["time", "created"]).and_then(time::time);
        let id = look::text(info, "id").unwrap_or_default();
        teller.message(&id, at, line, info, sink);
        let parts = message.get("parts");
        for part in parts.into_iter().flat_map(JsonRef::elements) {
            teller.part(Moment { line, at }, part, sink);
        }
    }
    teller.end(sink);
    Ok(())
}

/// Reads what `opencode run --format json` prints.
pub(crate) struct RunReader {
    teller: Teller,
}

impl RunReader {
    pub(crate) fn new(origin: &Origin) -> Self {
        let mut teller = Teller::new(&origin.session, None);
        teller.updates = Some(Updates::default());
        Self { teller }
    }
}

impl Lines for RunReader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let line = Json::lossy(line).map_err(|error| error.to_string())?;
        let line = line.view();
        if line.kind() != JsonKind::Object {
            return Err("expected an object".into());
        }
        // The events of its server have the part in their properties, and texts while they grow.
        let served = look::at(line, &["properties", "part"]).filter(|part| {
            let kind = look::text(*part, "type").unwrap_or_default();
            matches!(&*kind, "tool" | "step-start" | "step-finish")
        });
        let session = look::text(line, "sessionID")
            .or_else(|| served.and_then(|part| look::text(part, "sessionID")));
        if let Some(session) = session {
            self.teller.track.session = session.into();
        }
        let part = line.get("part").or(served);
        if let Some(part) = part {
            let moment = Moment {
                line: number,
                at: line.get("timestamp").and_then(time::time),
            };
            self.teller.part(moment, part, sink);
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.teller.end(sink);
    }
}

/// Is it an export?
fn recognises(head: &Head<'_>) -> bool {
    head.first.has_all(&["info.id", "info.time", "messages"])
        || (head.first.has("info.projectID") && head.first.has("info.id"))
}

/// Does one of the first lines look like one of a run?
fn recognises_run(head: &Head<'_>) -> bool {
    head.any_line(|line| {
        line.has_all(&["type", "sessionID", "part.type", "part.messageID"])
            || line.says("type", &["message.part.updated"])
                && line.has_all(&["properties.part.type", "properties.part"])
    })
}

#[cfg(test)]
#[path = "opencode_tests.rs"]
mod tests;
