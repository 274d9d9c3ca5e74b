//! The guard: judges what passes between one client and one server.
//!
//! It does no I/O and reads no clock. Messages come in with the time, and it says what becomes of them; what is to be
//! recorded gathers in a [`Journal`], which must be written before the effects that it lists are carried out.

mod answer;
mod call;
mod control;
mod denials;
mod engines;
mod finish;
mod held;
mod hints;
mod mirrored;
mod origin;
mod outcome;
mod pending;
mod record;
mod refusals;
mod rounds;
mod timeline;
mod tools;
mod unasked;

use unstuck::{
    Json, Settings, Status, Verdict,
    fingerprint::{Fingerprint, Fingerprinter},
};
use unstuck_audit::Journal;
use unstuck_json::JsonRef;

use crate::{
    codec::{
        Body, Id, Message, Notification, Params, Refusal, RefusalKind, Response, Role, normal,
    },
    policy::Policy,
    redact::Redactor,
};

pub use denials::Denials;
pub use held::Held;
pub use hints::{Names, claimed_client};
pub use origin::{Caller, Lost, Origin};
pub use timeline::Timeline;

pub use answer::refusal_for_fault;

use denials::Floods;
use held::HeldList;
use origin::Current;
use pending::{Pending, Waiting};
use record::{By, Ending, Who};
use refusals::{Refusals, Sender};
use rounds::Rounds;
use tools::{Learned, Tools};

/// The method that everything is about.
const CALL: &str = "tools/call";

/// Results and words that are remembered.
const MOST_REMEMBERED: usize = 1_024;

/// Microseconds on the caller's clock; only differences matter to the rules, and the audit takes it for the time since
/// 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub i64);

impl Micros {
    /// The same time in milliseconds.
    pub fn milliseconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }
}

/// How a guard works.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GuardOptions {
    /// The name that tells this server's tools from those of others.
    pub server: Box<str>,
    /// The rules.
    pub settings: Settings,
    /// What is not recorded.
    pub redactor: Redactor,
    /// What becomes of results that are the same as before.
    pub unchanged: Unchanged,
    /// What becomes of many equal denials.
    pub denials: Denials,
    /// Whether calls are counted by the names that clients give.
    pub names: Names,
    /// Key of the engines' session indexes; see [`unstuck::Engine::with_index_key`]. All zeros by default.
    pub index_key: [u8; 16],
}

/// What becomes of a read-only tool's result that is the same as before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unchanged {
    /// It is passed on.
    #[default]
    PassOn,
    /// A short text says so in its place.
    SayShort,
}

impl GuardOptions {
    /// The usual way.
    pub fn new(server: impl Into<Box<str>>, settings: Settings) -> Self {
        Self {
            server: server.into(),
            settings,
            redactor: Redactor::default(),
            unchanged: Unchanged::default(),
            denials: Denials::default(),
            names: Names::default(),
            index_key: [0; 16],
        }
    }
}

/// What becomes of a client's message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToServer {
    /// It goes to the server as it is.
    Forward,
    /// It goes to the server as it is, once the journal is written. If that fails, see [`Guard::unaudited`].
    ForwardCall(Ticket),
    /// This goes to the server in its place.
    Replace(Vec<u8>),
    /// This goes back to the client.
    Answer(Vec<u8>),
    /// It is passed to neither side.
    Drop,
}

/// What becomes of a server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToClient {
    /// It goes to the client as it is.
    Forward,
    /// This goes to the client in its place.
    Replace(Vec<u8>),
    /// This goes back to the server.
    Answer(Vec<u8>),
    /// It is passed to neither side.
    Drop,
}

/// A call that is about to be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// Judges what passes between one client and one server.
///
/// ```
/// use unstuck::{Preset, Settings};
/// use unstuck_mcp::{Codec, Guard, GuardOptions, Micros, ToServer};
///
/// let mut guard = Guard::new(GuardOptions::new("files", Settings::of(Preset::Ironcurtain)));
/// let mut codec = Codec::default();
/// let mut said = (0..21).map(|id| {
///     let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read"}}}}"#);
///     guard.from_client(codec.read(call.as_bytes()), call.len(), Micros(0))
/// });
/// assert!(said.by_ref().take(20).all(|said| matches!(said, ToServer::ForwardCall(_))));
/// assert!(matches!(said.next(), Some(ToServer::Answer(_))));
/// ```
#[derive(Debug)]
pub struct Guard {
    options: GuardOptions,
    timeline: Timeline,
    fingerprinter: Fingerprinter,
    policy: Option<Policy>,
    journal: Journal,
    waiting: Waiting,
    tools: Tools,
    rounds: Rounds,
    floods: Floods,
    refusals: Refusals,
    /// Caller of the messages that are being worked on.
    caller: Current,
    /// Who called last.
    who: Who,
    held: HeldList,
    /// Calls so far.
    calls: u64,
    /// Texts that could not be added to the result they belong to, by caller.
    owed: Vec<(Box<str>, Box<str>, String)>,
    /// Last results of read-only tools.
    results: Vec<Remembered>,
}

/// The last result of a read-only tool, as one caller got it.
#[derive(Clone, Debug)]
struct Remembered {
    session: Box<str>,
    agent: Box<str>,
    call: Fingerprint,
    result: Fingerprint,
    number: u64,
}

impl Guard {
    /// A guard that has seen nothing.
    pub fn new(options: GuardOptions) -> Self {
        let timeline = Timeline::new(&options);
        Self::with_timeline(options, timeline)
    }

    /// A guard that has seen nothing, and counts calls in a timeline that other guards may use too. The timeline's rules
    /// apply, not those of the options.
    pub fn with_timeline(options: GuardOptions, timeline: Timeline) -> Self {
        Self {
            timeline,
            fingerprinter: Fingerprinter::new(options.settings.secret.as_bytes()),
            floods: Floods::new(options.denials),
            refusals: Refusals::default(),
            options,
            policy: None,
            journal: Journal::default(),
            waiting: Waiting::default(),
            tools: Tools::default(),
            rounds: Rounds::default(),
            caller: Current::Connection,
            who: Who::default(),
            held: HeldList::default(),
            calls: 0,
            owed: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Judges by these policies from now on.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = Some(policy);
    }

    /// Takes a client's message of so many bytes, or what is wrong with it.
    pub fn from_client(
        &mut self,
        message: Result<Message<'_>, Refusal>,
        bytes: usize,
        at: Micros,
    ) -> ToServer {
        self.pass(at);
        match message {
            Ok(Message::Request(request)) if request.method == CALL => {
                self.call(request, bytes, at)
            }
            Ok(Message::Request(request)) if request.method.eq_ignore_ascii_case(CALL) => {
                let refusal = Refusal::of(request.id.raw, RefusalKind::CaseVariant(CALL));
                self.refuse(&refusal, bytes, at)
            }
            Ok(Message::Request(request)) if self.waiting.has(&request.id) => {
                let refusal = Refusal::of(request.id.raw, RefusalKind::IdInUse);
                self.refuse(&refusal, bytes, at)
            }
            Ok(Message::Request(request)) => {
                self.give_up_old_requests(at);
                let pending = match &*request.method {
                    "tools/list" => Pending::List,
                    _ => Pending::Other,
                };
                self.waiting.add(&request.id, pending);
                ToServer::Forward
            }
            Ok(Message::Notification(note)) => self.notification(&note, bytes, at),
            Ok(Message::Response(_)) => ToServer::Forward,
            Err(refusal) => self.refuse(&refusal, bytes, at),
        }
    }

    /// Takes a server's message, or what is wrong with it. `line` is the message itself.
    pub fn from_server(
        &mut self,
        message: Result<Message<'_>, Refusal>,
        line: &[u8],
        at: Micros,
    ) -> ToClient {
        self.pass(at);
        let response = match message {
            Ok(Message::Response(response)) => response,
            // Requests of servers have ids of their own, which mean nothing here.
            Ok(Message::Request(_) | Message::Notification(_)) => return ToClient::Forward,
            Err(refusal) => return self.unreadable(&refusal, line.len(), at),
        };
        let Response { id, body } = response;
        let Some(id) = id else {
            // The server could not read a request, and so not its id. Clients take this for the answer to none.
            return match body {
                Body::Error(_) => ToClient::Forward,
                Body::Text(_) | Body::Result(_) => self.unasked(line.len(), at),
            };
        };
        match self.waiting.take(&id.key).map(|entry| entry.pending) {
            None => self.unasked(line.len(), at),
            // The answer and the client's notice have crossed.
            Some(Pending::Cancelled) => ToClient::Drop,
            Some(Pending::Other) => ToClient::Forward,
            Some(Pending::List) => {
                if let Body::Result(result) = &body {
                    self.learn(result);
                }
                ToClient::Forward
            }
            Some(Pending::Call(calling)) => self.finish(*calling, body, line, at),
        }
    }

    /// Writes what has been counted long enough.
    fn pass(&mut self, at: Micros) {
        self.floods.pass(at, &mut self.journal);
    }

    /// The journal could not be written, so the call must not be passed on. The answer goes to the client.
    pub fn unaudited(&mut self, ticket: Ticket, at: Micros) -> ToServer {
        let Some((id, mut calling)) = self.waiting.revoke(ticket.0) else {
            return ToServer::Drop;
        };
        let reason = answer::unaudited();
        self.observe_end(&mut calling, Status::Denied, None, at);
        calling.judged.verdict = Verdict::Deny;
        calling.judged.by = By::Audit;
        calling.judged.reason = Some(reason.as_str().into());
        self.end_line(&calling, Ending::Denied, None, at);
        ToServer::Answer(answer::denial(&id, &reason, calling.era))
    }

    /// The connection has ended: what still waits was never answered.
    pub fn close(&mut self, at: Micros) {
        for calling in self.waiting.drain() {
            self.end_line(&calling, Ending::Unanswered, None, at);
        }
        self.floods.end(&mut self.journal);
        self.refusals.end(at, &mut self.journal);
    }

    /// Records what was counted long enough. To be called now and then, also when no messages come.
    pub fn tick(&mut self, at: Micros) {
        self.floods.pass(at, &mut self.journal);
        self.refusals.pass(at, &mut self.journal);
    }

    /// Whether refused messages are only counted, and recorded when the connection ends.
    pub fn only_count_refusals(&mut self, only_count: bool) {
        self.refusals.only_count(only_count);
    }

    /// What is to be written.
    pub fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// The arguments of a call that have to be repeated in headers: each header's name behind `Mcp-Param-`, and what
    /// the call gives. What a tool asks for is known once a list of tools has passed.
    pub fn mirrored<'a>(
        &'a self,
        params: &'a Params<'_>,
    ) -> impl Iterator<Item = (&'a str, Option<JsonRef<'a>>)> {
        let mirrored = self
            .tools
            .mirrored(params.name.as_deref().unwrap_or_default());
        let arguments = params.arguments.as_ref();
        mirrored
            .iter()
            .map(move |mirrored| (&*mirrored.header, mirrored.argument(arguments)))
    }

    /// Lets the answer to a request pass that was passed on without being judged, because the guard failed at it.
    pub fn expect_unjudged(&mut self, id: &Id<'_>) {
        if !self.waiting.has(id) {
            self.waiting.add(id, Pending::Other);
        }
    }

    /// How many calls wait for their results.
    pub fn waiting(&self) -> usize {
        self.waiting.calls()
    }

    fn refuse(&mut self, refusal: &Refusal, bytes: usize, at: Micros) -> ToServer {
        self.refusals
            .add(Sender::Client, refusal, bytes, at, &mut self.journal);
        match (&refusal.kind, refusal.role) {
            (RefusalKind::CallWithoutId, _) => ToServer::Drop,
            // The server waits for this answer, and now gets another.
            (_, Role::Response) if refusal.id.is_some() => ToServer::Replace(refusal.answer()),
            _ => ToServer::Answer(refusal.answer()),
        }
    }

    fn unreadable(&mut self, refusal: &Refusal, bytes: usize, at: Micros) -> ToClient {
        self.refusals
            .add(Sender::Server, refusal, bytes, at, &mut self.journal);
        if refusal.kind == RefusalKind::Unasked {
            return ToClient::Drop;
        }
        let id = refusal.id.as_deref();
        let waited = match (refusal.role, id) {
            (Role::Response | Role::Unknown, Some(id)) => {
                let key = Id::of(id).ok().map(|id| id.key);
                key.and_then(|key| {
                    let entry = self.waiting.take(&key)?;
                    Some((entry.spelling(&key), entry.pending))
                })
            }
            // An answer without a readable id. Where one request waits, it is the answer to that one.
            (Role::Response, None) => self.waiting.take_only(),
            // The server waits for an answer of the client's, and now gets this one.
            (Role::Request, Some(_)) => return ToClient::Answer(refusal.answer()),
            // Of these, as likely as not, nothing is an answer: some servers print what they are doing.
            (Role::Request | Role::Unknown, None) => None,
        };
        let (id, pending) = match waited {
            None | Some((_, Pending::Cancelled)) => return ToClient::Drop,
            Some(waited) => waited,
        };
        if let Pending::Call(mut calling) = pending {
            let output = Json::string("the server's answer could not be read");
            self.observe_end(&mut calling, Status::Error, Some((output, None)), at);
            self.end_line(&calling, Ending::Failed, None, at);
        }
        ToClient::Replace(refusal.server_fault(&id))
    }

    fn notification(&mut self, note: &Notification<'_>, bytes: usize, at: Micros) -> ToServer {
        if note.method.eq_ignore_ascii_case(CALL) {
            // It would run, and its result could not be matched to it.
            return self.refuse(&Refusal::new(RefusalKind::CallWithoutId), bytes, at);
        }
        if note.method == "notifications/cancelled"
            && let Some(id) = &note.params.request_id
            // Some clients call off what was answered long ago.
            && let Some(Pending::Call(mut calling)) = self.waiting.cancel(&normal(id.clone()))
        {
            self.observe_end(&mut calling, Status::Cancelled, None, at);
            self.end_line(&calling, Ending::Cancelled, None, at);
        }
        ToServer::Forward
    }

    /// Takes in what a server says about its tools. Where that changes ladders, the rules continue with the new ones.
    fn learn(&mut self, result: &Json) {
        if self.tools.learn(result) == Learned::Nothing {
            return;
        }
        let server = &*self.options.server;
        let ladders = self.tools.ladders(server, &self.options.settings);
        // Where a state cannot be carried over, better the old ladders than a state that is lost.
        self.timeline.set_ladders(server, ladders);
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
