//! `summary-loop`: turns without a tool call.

mod done_words;

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    About, Advice, Context, Detection, Happened, Rule, RuleState, RuleText, TextContext, Traits,
    Trigger, documented,
};
use crate::{
    event::{Line, Role},
    fingerprint::Mark,
    hash::Key,
    memory::PerTurn,
    options::{Ladder, OnUser, choice, options},
    state::{MadeCall, State},
};
use done_words::reports_done;

documented! {
    /// ## What it does
    ///
    /// Counts turns in a row in which the model called no tool. The first of them that reports finished work is not counted:
    /// a finished agent has no tool to call. A question to the person ends the row; questions that stay without an answer are a
    /// row of their own, and so are reports of finished work, both from the fourth on.
    ///
    /// ## Why
    ///
    /// A model that announces what it is about to do, turn after turn, spends turns without progress.
    ///
    /// ## Example
    ///
    /// ```text
    /// "I will now fix the bug."        turn
    /// "Next, I will fix the bug."      turn
    /// "The bug has to be fixed."       turn     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - a person spoke in between: that is a conversation;
    /// - the agent has never called a tool: it may have none;
    /// - it reports that something is done, or asks the person something: it waits for an answer.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in turns.
    ///   The run is halted after `policy.nudges_before_denial` nudges in one streak, if `halt` does not come first.
    /// - `count`: `after-work` counts once the agent has called a tool, and no reports; `always` counts every turn.
}

choice! {
    /// Which turns without a call count.
    CountTurns {
        /// From the start.
        Always,
        /// Once the agent has called a tool, and unless it reports something done or asks the person something: an agent that
        /// only ever talks is not avoiding work, and neither is one that has finished or waits for an answer.
        AfterWork,
    }
}

options! {
    /// Options of `summary-loop`.
    SummaryLoop {
        /// Which turns without a call count.
        count: CountTurns,
    }
}

/// Turns without a call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct IdleTurns {
    /// Turns in a row without a call.
    idle: u32,
    /// Those of them that announced something, since the last question to the person.
    announced: u32,
    /// Those of them that reported finished work, since the last question.
    reported: u32,
    /// Those of them that ended in a question.
    asked: u32,
    /// What the text of the turn that is running says.
    says: Says,
    /// Whether the turn that is running has a call, denied ones included.
    called: bool,
    from: Line,
    /// Whether the agent has ever called a tool.
    worked: bool,
}

/// What a turn without a call says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Says {
    #[default]
    Announces,
    ReportsDone,
    Asks,
}

/// Turns that report finished work, or ask something, of which the first does not count: an agent that has finished says so.
/// After these, only each third one counts, because such an agent does no harm.
const ALLOWED: u32 = 4;
const EACH: u32 = 3;

impl RuleState for PerTurn<IdleTurns> {
    const VERSION: u8 = 2;

    fn empty(_: NonZeroU32, _: Key) -> Self {
        Self::default()
    }

    fn user(&mut self, on_user: OnUser) {
        if on_user == OnUser::RestartStreaks {
            let worked = self.worked;
            self.restart();
            self.worked = worked;
        }
    }
}

impl IdleTurns {
    fn call(&mut self, call: &MadeCall) {
        self.called = true;
        self.worked = true;
        self.start_afresh();
        self.from = call.line;
    }

    fn start_afresh(&mut self) {
        self.idle = 0;
        self.announced = 0;
        self.reported = 0;
        self.asked = 0;
    }

    fn text(&mut self, text: &str) {
        // The last text of a turn tells whether it asks; a report anywhere in it stays one.
        if asks(text) {
            self.says = Says::Asks;
        } else if self.says == Says::ReportsDone || reports_done(text) {
            self.says = Says::ReportsDone;
        } else {
            self.says = Says::Announces;
        }
    }

    fn end(&mut self, line: Line) {
        let says = std::mem::take(&mut self.says);
        if std::mem::take(&mut self.called) {
            self.start_afresh();
            return;
        }
        self.idle += 1;
        if self.idle == 1 {
            self.from = line;
        }
        match says {
            Says::Announces => self.announced += 1,
            Says::ReportsDone => self.reported += 1,
            Says::Asks => {
                self.announced = 0;
                self.reported = 0;
                self.asked += 1;
            }
        }
    }

    /// Turns that count: announcements, and reports and questions beyond the allowed ones.
    fn weight(&self) -> u32 {
        (self.announced + patiently(self.reported)).max(patiently(self.asked))
    }
}

/// The weight of turns of an agent that has finished or waits.
fn patiently(turns: u32) -> u32 {
    let (soon, late) = (turns.min(ALLOWED), turns.saturating_sub(ALLOWED));
    soon.saturating_sub(1) + late / EACH
}

/// Whether a text ends in a question.
fn asks(text: &str) -> bool {
    let end = text.trim_end_matches(|last: char| last.is_whitespace() || "\"')*_`".contains(last));
    end.ends_with(['?', '？'])
}

impl Rule for SummaryLoop {
    const NAME: &'static str = "summary-loop";
    const SUMMARY: &'static str = "Several turns of text without a tool call.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        about: About::Words,
        wastes_calls: false,
        advice: Advice::AskUser,
        ends: true,
        ..Traits::CALLS
    };

    type State = PerTurn<IdleTurns>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 0, 0), CountTurns::AfterWork)
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        match happened {
            Happened::Call(call) | Happened::Denied(call, _) => state.call(call),
            Happened::Text(text, Role::Assistant) => state.text(text),
            Happened::Turn(line) => state.end(*line),
            Happened::Result(..) | Happened::Text(..) => {}
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        _: &Context<'_>,
    ) -> Option<Detection> {
        let Trigger::Turn = trigger else {
            return None;
        };
        let weight = match self.count {
            CountTurns::Always => state.idle,
            CountTurns::AfterWork if state.worked => state.weight(),
            CountTurns::AfterWork => 0,
        };
        (weight > 1).then(|| {
            let key = Mark(u64::from(state.from));
            Detection::new(state.idle, state.from, key, None).weighing(weight)
        })
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "{count} turns in a row ended without a tool call.",
            returned: "",
            advice: " Pick the next concrete step and do it with a tool, or state plainly that the task is done or blocked.",
        }
    }
}
