//! `summary-loop`: turns without a tool call.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    Advice, About, Context, Detection, Happened, Rule, RuleState, RuleText, TextContext, Traits, Trigger,
    documented, done_words::reports_done,
};
use crate::{
    event::{Line, Role},
    fingerprint::Mark,
    hash::Key,
    memory::PerTurn,
    options::{Ladder, OnUser, choice, options},
    state::{MadeCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts turns in a row in which the model called no tool.
    ///
    /// ## Why
    ///
    /// A model that announces what it is about to do, turn after turn, spends turns without progress.
    ///
    /// ## Example
    ///
    /// ```text
    /// "I will now fix the bug."        turn
    /// "Next, I will fix the bug."      turn     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - a person spoke in between: that is a conversation;
    /// - the agent has never called a tool: it may have none;
    /// - it reports that something is done: a finished agent has no tool to call.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in turns.
    /// - `count`: `after-work` counts once the agent has called a tool, and no reports; `always` counts every turn.
}

choice! {
    /// Which turns without a call count.
    CountTurns {
        /// From the start.
        Always,
        /// Once the agent has called a tool, and unless it reports something done: an agent that only ever talks is not
        /// avoiding work, and neither is one that has finished.
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
    /// Those of them that did not report anything done.
    unreported: u32,
    /// Whether the turn that is running reports something done.
    reported: bool,
    /// Whether the turn that is running has a call, denied ones included.
    called: bool,
    from: Line,
    /// Whether the agent has ever called a tool.
    worked: bool,
}

impl RuleState for PerTurn<IdleTurns> {
    const VERSION: u8 = 1;

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
        self.idle = 0;
        self.unreported = 0;
        self.from = call.line;
    }

    fn end(&mut self, line: Line) {
        if self.called {
            self.idle = 0;
            self.unreported = 0;
        } else {
            self.idle += 1;
            self.unreported += u32::from(!self.reported);
            if self.idle == 1 {
                self.from = line;
            }
        }
        self.called = false;
        self.reported = false;
    }
}

impl Rule for SummaryLoop {
    const NAME: &'static str = "summary-loop";
    const SUMMARY: &'static str = "Several turns of text without a tool call.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        about: About::Words,
        wastes_calls: false,
        advice: Advice::AskUser,
        ..Traits::CALLS
    };

    type State = PerTurn<IdleTurns>;
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(2, 0, 0), CountTurns::AfterWork)
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        match happened {
            Happened::Call(call) | Happened::Denied(call, _) => state.call(call),
            Happened::Text(text, Role::Assistant) => {
                if !state.reported && reports_done(text) {
                    state.reported = true;
                }
            }
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
        let count = match self.count {
            CountTurns::Always => state.idle,
            CountTurns::AfterWork if state.worked => state.unreported,
            CountTurns::AfterWork => 0,
        };
        (count > 1).then(|| Detection::new(count, state.from, Mark(u64::from(state.from)), None))
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "{count} turns in a row ended without a tool call.",
            returned: "",
            advice: " Pick the next concrete step and do it with a tool, or state plainly that the task is done or blocked.",
        }
    }
}
