//! The guard: judges what passes between one client and one server.
//!
//! It does no I/O and reads no clock. Messages come in with the time, and it says what becomes of them; what is to be
//! recorded gathers in a [`Journal`], which must be written before what it tells of is done.

mod answer;
mod denials;
mod hints;
mod origin;
mod outcome;
mod pending;
mod record;
mod rounds;
mod tools;

use std::fmt::Write as _;

use unstuck::{
    Call, Domain, Engine, EventKind, Fingerprint, Fingerprinter, Json, Outcome, Settings, Status,
    Verdict,
};

use crate::{
    audit::Journal,
    codec::{Body, Message, Notification, Refusal, RefusalKind, Request, Response, Role, Shape},
    policy::{Asked, Policy, Ruling},
    redact::{Redactor, redact},
    splice::{self, Structured},
};

pub use denials::Denials;
pub use origin::{Lost, Origin};

use denials::Floods;
use hints::{Era, Hints};
use outcome::Read;
use pending::{Calling, Pending, Waiting};
use record::{About, By, Ending, Judged};
use rounds::{Round, Rounds};
use tools::{Learned, Output, Tools, full_name};

/// The method that everything is about.
const CALL: &str = "tools/call";

/// Calls that may wait for their results at once.
const MOST_WAITING: usize = 16_384;

/// Results and words that are remembered.
const MOST_REMEMBERED: usize = 1_024;

/// Microseconds on the caller's clock; only differences matter to the rules, and the audit takes it for the time since
/// 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub i64);

impl Micros {
    fn milliseconds(self) -> i64 {
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
    /// Nobody hears of it.
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
    /// Nobody hears of it.
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
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"a"}}}"#;
/// let mut said = (0..21).map(|_| guard.from_client(codec.read(call), call.len(), Micros(0)));
/// assert!(said.by_ref().take(20).all(|said| matches!(said, ToServer::ForwardCall(_))));
/// assert!(matches!(said.next(), Some(ToServer::Answer(_))));
/// ```
#[derive(Debug)]
pub struct Guard {
    options: GuardOptions,
    engine: Engine,
    fingerprinter: Fingerprinter,
    policy: Option<Policy>,
    journal: Journal,
    waiting: Waiting,
    tools: Tools,
    rounds: Rounds,
    floods: Floods,
    /// The session of calls whose client names none, while messages of one origin are worked on.
    session: Option<Box<str>>,
    /// Calls so far.
    calls: u64,
    /// Words that could not be said with the result they belong to, and for whom.
    owed: Vec<(Box<str>, Box<str>, String)>,
    /// Last results of read-only tools: the call, its result, its number.
    results: Vec<(Fingerprint, Fingerprint, u64)>,
}

impl Guard {
    /// A guard that has seen nothing.
    pub fn new(options: GuardOptions) -> Self {
        Self {
            engine: Engine::new(options.settings.clone()),
            fingerprinter: Fingerprinter::new(options.settings.secret.as_bytes()),
            floods: Floods::new(options.denials),
            options,
            policy: None,
            journal: Journal::default(),
            waiting: Waiting::default(),
            tools: Tools::default(),
            rounds: Rounds::default(),
            session: None,
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
        self.floods.pass(at, &mut self.journal);
        match message {
            Ok(Message::Request(request)) if request.method == CALL => self.call(request, at),
            Ok(Message::Request(request)) if request.method.eq_ignore_ascii_case(CALL) => {
                let refusal = Refusal::of(request.id.raw, RefusalKind::CaseVariant(CALL));
                self.refuse(&refusal, bytes, at)
            }
            Ok(Message::Request(request)) => {
                if request.method == "tools/list" {
                    self.waiting.add_list(&request.id);
                }
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
        self.floods.pass(at, &mut self.journal);
        let response = match message {
            Ok(Message::Response(response)) => response,
            // Requests of servers have ids of their own, which mean nothing here.
            Ok(Message::Request(_) | Message::Notification(_)) => return ToClient::Forward,
            Err(refusal) => return self.unreadable(&refusal, at),
        };
        let Response { id: Some(id), body } = response else {
            return ToClient::Forward;
        };
        match self.waiting.take(&id.key) {
            // A second answer, or one to a call that was called off.
            None => ToClient::Forward,
            Some(Pending::List) => {
                if let Body::Result(result) = &body {
                    self.learn(result);
                }
                ToClient::Forward
            }
            Some(Pending::Call(calling)) => self.finish(*calling, &body, line, at),
        }
    }

    /// The journal could not be written, so the call must not be passed on. The answer goes to the client.
    pub fn unaudited(&mut self, ticket: Ticket, at: Micros) -> ToServer {
        let Some((id, mut calling)) = self.waiting.revoke(ticket.0) else {
            return ToServer::Drop;
        };
        let reason = answer::unaudited();
        self.observe_end(&calling, Status::Denied, None, at);
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
    }

    /// What is to be written.
    pub fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// How many calls wait for their results.
    pub fn waiting(&self) -> usize {
        self.waiting.calls()
    }

    fn refuse(&mut self, refusal: &Refusal, bytes: usize, at: Micros) -> ToServer {
        self.journal.push(|out| {
            let said = Json::string(&refusal.to_string());
            let _ = write!(out,
                "\"at\":{},\"event\":\"refused\",\"from\":\"client\",\"bytes\":{bytes},\"reason\":{said}",
                at.milliseconds()
            );
        });
        match (&refusal.kind, refusal.role) {
            (RefusalKind::CallWithoutId, _) => ToServer::Drop,
            // The server waits for this answer, and now gets another.
            (_, Role::Response) => ToServer::Replace(refusal.answer()),
            (_, Role::Request | Role::Unknown) => ToServer::Answer(refusal.answer()),
        }
    }

    fn unreadable(&mut self, refusal: &Refusal, at: Micros) -> ToClient {
        let said = Json::string(&refusal.to_string());
        self.journal.push(|out| {
            let _ = write!(
                out,
                "\"at\":{},\"event\":\"refused\",\"from\":\"server\",\"reason\":{said}",
                at.milliseconds()
            );
        });
        // The id of a request would be the server's own.
        let id = refusal.id.as_deref();
        let id = id.filter(|_| refusal.role != Role::Request);
        let key = id.and_then(|id| Json::lossy(id.as_bytes()).ok());
        let Some(pending) = key.and_then(|key| self.waiting.take(&key)) else {
            return ToClient::Drop;
        };
        if let Pending::Call(calling) = pending {
            let output = Json::string("the server's answer could not be read");
            self.observe_end(&calling, Status::Error, Some(output), at);
            self.end_line(&calling, Ending::Failed, None, at);
        }
        ToClient::Replace(refusal.server_fault())
    }

    fn notification(&mut self, note: &Notification<'_>, bytes: usize, at: Micros) -> ToServer {
        if note.method.eq_ignore_ascii_case(CALL) {
            // It would run, and nobody would ever hear how it went.
            return self.refuse(&Refusal::new(RefusalKind::CallWithoutId), bytes, at);
        }
        if note.method == "notifications/cancelled"
            && let Some(id) = &note.params.request_id
            // Some clients call off what was answered long ago.
            && let Some(Pending::Call(calling)) = self.waiting.take(id)
        {
            self.observe_end(&calling, Status::Cancelled, None, at);
            self.end_line(&calling, Ending::Cancelled, None, at);
        }
        ToServer::Forward
    }

    fn call(&mut self, request: Request<'_>, at: Micros) -> ToServer {
        let Request { id, params, .. } = request;
        let (Shape::Object, Some(tool)) = (params.shape, params.name) else {
            let refusal = Refusal::of(id.raw, RefusalKind::CallWithoutName);
            return self.refuse(&refusal, 0, at);
        };
        self.calls += 1;
        let Hints {
            session,
            agent,
            era,
        } = Hints::of(params.meta.as_ref()).or_session(self.session.as_deref());
        let full_name = full_name(&self.options.server, &tool);
        let arguments = params.arguments.unwrap_or_else(Json::empty_object);
        let fingerprint = self.fingerprinter.action(&full_name, &arguments);
        let about = About {
            call: self.calls,
            session: &session,
            agent: &agent,
            server: &self.options.server,
            tool: &tool,
            full_name: &full_name,
            id: id.raw,
            arguments: &arguments,
            fingerprint,
        };
        let mut calling = Calling {
            about: about.write(&self.options.redactor),
            number: self.calls,
            event_id: self.calls.to_string().into(),
            judged: Judged::default(),
            began: at,
            fingerprint,
            era,
            round: 0,
            nudge: None,
            tool: tool.as_ref().into(),
            session,
            agent,
        };
        if let Some(policy) = &self.policy {
            let ruling = policy.judge(&Asked {
                server: &self.options.server,
                tool: &tool,
                arguments: &arguments,
                session: &calling.session,
                agent: &calling.agent,
                at: at.milliseconds(),
            });
            let reason = match &ruling {
                Ruling::Permit => None,
                Ruling::Forbid { policies } => Some(answer::forbidden(&tool, policies)),
            };
            calling.judged.ruling = Some(ruling);
            if let Some(reason) = reason {
                calling.judged.verdict = Verdict::Deny;
                calling.judged.by = By::Policy;
                return self.deny(calling, id.raw, &reason, at);
            }
        }
        if self.waiting.calls() >= MOST_WAITING {
            calling.judged.verdict = Verdict::Deny;
            calling.judged.by = By::Limit;
            let reason = answer::too_many(MOST_WAITING);
            return self.deny(calling, id.raw, &reason, at);
        }
        let state = params.request_state.as_ref().map(Json::as_str);
        let continues = state.is_some() || params.input_responses.is_some();
        let round = if continues {
            self.rounds.take(&calling.round_key(), state)
        } else {
            None
        };
        let known = self.tools.get(&tool);
        let mut call = Call::new(calling.event_id.clone(), full_name, arguments);
        call.read_only = known.read_only;
        call.idempotent = known.idempotent;
        let mut decision = if let Some(round) = round {
            // The rules know this call already, and wait for its result.
            calling.round = round.count;
            calling.event_id = round.event_id;
            self.engine.check(&calling.session, &calling.agent, &call)
        } else {
            let event = calling.event(EventKind::Call(call), at);
            self.engine.observe(event)
        };
        if calling.round > 0 && decision.verdict < Verdict::Halt {
            decision.verdict = Verdict::Allow;
            decision.would = None;
            decision.reason = None;
        }
        calling.judged.add(&decision);
        let message = decision.message().unwrap_or_default();
        match decision.verdict {
            Verdict::Halt => {
                let reason = answer::halted(&redact(message));
                self.deny(calling, id.raw, &reason, at)
            }
            Verdict::Deny => {
                let reason = redact(message).into_owned();
                self.deny(calling, id.raw, &reason, at)
            }
            verdict => {
                if verdict == Verdict::Nudge {
                    calling.nudge = Some(redact(message).into_owned());
                }
                self.journal.push(|out| {
                    let _ = write!(out, "\"at\":{},\"event\":\"forward\",", at.milliseconds());
                    out.push_str(&calling.about);
                });
                let ticket = Ticket(calling.number);
                self.waiting.add_call(&id, calling);
                ToServer::ForwardCall(ticket)
            }
        }
    }

    fn deny(&mut self, mut calling: Calling, id: &str, reason: &str, at: Micros) -> ToServer {
        // The model may be told again what it was told before, but could not be shown.
        let owed = self.take_owed(&calling);
        let said = match &owed {
            Some(owed) => format!("{reason}\n{owed}"),
            None => reason.to_owned(),
        };
        calling.judged.reason = Some(reason.into());
        if !self.floods.count(&calling, at, &mut self.journal) {
            self.end_line(&calling, Ending::Denied, None, at);
        }
        ToServer::Answer(answer::denial(id, &said, calling.era))
    }

    fn finish(&mut self, mut calling: Calling, body: &Body, line: &[u8], at: Micros) -> ToClient {
        let read = Read::of(body);
        match read.ending {
            Ending::InputRequired => {
                self.rounds.open(Round {
                    call: calling.round_key(),
                    state: read.state.clone(),
                    event_id: calling.event_id.clone(),
                    count: calling.round + 1,
                });
                self.end_line(&calling, read.ending, Some(&read), at);
                return ToClient::Forward;
            }
            Ending::Pending => {
                self.observe_end(&calling, Status::Pending, None, at);
                self.end_line(&calling, read.ending, Some(&read), at);
                return ToClient::Forward;
            }
            _ => {}
        }
        let status = match read.ending {
            Ending::Ok => Status::Ok,
            _ => Status::Error,
        };
        let mark = self
            .fingerprinter
            .canonical(Domain::Outcome, read.output.as_str().as_bytes());
        let size = read.output.as_str().len();
        let mut read = read;
        read.recorded = Some((size, mark));
        let output = std::mem::take(&mut read.output);
        let decision = self.observe_end(&calling, status, Some(output), at);
        calling.judged.add(&decision);
        let said = match decision.verdict {
            Verdict::Allow => None,
            Verdict::Halt => decision.message().map(|text| answer::halted(&redact(text))),
            _ => decision.message().map(|text| redact(text).into_owned()),
        };
        self.end_line(&calling, read.ending, Some(&read), at);
        let short = self.say_short(&calling, &read, mark, line);
        let words = [calling.nudge.take(), said, self.take_owed(&calling)];
        let words: Vec<_> = words.into_iter().flatten().collect();
        if words.is_empty() {
            return short.map_or(ToClient::Forward, ToClient::Replace);
        }
        self.say(&calling, &read, short, line, &words.join("\n"))
    }

    /// Puts words where the model will see them.
    fn say(
        &mut self,
        calling: &Calling,
        read: &Read,
        short: Option<Vec<u8>>,
        line: &[u8],
        words: &str,
    ) -> ToClient {
        let output = self.tools.get(&calling.tool).output;
        let (structured, seen) = match (read.structured, output) {
            (outcome::Structured::Present, Output::Promised) => (Structured::Keep, Seen::Perhaps),
            (outcome::Structured::Present, Output::Free) => (Structured::AsText, Seen::Surely),
            (outcome::Structured::Absent, _) => (Structured::Keep, Seen::Surely),
        };
        let base = short.as_deref().unwrap_or(line);
        let replaced = splice::add_text(base, words, structured);
        if seen == Seen::Perhaps || replaced.is_none() {
            // Some clients show nothing but what was promised, so it is said again as soon as it can be seen.
            if self.owed.len() >= MOST_REMEMBERED {
                self.owed.remove(0);
            }
            self.owed.push((
                calling.session.clone(),
                calling.agent.clone(),
                words.to_owned(),
            ));
        }
        match replaced.or(short) {
            Some(message) => ToClient::Replace(message),
            None => ToClient::Forward,
        }
    }

    fn say_short(
        &mut self,
        calling: &Calling,
        read: &Read,
        mark: Fingerprint,
        line: &[u8],
    ) -> Option<Vec<u8>> {
        let tool = self.tools.get(&calling.tool);
        let may = self.options.unchanged == Unchanged::SayShort
            && tool.read_only == Some(true)
            && read.structured == outcome::Structured::Absent
            && read.ending == Ending::Ok;
        if !may {
            return None;
        }
        let same = |entry: &&(Fingerprint, Fingerprint, u64)| entry.0 == calling.fingerprint;
        let before = self.results.iter().find(same).copied();
        if let Some((_, result, number)) = before
            && result == mark
        {
            let short = splice::replace_text(line, &answer::unchanged(number))?;
            return (short.len() < line.len()).then_some(short);
        }
        self.results.retain(|entry| !same(&entry));
        if self.results.len() >= MOST_REMEMBERED {
            self.results.remove(0);
        }
        self.results
            .push((calling.fingerprint, mark, calling.number));
        None
    }

    fn take_owed(&mut self, calling: &Calling) -> Option<String> {
        let mine = |(session, agent, _): &(Box<str>, Box<str>, String)| {
            *session == calling.session && *agent == calling.agent
        };
        let found = self.owed.iter().position(mine)?;
        Some(self.owed.remove(found).2)
    }

    fn observe_end(
        &mut self,
        calling: &Calling,
        status: Status,
        output: Option<Json>,
        at: Micros,
    ) -> unstuck::Decision {
        let mut outcome = Outcome::ok(calling.event_id.clone(), Json::null());
        outcome.status = status;
        outcome.output = output;
        self.engine
            .observe(calling.event(EventKind::Result(outcome), at))
    }

    fn end_line(&mut self, calling: &Calling, ending: Ending, read: Option<&Read>, at: Micros) {
        self.journal.push(|out| {
            let _ = write!(out, "\"at\":{},\"event\":\"call\",", at.milliseconds());
            out.push_str(&calling.about);
            calling.judged.write(out);
            let _ = write!(
                out,
                ",\"outcome\":\"{}\",\"duration_us\":{}",
                ending.as_str(),
                at.0.saturating_sub(calling.began.0).max(0)
            );
            if let Some((bytes, mark)) = read.and_then(|read| read.recorded) {
                let _ = write!(
                    out,
                    ",\"result\":{{\"bytes\":{bytes},\"fingerprint\":\"{mark}\"}}"
                );
            }
        });
    }

    /// Takes in what a server says about its tools. Where that changes ladders, the engine goes on with the new ones.
    fn learn(&mut self, result: &Json) {
        if self.tools.learn(result) == Learned::Nothing {
            return;
        }
        let settings = self
            .tools
            .settings(&self.options.server, &self.options.settings);
        let mut engine = Engine::new(settings);
        let agents: Vec<(String, String)> = self
            .engine
            .agents()
            .map(|(session, agent)| (session.to_owned(), agent.to_owned()))
            .collect();
        for (session, agent) in agents {
            if let Some(state) = self.engine.snapshot(&session, &agent)
                && engine.restore(&session, &agent, &state).is_err()
            {
                // It was written a moment ago by this very program. Better the old ladders than a state that is lost.
                return;
            }
        }
        self.engine = engine;
    }
}

/// Whether a model sees what is added to a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Surely,
    Perhaps,
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
