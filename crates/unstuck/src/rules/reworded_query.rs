//! `reworded-query`: one question in other words, whatever was returned.

use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::Example;
use super::{
    Advice, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{Asks, CallView, Ending, Query},
    fingerprint::Mark,
    memory::{Last, PerTurn},
    options::{Ladder, options},
    state::{MadeCall, Novelty, State},
};

documented! {
    /// ## What it does
    ///
    /// Counts how many of the last eight questions to one tool ask the same in other words: a search with its words in
    /// another order, with a word more or less, a question to a person that is put differently. What the tool returns does
    /// not matter. The count ends when another call returns something new, because then a result was opened or used.
    ///
    /// ## Why
    ///
    /// A search engine returns other hits for every wording. An agent that rewords its question and never opens a hit gets
    /// new results with every call, and no answer.
    ///
    /// ## Example
    ///
    /// ```text
    /// search "retry limit broker"             -> 10 hits
    /// search "broker retry limit default"     -> 10 other hits
    /// search "default broker retry limit"     -> 10 other hits
    /// search "limit of broker retries"        -> 10 other hits
    /// search "broker default limit retry"     -> 10 other hits    nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - each question is about something else: one word or name is replaced, and the rest stays where it is. That is a list
    ///   that is worked off;
    /// - the words are the same and a page, an offset or a limit differs;
    /// - something was opened, read, run or changed in between, and it returned something new;
    /// - the questions were asked in one round, side by side;
    /// - the call is repeated exactly: that is for `exact-repeat`, or it looks for news.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in questions, including the first.
    ///   Where `deny` is `"never"`, a call is denied after `policy.nudges_before_denial` nudges in one streak, and the run is halted
    ///   after as many denials.
}

options! {
    /// Options of `reworded-query`. Its counts are questions.
    RewordedQuery {}
}

/// Tools, and questions to each, that are remembered.
const TOOLS: usize = 4;
const QUESTIONS: usize = 8;

/// The last questions to the last tools, the latest last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Questions {
    tools: Last<Asked, TOOLS>,
    /// Whether the call that returned last asked a question that counted.
    counted: bool,
}

/// The last questions to one tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Asked {
    of: Mark,
    questions: Last<WordedQuery, QUESTIONS>,
    topics: Last<Topic, QUESTIONS>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct WordedQuery {
    query: Query,
    call: Mark,
    line: Line,
    round: u32,
    /// Line of the first question that asked the same.
    topic: Line,
}

/// What is asked in several wordings.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Topic {
    /// Line of the first question.
    from: Line,
    /// Questions so far, the first included; those of one round count once.
    count: u32,
}

restarts!(Questions, version 1);

impl Questions {
    fn record(&mut self, query: &Query, call: &MadeCall) {
        let known = self.tools.take(|asked| asked.of == query.of);
        let mut asked = known.unwrap_or_else(|| Asked {
            of: query.of,
            questions: Last::default(),
            topics: Last::default(),
        });
        self.counted = asked.record(query, call);
        self.tools.push(asked);
    }

    fn with(&self, of: Mark) -> Option<&Asked> {
        self.tools.iter().find(|asked| asked.of == of)
    }
}

impl Asked {
    /// Records a question. Returns whether it counted.
    fn record(&mut self, query: &Query, call: &MadeCall) -> bool {
        let exact = call.facts.exact;
        if self.questions.iter().any(|question| question.call == exact) {
            return false;
        }
        let topic = self.topic(query);
        let before = self.questions.last();
        let beside = before.is_some_and(|before| call.is_beside(before.round, before.line));
        self.questions.push(WordedQuery {
            query: query.clone(),
            call: exact,
            line: call.line,
            round: call.round,
            topic: topic.unwrap_or(call.line),
        });
        let Some(from) = topic else {
            return false;
        };
        let known = self.topics.take(|topic| topic.from == from);
        let mut topic = known.unwrap_or(Topic { from, count: 1 });
        topic.count = topic.count.saturating_add(u32::from(!beside));
        self.topics.push(topic);
        !beside
    }

    /// The topic of the latest question that is alike.
    fn topic(&self, query: &Query) -> Option<Line> {
        let mut latest = self.questions.iter().rev();
        let alike = latest.find(|question| query.compare(&question.query) == Asks::Alike)?;
        Some(alike.topic)
    }

    /// The topic with this first question, where enough of the last questions were about it.
    fn lately(&self, from: Line, enough: u32) -> Option<Topic> {
        let lately = self
            .questions
            .iter()
            .filter(|question| question.topic == from);
        let topic = self.topics.iter().find(|topic| topic.from == from)?;
        (lately.count() as u32 >= enough.min(QUESTIONS as u32)).then_some(*topic)
    }
}

impl Topic {
    fn detection(self, of: Mark, label: &str) -> Detection {
        Detection::new(self.count, self.from, of, label)
    }
}

impl Rule for RewordedQuery {
    const NAME: &'static str = "reworded-query";
    const SUMMARY: &'static str = "One question is asked again and again in other words.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ends: true,
        ..Traits::CALLS
    };

    type State = PerTurn<Questions>;

    /// What the call asks.
    type CallFact = Option<Box<Query>>;

    fn standard() -> Self {
        Self::with(Ladder::new(5, 0, 0))
    }

    fn extract(&self, call: &CallView<'_>) -> Self::CallFact {
        Query::of(call).map(Box::new)
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        let Happened::Result(done, facts) = happened else {
            return;
        };
        if !done.settled() {
            return;
        }
        if let Some(query) = &facts.reworded_query {
            state.record(query, &done.call);
        } else if !state.tools.is_empty() {
            let brought = done.result.ending == Ending::Success
                && done.novelty == Novelty::New
                && !done.result.silent;
            if brought {
                state.tools.clear();
            }
            if state.counted || brought {
                state.counted = false;
            }
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        // A healthy search is reworded a few times: nothing is reported below the first threshold.
        let first = self.ladder().first()?;
        match trigger {
            Trigger::Call(call) => {
                let query = context.facts.reworded_query.as_ref()?;
                let asked = state.with(query.of)?;
                let topic = asked.lately(asked.topic(query)?, first)?;
                let facts = &call.facts;
                let detection = topic.detection(asked.of, &facts.label);
                (topic.count >= first).then(|| detection.of_tool(&facts.tool).force_only())
            }
            Trigger::Result(done) if state.counted => {
                // Where the results are the same as well, `near-repeat` reports it.
                if done.near.is_some_and(|near| near.count() > 1) {
                    return None;
                }
                let asked = state.tools.last()?;
                let topic = asked.lately(asked.questions.last()?.topic, first)?;
                let facts = &done.call.facts;
                let detection = topic.detection(asked.of, &facts.label);
                let detection = detection.of_tool(&facts.tool);
                (topic.count >= first).then_some(detection)
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: if context.ahead() {
                "{count} questions to {tool} asked the same in other words, and {what} asks it again."
            } else {
                "{count} questions to {tool} asked the same in other words, the last one {what}."
            },
            returned: "",
            advice: " Another wording will not bring a better answer. Use one of the results, ask something else or elsewhere, or state what cannot be found.",
        }
    }

    #[cfg(test)]
    fn examples() -> Vec<Example> {
        tests::examples()
    }
}

#[cfg(test)]
#[path = "reworded_query_tests.rs"]
mod tests;
