//! Doom loops, failing tests and commands, idle turns: as attocode finds them.

use super::Watch;
use crate::{
    decision::{Level, Verdict},
    event::{Outcome, Status, Usage},
    fingerprint::Mark,
    identity,
    json::Json,
    policy,
    rules::{Moment, RuleName, Spotted},
    settings::{Preset, Settings},
};

/// Finds calls that follow each other unchanged, or changed in nothing that matters.
///
/// The last ten calls are looked at. A doom loop is `threshold` exactly equal calls in a row, the last one included; or,
/// where that is not reached, `fuzzy_threshold` calls in a row with the same [`fingerprint`](Self::fingerprint). Any
/// other call ends it. Nothing is ever refused: the [`prompt`](Self::prompt) gets more urgent with the count, and it is
/// the caller who puts it into the conversation.
///
/// Three more counters look at what came back ([`record_result`](Self::record_result)) and at turns without a call
/// ([`record_text_only_turn`](Self::record_text_only_turn)): three failing test runs in a row, three failing shell
/// commands in a row, two turns of words in a row.
///
/// ```
/// use unstuck::{Json, classic::{LoopDetector, LoopStatus}};
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
/// Differs from the original in these ways. The class keeps the last calls itself; there, the caller passes them in.
/// [`reset`](Self::reset) keeps the thresholds, as the document says. Complex shell commands are identified by
/// all their arguments, as the document says. `last_warning_time` is there because the document shows it; nothing
/// sets it in the original either. A shell command has failed when the caller says so with [`Status::Error`].
///
/// As in the original, the fuzzy count has to reach `threshold` as well, a threshold above 10 is never reached, and a
/// threshold of 0 is reached by any call.
#[derive(Clone, Debug)]
pub struct LoopDetector {
    state: LoopDetectionState,
    watch: Watch,
}

/// How things stand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopDetectionState {
    /// Is the last call part of a doom loop?
    pub doom_loop_detected: bool,
    /// The tool called last.
    pub last_tool: Option<Box<str>>,
    /// Calls in a row, equal or similar, the last one included; 10 at most.
    pub consecutive_count: u32,
    /// Equal calls in a row that make a doom loop.
    pub threshold: u32,
    /// Similar calls in a row that make a doom loop.
    pub fuzzy_threshold: u32,
    /// Always 0.
    pub last_warning_time: u64,
}

/// What a call did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopStatus {
    /// There is no doom loop.
    Clear,
    /// A doom loop begins here: the moment for an event or a log line.
    Detected,
    /// The doom loop goes on.
    Ongoing,
}

impl LoopDetector {
    /// A detector for 3 equal or 4 similar calls.
    pub fn new() -> Self {
        Self::with_threshold(3)
    }

    /// A detector for so many equal calls, or one more similar ones.
    pub fn with_threshold(threshold: u32) -> Self {
        Self::with_thresholds(threshold, threshold.saturating_add(1))
    }

    /// A detector with thresholds of one's own.
    pub fn with_thresholds(threshold: u32, fuzzy_threshold: u32) -> Self {
        let mut settings = Settings::of(Preset::Attocode);
        // Swarms have a class of their own.
        settings.rules.swarm_loop.enabled = false;
        Self {
            state: LoopDetectionState::new(threshold, fuzzy_threshold),
            watch: Watch::new(settings),
        }
    }

    /// Takes in a call.
    pub fn record_tool_call(&mut self, tool: &str, args: &Json) -> LoopStatus {
        let action = self.watch.action(tool, args);
        let tail = &self.watch.timeline.streaks.tail;
        let (exact, _) = tail.exact_streak(action.exact, self.exact_window());
        let (similar, _) = tail.coarse_streak(action.coarse.mark(), self.near_window());
        let (exact, similar) = (exact + 1, similar + 1);
        self.watch.record(action);

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

    /// Takes in what the last call came back with, once. The answer is what to tell the model, if anything.
    ///
    /// Test runs are commands of the tool `bash` that contain `test` or `jest`, and are judged by their output alone.
    /// Other commands of that tool are judged by their status; what was denied, cancelled or is still running says
    /// nothing.
    ///
    /// ```
    /// use unstuck::{Json, Status, classic::LoopDetector};
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
        let Watch {
            settings,
            identifier,
            timeline,
        } = &mut self.watch;
        let call = timeline.pending.take("")?;
        let outcome = Outcome {
            id: Box::default(),
            status,
            output: output.cloned(),
            exit_code: None,
            fingerprint: None,
            label: None,
        };
        let sight = identifier.sight(&outcome, &call, None, |_, _| None);
        let done = timeline.record_result(call, sight, settings);
        // Tests first: a failing run often is a failing command, too.
        [RuleName::TestFixCycle, RuleName::FailureCascade]
            .into_iter()
            .find_map(|rule| self.watch.nudge(rule, &Moment::Result(&done)))
    }

    /// Takes in a turn of words without a call. The answer is what to tell the model, if anything.
    pub fn record_text_only_turn(&mut self) -> Option<String> {
        let timeline = &mut self.watch.timeline;
        if timeline.streaks.turns.calls > 0 {
            // The calls so far belong to turns before this one.
            timeline.record_turn(Usage::default(), 0);
        }
        timeline.record_turn(Usage::default(), 0);
        self.watch.nudge(RuleName::SummaryLoop, &Moment::Turn)
    }

    /// Forgets everything but the thresholds.
    pub fn reset(&mut self) {
        self.state = LoopDetectionState::new(self.state.threshold, self.state.fuzzy_threshold);
        self.watch.reset();
    }

    /// What a call is compared by where details do not matter, readable.
    ///
    /// It is the tool with those of its arguments that say what the call is about, or with all where it has none of
    /// them. Commands of the tool `bash` that do nothing but read a file are one, whichever command reads it.
    ///
    /// ```
    /// use unstuck::{Json, classic::LoopDetector};
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
        identity::readable_fingerprint(tool, args)
    }

    /// What to tell the model about the doom loop it is in: soft up to 3 calls, a warning for 4 and 5, critical from 6.
    pub fn prompt(&self) -> Option<String> {
        const RULE: RuleName = RuleName::ExactRepeat;
        let state = &self.state;
        let tool = state.last_tool.as_deref()?;
        if !state.doom_loop_detected {
            return None;
        }
        let count = state.consecutive_count;
        let ladder = self.watch.settings.rules.ladder(RULE);
        let level = policy::rung_level(&ladder, count).unwrap_or(Level::Notice);
        let spotted = Spotted::single(RULE, count, (0, 0), Mark::default(), None).of_tool(tool);
        Some(self.watch.write(&spotted, Verdict::Nudge, Some(level)))
    }

    /// How things stand.
    pub fn state(&self) -> &LoopDetectionState {
        &self.state
    }

    /// Failing test runs since the last one that passed.
    pub fn test_failures(&self) -> u32 {
        self.watch.timeline.streaks.tests.failures
    }

    /// Failing shell commands since the last one that did not fail.
    pub fn bash_failures(&self) -> u32 {
        self.watch.timeline.streaks.failures.shell
    }

    /// Turns of words since the last call.
    pub fn text_only_turns(&self) -> u32 {
        self.watch.timeline.streaks.turns.idle
    }

    fn exact_window(&self) -> u32 {
        self.watch.settings.rules.exact_repeat.window
    }

    fn near_window(&self) -> u32 {
        self.watch.settings.rules.near_repeat.window
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
