//! Doom loops, failing tests and commands, idle turns: as attocode finds them.

use unstuck::{
    Engine, Event, Json, Level, Outcome, Preset, RuleName, Settings, Status, Verdict,
    coarse_fingerprint, message::MessageFacts, settings::DenyRung,
};

use crate::{call, engine_for_one_agent, repeats, reset};

/// Finds consecutive calls that are equal, or differ only in arguments that do not matter.
///
/// The last ten calls are looked at. A doom loop is `threshold` consecutive equal calls, including the last one; or, if
/// there are fewer, `fuzzy_threshold` consecutive calls with the same [`fingerprint`](Self::fingerprint). Any other call
/// ends it. No call is rejected: the [`prompt`](Self::prompt) gets more urgent with the count, and the caller adds it to
/// the conversation.
///
/// Three more counters look at results ([`record_result`](Self::record_result)) and at turns without a call
/// ([`record_text_only_turn`](Self::record_text_only_turn)): three consecutive failing test runs, three consecutive
/// failing shell commands, two consecutive turns of text.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::{LoopDetector, LoopStatus};
///
/// let mut detector = LoopDetector::new();
/// let args = Json::parse(r#"{"path":"src/auth.ts"}"#)?;
/// assert_eq!(detector.record_tool_call("read_file", &args), LoopStatus::Clear);
/// assert_eq!(detector.record_tool_call("read_file", &args), LoopStatus::Clear);
/// assert_eq!(detector.record_tool_call("read_file", &args), LoopStatus::Detected);
/// assert!(detector.state().doom_loop_detected);
/// assert!(detector.prompt().is_some_and(|prompt| prompt.contains("stuck state")));
/// # Ok::<(), unstuck::JsonError>(())
/// ```
///
/// It counts with an engine that has the preset `attocode`, and compares its own two thresholds.
///
/// It differs from the original in these ways. The class keeps the last calls itself; in the original the caller passes
/// them in. [`reset`](Self::reset) keeps the thresholds, as the document says. Complex shell commands are compared by all
/// their arguments, as the document says. `last_warning_time` exists because the document shows it; the original does not
/// set it either. A shell command has failed if its status is [`Status::Error`].
///
/// As in the original, the fuzzy count has to reach `threshold` as well, a threshold above 10 is never reached, and a
/// threshold of 0 is reached by any call.
#[derive(Clone, Debug)]
pub struct LoopDetector {
    state: LoopDetectionState,
    engine: Engine,
    /// Turns of text since the last call.
    text_only_turns: u32,
}

/// State of a [`LoopDetector`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopDetectionState {
    /// Whether the last call is part of a doom loop.
    pub doom_loop_detected: bool,
    /// The tool that was called last.
    pub last_tool: Option<Box<str>>,
    /// Number of consecutive equal or similar calls, including the last one; at most 10.
    pub consecutive_count: u32,
    /// Number of consecutive equal calls that are a doom loop.
    pub threshold: u32,
    /// Number of consecutive similar calls that are a doom loop.
    pub fuzzy_threshold: u32,
    /// Always 0.
    pub last_warning_time: u64,
}

/// What a call means for a doom loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopStatus {
    /// There is no doom loop.
    Clear,
    /// A doom loop begins with this call: emit an event or a log line.
    Detected,
    /// The doom loop goes on.
    Ongoing,
}

impl LoopDetector {
    /// Creates a detector for 3 equal or 4 similar calls.
    pub fn new() -> Self {
        Self::with_threshold(3)
    }

    /// Creates a detector for `threshold` equal calls, or `threshold + 1` similar ones.
    pub fn with_threshold(threshold: u32) -> Self {
        Self::with_thresholds(threshold, threshold.saturating_add(1))
    }

    /// Creates a detector with both thresholds.
    pub fn with_thresholds(threshold: u32, fuzzy_threshold: u32) -> Self {
        let mut settings = Settings::of(Preset::Attocode);
        settings.rules.exact_repeat.deny = DenyRung::Never;
        // Swarms have a class of their own.
        settings.rules.swarm_loop.enabled = false;
        Self {
            state: LoopDetectionState::new(threshold, fuzzy_threshold),
            engine: engine_for_one_agent(settings),
            text_only_turns: 0,
        }
    }

    /// Records a call.
    pub fn record_tool_call(&mut self, tool: &str, args: &Json) -> LoopStatus {
        self.text_only_turns = 0;
        let decision = self.engine.observe(call(tool, args));
        // The engine reports two equal calls or more.
        let consecutive = |rule| repeats(&decision, rule).unwrap_or(1);
        let exact = consecutive(RuleName::ExactRepeat);
        let similar = consecutive(RuleName::NearRepeat);

        let state = &mut self.state;
        let by_structure = exact < state.threshold && similar >= state.fuzzy_threshold;
        state.consecutive_count = if by_structure { similar } else { exact };
        state.last_tool = Some(tool.into());
        let before = state.doom_loop_detected;
        state.doom_loop_detected = state.consecutive_count >= state.threshold;
        match (before, state.doom_loop_detected) {
            (_, false) => LoopStatus::Clear,
            (false, true) => LoopStatus::Detected,
            (true, true) => LoopStatus::Ongoing,
        }
    }

    /// Records the result of the last call, once. Returns a message for the model if one is due.
    ///
    /// Commands of the tool `bash` that contain `test` or `jest` are test runs. Whether tests failed is read from the
    /// output, and whether a command failed from the status. Calls that were denied, cancelled or are still running are
    /// ignored.
    ///
    /// ```
    /// use unstuck::{Json, Status};
    /// use unstuck_classic::LoopDetector;
    ///
    /// let mut detector = LoopDetector::new();
    /// let mut prompt = None;
    /// for command in ["make", "make -j1", "make V=1"] {
    ///     let args = Json::parse(&format!(r#"{{"command":"{command}"}}"#))?;
    ///     detector.record_tool_call("bash", &args);
    ///     prompt = detector.record_result(Status::Error, Some(&Json::string("no rule to make target")));
    /// }
    /// assert_eq!(detector.bash_failures(), 3);
    /// assert!(prompt.is_some());
    /// # Ok::<(), unstuck::JsonError>(())
    /// ```
    pub fn record_result(&mut self, status: Status, output: Option<&Json>) -> Option<String> {
        let mut outcome = Outcome::new("", status);
        outcome.output = output.cloned();
        let decision = self.engine.observe(Event::result(outcome));
        decision.message().map(str::to_owned)
    }

    /// Records a turn of text without a call. Returns a message for the model if one is due.
    pub fn record_text_only_turn(&mut self) -> Option<String> {
        if self.text_only_turns == 0 && self.state.last_tool.is_some() {
            // The calls so far belong to earlier turns.
            self.engine.observe(Event::turn());
        }
        self.text_only_turns = self.text_only_turns.saturating_add(1);
        let decision = self.engine.observe(Event::turn());
        decision.message().map(str::to_owned)
    }

    /// Forgets everything but the thresholds.
    pub fn reset(&mut self) {
        self.state = LoopDetectionState::new(self.state.threshold, self.state.fuzzy_threshold);
        self.text_only_turns = 0;
        reset(&mut self.engine);
    }

    /// Returns what similar calls are compared by, as readable text.
    ///
    /// It is the tool with its primary arguments (`path`, `command`, `query`, …), or with all arguments if it has no
    /// primary ones. Commands of the tool `bash` that only read a file are the same, whichever command reads it.
    ///
    /// ```
    /// use unstuck::Json;
    /// use unstuck_classic::LoopDetector;
    ///
    /// let fingerprint = |tool, args| Json::parse(args).map(|args| LoopDetector::fingerprint(tool, &args));
    /// assert_eq!(fingerprint("bash", r#"{"command":"head -5 foo.ts"}"#)?, "bash:file_read:foo.ts");
    /// assert_eq!(
    ///     fingerprint("read_file", r#"{"path":"foo.ts","encoding":"utf-8","limit":10}"#)?,
    ///     r#"read_file:{"limit":10,"path":"foo.ts"}"#
    /// );
    /// # Ok::<(), unstuck::JsonError>(())
    /// ```
    pub fn fingerprint(tool: &str, args: &Json) -> String {
        coarse_fingerprint(tool, args)
    }

    /// Message for the model about the present doom loop: soft for up to 3 calls, a warning for 4 and 5, critical from 6
    /// on.
    pub fn prompt(&self) -> Option<String> {
        const RULE: RuleName = RuleName::ExactRepeat;
        let state = &self.state;
        let tool = state.last_tool.as_deref()?;
        if !state.doom_loop_detected {
            return None;
        }
        let count = state.consecutive_count;
        let settings = self.engine.settings();
        let ladder = settings.rules.ladder(RULE);
        let level = if ladder.critical.reached(count) {
            Level::Critical
        } else if ladder.warning.reached(count) {
            Level::Warning
        } else {
            Level::Notice
        };
        let mut facts = MessageFacts::of_count(count);
        facts.tool = Some(tool);
        let message = settings.message(RULE, Verdict::Nudge, Some(level), facts);
        Some(message.into())
    }

    /// The present state.
    pub fn state(&self) -> &LoopDetectionState {
        &self.state
    }

    /// Number of failing test runs since the last one that passed.
    pub fn test_failures(&self) -> u32 {
        self.failures(RuleName::TestFixCycle)
    }

    /// Number of failing shell commands since the last one that succeeded.
    pub fn bash_failures(&self) -> u32 {
        self.failures(RuleName::FailureCascade)
    }

    /// Number of turns of text since the last call.
    pub fn text_only_turns(&self) -> u32 {
        self.text_only_turns
    }

    /// What the engine would count with one more failing test run, less that run: it reports no single failure.
    fn failures(&self, rule: RuleName) -> u32 {
        let mut engine = self.engine.clone();
        let command = Json::string("test");
        let args = Json::object([("command", command.view())].into_iter());
        engine.observe(call("bash", &args));
        let outcome = Outcome::error("", Json::string("FAILED"));
        let decision = engine.observe(Event::result(outcome));
        repeats(&decision, rule).map_or(0, |repeats| repeats - 1)
    }
}

impl Default for LoopDetector {
    fn default() -> Self {
        Self::new()
    }
}

impl LoopDetectionState {
    fn new(threshold: u32, fuzzy_threshold: u32) -> Self {
        Self {
            doom_loop_detected: false,
            last_tool: None,
            consecutive_count: 0,
            threshold,
            fuzzy_threshold,
            last_warning_time: 0,
        }
    }
}

#[cfg(test)]
#[path = "loop_detector_tests.rs"]
mod tests;
