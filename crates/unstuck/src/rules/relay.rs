//! `relay`: messages that agents repeat to each other.

use serde::{Deserialize, Serialize};

use super::{
    About, Advice, Context, Detection, Happened, Rule, RuleText, SwarmQuestion, TextContext,
    Traits, Trigger, documented, restarts,
};
use crate::{
    event::Line,
    facts::{AgentMessage, CallView, Ending, Needs},
    memory::{Last, PerTurn},
    options::{Ladder, options},
    state::{CompletedCall, State},
};

documented! {
    /// ## What it does
    ///
    /// Reads messages between agents. It counts two things: a text that several agents of a swarm repeat, for example
    /// because each passes it on to the next; and rephrased requests of one agent to another, as long as the results
    /// contain nothing new.
    ///
    /// ## Why
    ///
    /// Two agents that thank each other, or a leader that sends a worker after the same thing for the tenth time, are
    /// busy to every guard that looks at one of them only. Together they make no progress.
    ///
    /// ## Example
    ///
    /// ```text
    /// leader -> worker   "Please find the opening hours of the museum."
    /// leader -> worker   "Please look at the website for the museum's opening hours."
    /// leader -> worker   "Please search for the opening hours of the museum again."
    /// ...                                                            the sixth: nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the requests name other things: one request for each of many files is bulk work;
    /// - they were sent in one round, to be worked on side by side;
    /// - the result contains something new;
    /// - one agent alone repeats the text: that is for `chant`;
    /// - something was achieved, or a person spoke, in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in messages. Rephrased requests get at most
    ///   a nudge.
}

options! {
    /// Options of `relay`. Its counts are messages.
    Relay {}
}

/// Messages that are remembered.
const MESSAGES: usize = 6;

/// The last messages that an agent sent to others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SentMessages {
    messages: Last<Sent, MESSAGES>,
    /// Whether the call that returned last sent a message that is remembered.
    sent: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sent {
    message: AgentMessage,
    round: u32,
    epoch: u32,
    /// How often it was sent, this time included, in the same or in other words.
    times: u32,
    from: Line,
}

restarts!(SentMessages, version 1);

impl SentMessages {
    /// Records a message. An answer that is new forgets what the recipient was asked before.
    fn record(&mut self, message: &AgentMessage, done: &CompletedCall) {
        self.sent = false;
        if done.result.ending == Ending::Success && !done.result.brief && !done.is_fruitless() {
            self.messages.retain(|sent| sent.message.to != message.to);
            return;
        }
        // Messages of one round are sent to be worked on side by side.
        let before = self
            .messages
            .iter()
            .filter(|sent| sent.round != done.call.round && sent.epoch == done.epoch)
            .filter(|sent| message.is_like(&sent.message))
            .max_by_key(|sent| sent.times);
        let (times, from) = before.map_or((1, done.call.line), |sent| (sent.times + 1, sent.from));
        self.messages.push(Sent {
            message: message.clone(),
            round: done.call.round,
            epoch: done.epoch,
            times,
            from,
        });
        self.sent = true;
    }
}

impl Rule for Relay {
    const NAME: &'static str = "relay";
    const SUMMARY: &'static str = "Messages go round between agents.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        about: About::Words,
        wastes_calls: false,
        advice: Advice::Escalate,
        ..Traits::CALLS
    };
    const NEEDS: Needs = Needs {
        speech: true,
        ..Needs::NOTHING
    };

    type State = PerTurn<SentMessages>;

    /// The message that a call sends to another agent.
    type CallFact = Option<Box<AgentMessage>>;

    fn standard() -> Self {
        Self::with(Ladder::new(6, 0, 12))
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn extract(&self, call: &CallView<'_>) -> Self::CallFact {
        AgentMessage::of(call).map(Box::new)
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, facts) = happened {
            match &facts.relay {
                Some(message) if done.settled() => state.record(message, done),
                _ if state.sent => state.sent = false,
                _ => {}
            }
        }
    }

    fn asks_swarm<'a>(
        &self,
        trigger: &'a Trigger<'_>,
        shared: &State,
    ) -> Option<SwarmQuestion<'a>> {
        match trigger {
            Trigger::Turn => Some(SwarmQuestion::Text(shared.said_again()?.mark)),
            _ => None,
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        match trigger {
            Trigger::Result(done) => {
                let sent = state.messages.last().filter(|_| state.sent)?;
                // To ask once more, and better, is ordinary work: nothing is reported below the first threshold.
                if sent.times < self.ladder().first()? {
                    return None;
                }
                let label = &*done.call.facts.label;
                let detection = Detection::new(sent.times, sent.from, sent.message.to, label);
                Some(detection.worded(text_of_requests).nudge_only())
            }
            Trigger::Turn => {
                let said = context.shared.said_again()?;
                let tally = context.swarm.filter(|tally| tally.workers() > 1)?;
                // Only repeats are tallied, so each agent has written the text once more than its tally.
                let times = tally.calls().saturating_add(tally.workers() as u64);
                let times = u32::try_from(times).unwrap_or(u32::MAX);
                let excerpt = said.excerpt.as_deref();
                let mut detection = Detection::new(times, said.from, said.mark, excerpt);
                detection.facts.workers = u32::try_from(tally.workers()).unwrap_or(u32::MAX);
                Some(detection)
            }
            Trigger::Call(_) | Trigger::Step(_) | Trigger::Text(_) => None,
        }
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "The same message was passed between {workers} agents {count} times: {what}.",
            returned: "",
            advice: ADVICE,
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_of_requests];
}

const ADVICE: &str = " Sending it once more will not bring another answer. State what is missing and who can get it another way, or finish with what there is.";

fn text_of_requests(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} messages to one agent asked for the same, the last one {what}.",
        returned: "",
        advice: ADVICE,
    }
}
