//! The addon of the npm package: texts of JavaScript to the crate `unstuck-js`, and scans on a thread of their own.
//!
//! The classes that people use are in `bindings/js/ts`; these here are behind them.

#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "methods take what Node.js passes: texts of their own, and no objects, which would take longer to read"
)]

mod scan;

use napi::bindgen_prelude::{Buffer, Either};
use napi_derive::napi;
use unstuck_js::{Answer, Args, Event, Options, Output, id_of_line};

/// Errors keep their kind in front of the message; TypeScript takes it off again.
fn thrown(error: &unstuck_js::Error) -> napi::Error {
    napi::Error::from_reason(error.to_text())
}

/// A line number where there is nothing but `allow`, the text of the decision otherwise.
type Decided = Either<f64, String>;

fn decided(answer: Result<Answer, unstuck_js::Error>) -> napi::Result<Decided> {
    match answer {
        #[expect(clippy::cast_precision_loss, reason = "no process has 2^53 events")]
        Ok(Answer::Allowed(line)) => Ok(Either::A(line as f64)),
        Ok(Answer::Decided(text)) => Ok(Either::B(text)),
        Err(error) => Err(thrown(&error)),
    }
}

/// Names of all rules.
#[napi]
pub fn rule_names() -> Vec<&'static str> {
    unstuck_js::rule_names()
}

/// What similar calls are compared by.
#[napi]
pub fn fingerprint(tool: String, args: String) -> napi::Result<String> {
    unstuck_js::fingerprint(&tool, &args).map_err(|error| thrown(&error))
}

/// A transcript as events: an object with `format`, `events` and `problems`, as JSON.
#[napi]
pub fn read_transcript(session: String, bytes: Buffer) -> napi::Result<String> {
    unstuck_js::read_transcript(&session, &bytes).map_err(|error| thrown(&error))
}

/// An engine.
#[napi]
pub struct NativeGuard {
    guard: unstuck_js::Guard,
}

#[napi]
impl NativeGuard {
    /// Creates a guard from the text of its options.
    #[napi(constructor)]
    pub fn new(options: String) -> napi::Result<Self> {
        let guard = Options::read(&options).and_then(unstuck_js::Guard::new);
        match guard {
            Ok(guard) => Ok(Self { guard }),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Counts a call.
    #[napi]
    pub fn before_call(
        &mut self,
        tool: String,
        args: Option<String>,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
        id: Option<String>,
        stated: Option<String>,
        texts: Option<Vec<String>>,
    ) -> napi::Result<Decided> {
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        let (id, stated) = (id.as_deref(), stated.as_deref());
        let args = Args::new(args.as_deref(), texts.as_deref());
        decided(self.guard.before_call(event, id, &tool, args, stated))
    }

    /// Records a result. `output` is JSON, or a string as it is if `is_text`.
    #[napi]
    pub fn after_call(
        &mut self,
        id: Either<f64, String>,
        output: Option<String>,
        is_text: bool,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
        status: Option<String>,
        exit_code: Option<f64>,
    ) -> napi::Result<Decided> {
        let id = match id {
            Either::A(line) => id_of_line(line),
            Either::B(id) => id,
        };
        let output = Output::new(output.as_deref(), is_text);
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        let status = status.as_deref();
        decided(self.guard.after_call(event, &id, status, output, exit_code))
    }

    /// Records the end of a turn.
    #[napi]
    pub fn turn(
        &mut self,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
    ) -> napi::Result<Decided> {
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        decided(self.guard.turn(event))
    }

    /// Records an event, given as a line.
    #[napi]
    pub fn observe(&mut self, line: String) -> napi::Result<String> {
        self.guard.observe(&line).map_err(|error| thrown(&error))
    }

    /// Judges a call without counting it.
    #[napi]
    pub fn check(
        &self,
        tool: String,
        args: Option<String>,
        session: Option<String>,
        agent: Option<String>,
        texts: Option<Vec<String>>,
    ) -> napi::Result<Decided> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        let args = Args::new(args.as_deref(), texts.as_deref());
        decided(self.guard.check(event, &tool, args))
    }

    /// Answers lines of events with lines of decisions.
    #[napi]
    pub fn check_lines(&mut self, text: Either<String, Buffer>) -> napi::Result<String> {
        let bytes: &[u8] = match &text {
            Either::A(text) => text.as_bytes(),
            Either::B(bytes) => bytes,
        };
        let answers = self.guard.check_lines(bytes);
        answers.map_err(|error| thrown(&error))
    }

    /// The state of one agent.
    #[napi]
    pub fn snapshot(
        &self,
        session: Option<String>,
        agent: Option<String>,
    ) -> napi::Result<Option<Buffer>> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        let snapshot = self.guard.snapshot(event).map_err(|error| thrown(&error))?;
        Ok(snapshot.map(Buffer::from))
    }

    /// Replaces the state of one agent.
    #[napi]
    pub fn restore(
        &mut self,
        snapshot: Buffer,
        session: Option<String>,
        agent: Option<String>,
    ) -> napi::Result<()> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        let restored = self.guard.restore(event, &snapshot);
        restored.map_err(|error| thrown(&error))
    }

    /// Settings that can never have an effect.
    #[napi]
    pub fn warnings(&self) -> Vec<String> {
        self.guard.options().warnings.clone()
    }

    /// What becomes of calls that cannot be judged: `open`, `closed` or nothing.
    #[napi]
    pub fn fail(&self) -> Option<&'static str> {
        self.guard.options().fail_word()
    }
}

/// An object of a founding class.
#[napi]
pub struct NativeClassic {
    object: unstuck_js::Classic,
}

#[napi]
impl NativeClassic {
    /// Creates an object of the class of this name.
    #[napi(constructor)]
    pub fn new(class: String, numbers: String) -> napi::Result<Self> {
        match unstuck_js::Classic::new(&class, &numbers) {
            Ok(object) => Ok(Self { object }),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Calls a method.
    #[napi]
    pub fn invoke(
        &mut self,
        method: String,
        first: Option<String>,
        second: Option<String>,
        now: Option<f64>,
    ) -> napi::Result<Option<String>> {
        let now = now.unwrap_or_default();
        self.object
            .invoke(&method, first.as_deref(), second.as_deref(), now)
            .map_err(|error| thrown(&error))
    }
}
