//! Messages: the texts for the model.
//!
//! Facts first (which call, how often, which result did not change), then what to do. Every message starts with
//! [`MARKER`], so that the texts of this program are never mistaken for a new result, and none is longer than
//! [`MAX_CHARS`].

mod quote;

use crate::{
    decision::{Level, Verdict},
    fingerprint::Mark,
    options::{DenyRung, Piece},
    rules::{About, Detection, Found, RuleName, TextContext},
    settings::{Occasion, Settings},
};

pub use crate::marker::{MARKER, MAX_CHARS};
pub use quote::quote;

/// Facts that a message states, for [`Settings::message`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageFacts<'a> {
    /// The number of calls, steps or turns that the rule counts.
    pub count: u32,
    /// The tool that was called.
    pub tool: Option<&'a str>,
    /// Number of workers of a swarm that took part.
    pub workers: u32,
}

impl MessageFacts<'_> {
    /// Facts with a number and without a tool or workers.
    pub fn of_count(count: u32) -> Self {
        Self {
            count,
            ..Self::default()
        }
    }
}

impl Settings {
    /// Returns the message that a decision of `rule` would carry with these facts: for previews of texts, and for
    /// callers that count by themselves. `level` is the level of a nudge.
    ///
    /// ```
    /// use unstuck::{Level, Preset, RuleName, Settings, Verdict, message::MessageFacts};
    ///
    /// let mut facts = MessageFacts::of_count(4);
    /// facts.tool = Some("read_file");
    /// let settings = Settings::of(Preset::Attocode);
    /// let message = settings.message(RuleName::ExactRepeat, Verdict::Nudge, Some(Level::Warning), facts);
    /// assert!(message.starts_with("[unstuck] WARNING: 4 calls of read_file"));
    /// ```
    pub fn message(
        &self,
        rule: RuleName,
        verdict: Verdict,
        level: Option<Level>,
        facts: MessageFacts<'_>,
    ) -> Box<str> {
        let mut detection = Detection::new(facts.count, 0, Mark::default(), None);
        detection.facts.workers = facts.workers;
        if let Some(tool) = facts.tool {
            detection = detection.of_tool(tool);
        }
        write(self, &Found { rule, detection }, verdict, level)
    }
}

/// The message about a detection.
pub(crate) fn write(
    settings: &Settings,
    found: &Found,
    verdict: Verdict,
    level: Option<Level>,
) -> Box<str> {
    let occasion = match (verdict, level) {
        (Verdict::Halt, _) => Occasion::Halt,
        (Verdict::Deny, _) => Occasion::Deny,
        (_, Some(Level::Critical)) => Occasion::Critical,
        (_, Some(Level::Warning)) => Occasion::Warning,
        _ => Occasion::Notice,
    };
    let rule = found.rule;
    let facts = &found.detection.facts;
    let mut message = format!("{MARKER} ");
    let own = settings.text_set.text(rule, occasion, facts);
    if let Some(template) = settings.texts.template(rule, occasion) {
        render(template.pieces(), settings, found, &mut message);
    } else if let Some(text) = own {
        render(Piece::of(text), settings, found, &mut message);
    } else {
        for part in standard(settings, found, occasion) {
            // A list ends its own line.
            let part = if message.ends_with('\n') {
                part.trim_start()
            } else {
                part
            };
            render(Piece::of(part), settings, found, &mut message);
        }
    }
    cut(&mut message, MAX_CHARS);
    message.into()
}

/// The parts of a standard message: the urgency, the facts, what the calls returned, what to do, what follows.
fn standard(settings: &Settings, found: &Found, occasion: Occasion) -> [&'static str; 5] {
    let context = TextContext::new(&found.detection.facts);
    let text = match found.detection.text {
        Some(text) => text(&context),
        None => found.rule.text(&context),
    };
    let is_loop = found.rule.traits().about != About::Budget;
    let before = match occasion {
        Occasion::Notice => "",
        Occasion::Warning => "Warning: ",
        Occasion::Critical => "Urgent warning: ",
        Occasion::Deny => "This call was not run. ",
        Occasion::Halt if is_loop => "The run is stopped: LOOP_DETECTED. ",
        Occasion::Halt => "The run is stopped. ",
    };
    let advice = if occasion == Occasion::Halt {
        ""
    } else {
        text.advice
    };
    let may_deny = settings.rules.ladder(found.rule).deny != DenyRung::Never;
    let after = match occasion {
        Occasion::Critical if may_deny => " The next such call may be denied.",
        Occasion::Halt if is_loop => {
            " No further call will be run. Summarise what you tried, what you found and what blocks you, and stop."
        }
        _ => "",
    };
    [before, text.seen, text.returned, advice, after]
}

/// Appends a text with its placeholders filled.
fn render<'t>(
    pieces: impl Iterator<Item = Piece<'t>>,
    settings: &Settings,
    found: &Found,
    out: &mut String,
) {
    for piece in pieces {
        match piece {
            Piece::Words(words) => out.push_str(words),
            Piece::Placeholder(name) => out.push_str(&value(name, settings, found)),
        }
    }
}

/// The value of a placeholder.
fn value(name: &str, settings: &Settings, found: &Found) -> String {
    let detection = &found.detection;
    let facts = &detection.facts;
    let ladder = settings.rules.ladder(found.rule);
    let window = settings.rules.window(found.rule);
    match name {
        "block" => {
            let block = ladder.halt.count().or(ladder.deny.count());
            block.unwrap_or(0).to_string()
        }
        "count" => facts.count.unwrap_or(detection.repeats).to_string(),
        "laps" => detection.repeats.to_string(),
        "limit" => match (&facts.budget, window) {
            (Some((_, limit)), _) => limit.to_string(),
            (None, Some((limit, _))) => limit.to_string(),
            (None, None) => String::new(),
        },
        "outcome" => facts
            .outcome
            .as_deref()
            .map_or_else(String::new, quote::quote),
        // The members of the pattern, numbered, one a line.
        "pattern" => {
            let members = detection.pattern.iter().enumerate();
            members.fold(String::new(), |list, (at, member)| {
                format!("{list}\n  {}. {}", at + 1, quote::quotable(member))
            })
        }
        "period" => detection.period.to_string(),
        "rule" => found.rule.to_string(),
        "seconds" => window.map_or_else(String::new, |(_, seconds)| seconds.to_string()),
        "tool" => facts
            .tool
            .as_deref()
            .map_or_else(|| "the tool".to_owned(), quote::name),
        "used" => facts
            .budget
            .as_ref()
            .map_or_else(String::new, |(used, _)| used.to_string()),
        "what" => {
            let label = detection.pattern.first().map(|label| &**label);
            quote::quote(label.or(facts.tool.as_deref()).unwrap_or("this step"))
        }
        "window" => facts.window.to_string(),
        "workers" => facts.workers.to_string(),
        _ => String::new(),
    }
}

/// Cuts a text to `characters` characters; a cut text ends in an ellipsis.
fn cut(text: &mut String, characters: usize) {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        let keep = text[..at]
            .char_indices()
            .next_back()
            .map_or(0, |(last, _)| last);
        text.truncate(keep);
        text.push('…');
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "message/texts_tests.rs"]
mod texts_tests;
