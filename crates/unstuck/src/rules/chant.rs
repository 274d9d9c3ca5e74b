//! `chant`: text of the model that repeats itself.

use super::{
    About, Carry, Context, Detection, Rule, RuleText, TextContext, Traits, Trigger, documented,
};
use crate::{
    facts::Needs,
    options::{Ladder, options},
};

documented! {
    /// ## What it does
    ///
    /// Reads texts and thoughts of the model as they stream in, and finds text that repeats itself: word for word with a period
    /// of up to a thousand characters, in passages of almost the same words, in sentences that say the same in other words, or
    /// turn after turn with the same text.
    ///
    /// Sentences are compared as sets of words. Seven of the last fifteen that share half of their telling words and name the
    /// same things say the same.
    ///
    /// `text` events within one turn are one stream, whether they come in pieces or whole; texts and thoughts are two
    /// streams.
    ///
    /// A chant that continues for as long again as it took to be found, or is found again later, counts as a second finding.
    /// One event counts once, however long it is, because the model could not have reacted in the middle of it.
    ///
    /// ## Why
    ///
    /// A model that repeats its own text seldom stops by itself. It writes the same token, sentence or line of
    /// reasoning until its limit is reached, and all of it is paid for.
    ///
    /// ## Example
    ///
    /// ```text
    /// "court court court court …"             34 times      nudge
    /// "… court court court court court"       34 more       halt
    ///
    /// "I have to fix the failing login test. The login test that fails must be fixed. So the
    ///  login test fails and needs a fix. …"   7 sentences   nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - it is code, fenced or indented, a list, a table, a drawing, a ruler or JSON: these repeat by nature;
    /// - the same words stand between different pieces of code, lists or tables;
    /// - passages are alike, but name other files, functions or keys;
    /// - sentences have one form and differ in a word, as in a report about one thing after another;
    /// - it is short: fewer than four laps, or less than 200 characters; 800 where it is not made of words;
    /// - something was achieved, or a person spoke, in between.
    ///
    /// The same text turn after turn beside tool calls gets at most a nudge, and is a finding only of a decision with a verdict:
    /// other rules judge the calls.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in findings.
}

options! {
    /// Options of `chant`. Its counts are findings: continuing for as long again is a second one.
    Chant {}
}

impl Rule for Chant {
    const NAME: &'static str = "chant";
    const SUMMARY: &'static str = "Text or thinking repeats itself.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        about: About::Words,
        wastes_calls: false,
        // To be found again is one more finding.
        relapse: Carry::Peak,
        ..Traits::CALLS
    };
    const NEEDS: Needs = Needs {
        speech: true,
        ..Needs::NOTHING
    };

    type State = ();
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(1, 0, 2))
    }

    fn judges_calls(&self) -> bool {
        false
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        let chant = match trigger {
            Trigger::Text(role) => context.shared.chant(*role)?,
            Trigger::Turn => context.shared.said_too_often()?,
            Trigger::Call(_) | Trigger::Result(_) | Trigger::Step(_) => return None,
        };
        let excerpt = chant.excerpt.as_deref();
        let detection =
            Detection::new(chant.laps, chant.from, chant.key, excerpt).weighing(chant.found);
        let detection = if chant.reworded {
            detection.worded(text_of_rewording)
        } else {
            detection
        };
        Some(if chant.beside_work {
            // Words that accompany every call are a habit, so they are reported beside a verdict only.
            detection.nudge_only().reported_with_verdict()
        } else {
            detection
        })
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "Your text repeats itself: {what}, {count} times over.",
            returned: "",
            advice: ADVICE,
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_of_rewording];
}

const ADVICE: &str = " Repeating it settles nothing. Stop here, state the open question in one sentence, and then act on it or ask.";

fn text_of_rewording(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} of your sentences say the same, one of them: {what}.",
        returned: "",
        advice: ADVICE,
    }
}
