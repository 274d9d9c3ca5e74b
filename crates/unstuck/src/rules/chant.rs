//! `chant`: words that repeat themselves.

use super::{Moment, RuleName, Scene, Spotted, documented};

documented! {
    /// ## What it does
    ///
    /// Reads what the model says and thinks, as it streams in, and finds text that repeats itself: word for word with a period
    /// of up to a thousand characters, in passages of almost the same words, or turn after turn with the same text.
    /// `text` events within one turn are one stream, whether they come in pieces or whole; what is said and what is thought are
    /// two.
    ///
    /// A chant that goes on for as long again as it took to be found, or is found again later, counts as the second. What comes
    /// with one event counts once, however long it is: a warning in the middle of it could not have been heeded.
    ///
    /// ## Why
    ///
    /// A model that falls into its own words does not come out by itself. It writes the same token, sentence or line of
    /// reasoning until its limit is reached, and all of it is paid for.
    ///
    /// ## Example
    ///
    /// ```text
    /// "court court court court …"             34 times      nudge
    /// "… court court court court court"       34 more       halt
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - it is code, fenced or indented, a list, a table, a drawing, a ruler or JSON: these repeat by nature;
    /// - the same words stand between different pieces of code, lists or tables;
    /// - passages are alike, but name other files, functions or keys;
    /// - it is short: fewer than four laps, or less than 200 characters; 800 where it is not made of words;
    /// - something was achieved, or a person spoke, in between.
    ///
    /// The same text turn after turn beside tool calls gets a nudge at the most: the calls have rules of their own.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in findings.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let chant = match moment {
        Moment::Text(role) => scene.timeline.voices.chant(*role)?,
        Moment::Turn => scene.timeline.streaks.said.chant.as_ref()?,
        Moment::Call(_) | Moment::Result(_) | Moment::Step(_) => return None,
    };
    let spotted = Spotted::single(
        RuleName::Chant,
        chant.laps,
        (chant.from, scene.line),
        chant.key,
        chant.excerpt.as_deref(),
    );
    let spotted = spotted.weighing(chant.found);
    Some(if chant.beside_work {
        spotted.nudge_only()
    } else {
        spotted
    })
}
