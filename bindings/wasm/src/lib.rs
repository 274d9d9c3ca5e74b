//! The module of WebAssembly: texts of JavaScript to the crate `unstuck-js`.
//!
//! The classes that people use are in `bindings/js/ts`; these here are behind them. A panic ends the call as a trap, which
//! JavaScript gets as an exception; the object is then not usable any more.

#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "methods take what JavaScript passes: texts of their own, and no objects, which would take longer to read"
)]

mod scan;

use unstuck_js::{Answer, Args, Event, Options, Output, id_of_line};
use unstuck_scan::Secrets;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Errors keep their kind in front of the message; TypeScript takes it off again.
fn thrown(error: &unstuck_js::Error) -> JsError {
    JsError::new(&error.to_text())
}

fn decided(answer: Result<Answer, unstuck_js::Error>) -> Result<JsValue, JsError> {
    match answer {
        #[expect(clippy::cast_precision_loss, reason = "no process has 2^53 events")]
        Ok(Answer::Allowed(line)) => Ok(JsValue::from_f64(line as f64)),
        Ok(Answer::Decided(text)) => Ok(JsValue::from_str(&text)),
        Err(error) => Err(thrown(&error)),
    }
}

/// Names of all rules.
#[wasm_bindgen(js_name = ruleNames)]
pub fn rule_names() -> Vec<String> {
    let names = unstuck_js::rule_names().into_iter();
    names.map(str::to_owned).collect()
}

/// What similar calls are compared by.
#[wasm_bindgen]
pub fn fingerprint(tool: &str, args: &str) -> Result<String, JsError> {
    unstuck_js::fingerprint(tool, args).map_err(|error| thrown(&error))
}

/// A transcript as events: an object with `format`, `events` and `problems`, as JSON.
#[wasm_bindgen(js_name = readTranscript)]
pub fn read_transcript(session: &str, bytes: &[u8]) -> Result<String, JsError> {
    unstuck_js::read_transcript(session, bytes).map_err(|error| thrown(&error))
}

/// An engine.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NativeGuard {
    guard: unstuck_js::Guard,
}

#[wasm_bindgen]
impl NativeGuard {
    /// Creates a guard from the text of its options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Self, JsError> {
        let guard = Options::read(options).and_then(unstuck_js::Guard::new);
        match guard {
            Ok(guard) => Ok(Self { guard }),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Counts a call.
    #[wasm_bindgen(js_name = beforeCall)]
    pub fn before_call(
        &mut self,
        tool: &str,
        args: Option<String>,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
        id: Option<String>,
        stated: Option<String>,
        texts: Option<Vec<String>>,
    ) -> Result<JsValue, JsError> {
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        let (id, stated) = (id.as_deref(), stated.as_deref());
        let args = Args::new(args.as_deref(), texts.as_deref());
        decided(self.guard.before_call(event, id, tool, args, stated))
    }

    /// Records a result. `id` is a line or a text; `output` is JSON, or a string as it is if `is_text`.
    #[wasm_bindgen(js_name = afterCall)]
    pub fn after_call(
        &mut self,
        id: JsValue,
        output: Option<String>,
        is_text: bool,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
        status: Option<String>,
        exit_code: Option<f64>,
    ) -> Result<JsValue, JsError> {
        let id = match id.as_f64() {
            Some(line) => id_of_line(line),
            None => id.as_string().unwrap_or_default(),
        };
        let output = Output::new(output.as_deref(), is_text);
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        let status = status.as_deref();
        decided(self.guard.after_call(event, &id, status, output, exit_code))
    }

    /// Records the end of a turn.
    pub fn turn(
        &mut self,
        at: Option<f64>,
        session: Option<String>,
        agent: Option<String>,
    ) -> Result<JsValue, JsError> {
        let event = Event::new(at, session.as_deref(), agent.as_deref());
        decided(self.guard.turn(event))
    }

    /// Records an event, given as a line.
    pub fn observe(&mut self, line: &str) -> Result<String, JsError> {
        self.guard.observe(line).map_err(|error| thrown(&error))
    }

    /// Judges a call without counting it.
    pub fn check(
        &self,
        tool: &str,
        args: Option<String>,
        session: Option<String>,
        agent: Option<String>,
        texts: Option<Vec<String>>,
    ) -> Result<JsValue, JsError> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        let args = Args::new(args.as_deref(), texts.as_deref());
        decided(self.guard.check(event, tool, args))
    }

    /// Answers lines of events with lines of decisions.
    #[wasm_bindgen(js_name = checkLines)]
    pub fn check_lines(&mut self, text: &[u8]) -> Result<String, JsError> {
        let answers = self.guard.check_lines(text);
        answers.map_err(|error| thrown(&error))
    }

    /// The state of one agent.
    pub fn snapshot(
        &self,
        session: Option<String>,
        agent: Option<String>,
    ) -> Result<Option<Vec<u8>>, JsError> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        self.guard.snapshot(event).map_err(|error| thrown(&error))
    }

    /// Replaces the state of one agent.
    pub fn restore(
        &mut self,
        snapshot: &[u8],
        session: Option<String>,
        agent: Option<String>,
    ) -> Result<(), JsError> {
        let event = Event::new(None, session.as_deref(), agent.as_deref());
        let restored = self.guard.restore(event, snapshot);
        restored.map_err(|error| thrown(&error))
    }

    /// Reports a recording, as texts: one for each of these outputs of `unstuck scan`.
    #[wasm_bindgen(js_name = scanBytes)]
    pub fn scan_bytes(
        &self,
        name: &str,
        bytes: Vec<u8>,
        outputs: Vec<String>,
        keep_secrets: bool,
        now: Option<f64>,
    ) -> Result<Vec<String>, JsError> {
        let secrets = if keep_secrets {
            Secrets::Kept
        } else {
            Secrets::Redacted
        };
        // Milliseconds of a clock are whole, and few.
        let now = now.map(|now| now as i64);
        let options = self.guard.options();
        scan::rendered(options, name, bytes, &outputs, secrets, now)
            .map_err(|error| JsError::new(&format!("scan: {error}")))
    }

    /// Settings that can never have an effect.
    pub fn warnings(&self) -> Vec<String> {
        self.guard.options().warnings.clone()
    }

    /// What becomes of calls that cannot be judged: `open`, `closed` or nothing.
    pub fn fail(&self) -> Option<String> {
        self.guard.options().fail_word().map(str::to_owned)
    }
}

/// An object of a founding class.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NativeClassic {
    object: unstuck_js::Classic,
}

#[wasm_bindgen]
impl NativeClassic {
    /// Creates an object of the class of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(class: &str, numbers: &str) -> Result<Self, JsError> {
        match unstuck_js::Classic::new(class, numbers) {
            Ok(object) => Ok(Self { object }),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Calls a method.
    pub fn invoke(
        &mut self,
        method: &str,
        first: Option<String>,
        second: Option<String>,
        now: Option<f64>,
    ) -> Result<Option<String>, JsError> {
        let now = now.unwrap_or_default();
        self.object
            .invoke(method, first.as_deref(), second.as_deref(), now)
            .map_err(|error| thrown(&error))
    }
}
