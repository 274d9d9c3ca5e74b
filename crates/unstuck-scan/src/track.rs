//! One agent of one session, while its transcript is being read.

use std::collections::BTreeMap;

use unstuck::{Decision, Event, EventKind, RuleName, Settings, Verdict};
use unstuck_report::{Loop, Run, Share, ToolCount, Wasted};
use unstuck_text::{readable, shorten};
use unstuck_transcript::Usage;

use super::{
    calls::RecentCalls,
    loops::Loops,
    mark::{Mark, Marks, Spent},
    prices::Prices,
    spotted::{About, Judged, Spotted},
    unwrapped::unwrapped,
};

/// Tools and models that are distinguished; further ones count as the last.
const MAX_NAMES: usize = 256;
/// Tools that are listed.
const MAX_TOOLS: usize = 12;
/// Bytes of a result that are kept until the next one.
const OUTPUT: usize = 480;
/// Characters of a result that is shown.
const RESULT: usize = 200;
/// Characters of a line of a pattern.
const PATTERN: usize = 160;
/// Calls of a loop whose numbers are listed.
const MAX_MEMBERS: usize = 1_000;
/// Characters of the task, and bytes that are looked at to find them.
const TASK: usize = 120;
const TASK_LOOK: usize = 4_000;
/// The tool of a compound action.
const STEP: &str = "step";

/// What is known of a run so far.
pub(crate) struct Track {
    pub(crate) session: Box<str>,
    pub(crate) agent: Box<str>,
    started: Option<i64>,
    ended: Option<i64>,
    events: u64,
    calls: u64,
    results: u64,
    tools: Counts,
    models: Counts,
    spent: Spent,
    turn: Turn,
    money: Money,
    marks: Marks,
    made: RecentCalls,
    loops: Loops,
    last_output: String,
    /// What the event that was noted last is about.
    about: About,
    /// The first words of the first prompt.
    task: String,
}

/// What was there when a turn of the model began.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    calls: u64,
    spent: Spent,
}

/// Whether the cost of the run is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Money {
    /// The transcript tells no usage, or only of models without a price.
    Unknown,
    Known,
}

impl Track {
    pub(crate) fn new(session: &str, agent: &str, marks: usize) -> Self {
        Self {
            session: session.into(),
            agent: agent.into(),
            started: None,
            ended: None,
            events: 0,
            calls: 0,
            results: 0,
            tools: Counts::default(),
            models: Counts::default(),
            spent: Spent::default(),
            turn: Turn::default(),
            money: Money::Unknown,
            marks: Marks::new(marks),
            made: RecentCalls::new(marks),
            loops: Loops::default(),
            last_output: String::new(),
            about: About::Other,
            task: String::new(),
        }
    }

    /// Takes note of an event before it is judged; its line becomes its number in the run, which is what findings are to
    /// quote.
    pub(crate) fn note(&mut self, event: &mut Event) -> Mark {
        self.events += 1;
        let at = event.at.map(|at| at.0);
        if let Some(at) = at {
            self.started = Some(self.started.map_or(at, |before| before.min(at)));
            self.ended = Some(self.ended.map_or(at, |before| before.max(at)));
        }
        self.last_output.clear();
        let place = (self.events, event.line.unwrap_or(0));
        self.about = match &event.kind {
            EventKind::Call(call) => {
                self.calls += 1;
                self.tools.add(&call.tool);
                let number = self.made.call(call, place, at);
                self.made.set_tool(self.tools.last);
                About::Call(number)
            }
            EventKind::Result(outcome) => {
                self.results += 1;
                if let Some(output) = &outcome.output {
                    let text = output.as_str();
                    self.last_output
                        .push_str(&text[..text.floor_char_boundary(OUTPUT)]);
                }
                let number = self.made.result(outcome, place);
                number.map_or(About::Other, About::Outcome)
            }
            // A compound action is a call and its result in one.
            EventKind::Step(step) => {
                self.calls += 1;
                self.results += 1;
                self.tools.add(STEP);
                let number = self.made.step(step, place, at);
                self.made.set_tool(self.tools.last);
                About::Outcome(number)
            }
            EventKind::Turn(_) => {
                self.end_turn();
                About::Other
            }
            _ => About::Other,
        };
        let mark = Mark {
            event: self.events,
            line: place.1,
            at,
            call: self.calls,
        };
        self.marks.push(mark);
        event.line = Some(self.events);
        mark
    }

    /// What was spent in a turn was spent on its calls.
    fn end_turn(&mut self) {
        let before = self.turn;
        self.turn = Turn {
            calls: self.calls,
            spent: self.spent,
        };
        if self.calls > before.calls {
            let first = u32::try_from(before.calls + 1).unwrap_or(u32::MAX);
            let cost = Spent {
                tokens: self.spent.tokens - before.spent.tokens,
                usd: self.spent.usd - before.spent.usd,
            };
            self.made.pay(first, cost);
            self.loops.end_turn(first, &self.made);
        }
    }

    pub(crate) fn usage(&mut self, usage: &Usage, prices: &mut Prices<'_>) {
        if !usage.model.is_empty() {
            self.models.add(&usage.model);
        }
        self.spent.tokens = self.spent.tokens.saturating_add(usage.tokens.total());
        if let Some(usd) = prices.price(usage) {
            self.spent.usd += usd;
            self.money = Money::Known;
        }
    }

    /// Takes in what a person wrote to the agent: the first of it is the task.
    pub(crate) fn asked(&mut self, text: &str) {
        if self.task.is_empty() {
            let head = &text[..text.floor_char_boundary(TASK_LOOK)];
            self.task = shorten(head, TASK);
        }
    }

    /// Takes in the decision about the event that was noted last.
    pub(crate) fn judged(&mut self, decision: &Decision, mark: Mark, settings: &Settings) {
        let deciding = decision
            .reason
            .as_deref()
            .filter(|_| decision.verdict > Verdict::Allow);
        for finding in &decision.findings {
            let judged = Judged {
                about: self.about,
                now: mark,
                from: self.marks.event(finding.from),
                calls: &self.made,
                output: &self.last_output,
            };
            match deciding {
                Some(reason) if reason.rule == finding.rule => {
                    let told = (finding, reason);
                    self.loops.told(told, decision.verdict, &judged, settings);
                }
                _ => self.loops.seen(finding, &judged, settings),
            }
        }
        if let About::Outcome(call) = self.about {
            self.loops.ended(call, mark, &self.made);
        }
    }

    /// Calls that repeated something, so far.
    pub(crate) fn wasted(&self) -> u64 {
        self.loops.wasted()
    }

    /// Reports and calls over the limits of what is kept.
    pub(crate) fn left_out(&self) -> u64 {
        self.loops.left_out()
    }

    /// The engine forgot the run.
    pub(crate) fn reset(&mut self) {
        self.loops.reset();
    }

    /// What there is to report, and where the laps of its loops are.
    pub(crate) fn finish(mut self, path: &str, format: &str) -> (Run, Vec<Spotted>) {
        self.end_turn();
        let spotted = self.loops.finish();
        let money = self.money;
        let tools = &self.tools;
        let loops: Vec<_> = spotted
            .iter()
            .map(|spotted| report(spotted, tools, money))
            .collect();
        let spent = Wasted {
            calls: self.calls,
            tokens: self.spent.tokens,
            usd: money.usd(self.spent.usd),
        };
        let run = Run {
            title: self.task,
            project: String::new(),
            path: path.to_owned(),
            format: format.to_owned(),
            session: self.session.into(),
            agent: self.agent.into(),
            models: self.models.most(usize::MAX).map(|(name, _)| name).collect(),
            started: self.started,
            ended: self.ended,
            calls: self.calls,
            results: self.results,
            verdict: loops
                .iter()
                .map(|found| found.verdict)
                .max()
                .unwrap_or_default(),
            wasted: sum(&loops, &spent),
            loops,
            spent,
            tools: self
                .tools
                .most(MAX_TOOLS)
                .map(|(tool, calls)| ToolCount { tool, calls })
                .collect(),
        };
        (run, spotted)
    }
}

impl Money {
    fn usd(self, usd: f64) -> Option<f64> {
        // Millionths are as fine as prices are.
        (self == Self::Known).then(|| (usd * 1e6).round() / 1e6)
    }
}

fn report(spotted: &Spotted, tools: &Counts, money: Money) -> Loop {
    let cost = spotted.cost();
    let pattern = spotted.pattern.iter();
    let lines = spotted.lines();
    let span = spotted.span();
    let output = || shorten(unwrapped(&readable(&spotted.output)), RESULT);
    let (unchanged, last_result) = match spotted.members.share_result() {
        _ if !compares_results(spotted) => (String::new(), String::new()),
        true => (output(), String::new()),
        false => (String::new(), output()),
    };
    Loop {
        rule: spotted.rule.to_string(),
        verdict: spotted.verdict.into(),
        repeats: spotted.repeats(),
        period: spotted.period(),
        from: lines.0,
        to: lines.1,
        pattern: pattern.map(|line| shorten(line, PATTERN)).collect(),
        also: spotted.also.iter().map(ToString::to_string).collect(),
        tool: spotted
            .tool
            .map_or(String::new(), |tool| tools.name(tool).to_owned()),
        message: spotted.message.to_string(),
        at: spotted.began(),
        calls: Share {
            from: span.0,
            to: span.1,
        },
        members: spotted
            .members()
            .take(MAX_MEMBERS)
            .map(Into::into)
            .collect(),
        unchanged,
        last_result,
        wasted: Wasted {
            calls: spotted.wasted(),
            tokens: cost.tokens,
            usd: money.usd(cost.usd),
        },
        strip: Vec::new(),
        excerpt: Vec::new(),
    }
}

/// Whether the rule compares the results of single calls, so that one of them is worth a line.
fn compares_results(spotted: &Spotted) -> bool {
    spotted.period() == 1
        && matches!(
            spotted.rule,
            RuleName::ExactRepeat
                | RuleName::NearRepeat
                | RuleName::StuckOutcome
                | RuleName::FailureCascade
                | RuleName::TestFixCycle
                | RuleName::UnknownTool
                | RuleName::InvalidCall
                | RuleName::NoOp
                | RuleName::Poll
        )
}

/// The loops together. No call is in two of them; of tokens and money there is no more than was spent.
pub(super) fn sum(loops: &[Loop], spent: &Wasted) -> Wasted {
    let mut sum = Wasted {
        usd: spent.usd.map(|_| 0.0),
        ..Wasted::default()
    };
    for found in loops {
        sum.calls += found.wasted.calls;
        sum.tokens = sum.tokens.saturating_add(found.wasted.tokens);
        sum.usd = sum.usd.zip(found.wasted.usd).map(|(sum, one)| sum + one);
    }
    sum.tokens = sum.tokens.min(spent.tokens);
    sum.usd = sum.usd.zip(spent.usd).map(|(sum, spent)| sum.min(spent));
    sum
}

/// How often each of some names was met.
#[derive(Default)]
struct Counts {
    numbers: BTreeMap<Box<str>, u16>,
    named: Vec<(Box<str>, u64)>,
    last: u16,
}

impl Counts {
    fn add(&mut self, name: &str) {
        // Mostly it is the one of the last time.
        let known = self.named.get(usize::from(self.last));
        if known.is_none_or(|(last, _)| **last != *name) {
            self.last = match self.numbers.get(name) {
                Some(number) => *number,
                None if self.named.len() >= MAX_NAMES => self.last,
                None => {
                    let number = self.named.len() as u16;
                    self.numbers.insert(name.into(), number);
                    self.named.push((name.into(), 0));
                    number
                }
            };
        }
        if let Some((_, count)) = self.named.get_mut(usize::from(self.last)) {
            *count += 1;
        }
    }

    fn name(&self, number: u16) -> &str {
        self.named
            .get(usize::from(number))
            .map_or("", |(name, _)| name)
    }

    /// The most frequent first.
    fn most(&self, limit: usize) -> impl Iterator<Item = (String, u64)> + use<> {
        let mut counts = self.named.clone();
        counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counts
            .into_iter()
            .take(limit)
            .map(|(name, count)| (name.into_string(), count))
    }
}

#[cfg(test)]
#[path = "track_tests.rs"]
mod tests;
