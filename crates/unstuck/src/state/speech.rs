//! Repeated text of the model: within a turn as it streams in, and from turn to turn.
//!
//! The text of one turn is one stream, however it is cut into events. A stream lives until its turn ends, so a
//! retry has nothing to roll back but to drop it; only the texts of the last few turns are kept with the streaks.

mod passages;
mod period;
mod prose;
mod sentences;

use serde::{Deserialize, Serialize};

use self::{
    passages::{ALIKE, Passages, SimilarPassages},
    period::{Laps, Period},
    prose::{Prose, Sign},
};
use crate::{
    event::{Line, Role},
    fingerprint::Mark,
    hash,
    label::one_line,
    memory::{Last, Memory, Unsound},
};

/// Number of characters of a chant that are quoted.
const EXCERPT: usize = 60;

/// Minimum length in characters: shorter texts repeat for good reasons ("Done.", "Let me look.").
const SHORTEST_SAID: u32 = 40;

/// Minimum length of a chant in characters, however short its laps are.
const SHORTEST_CHANT: usize = {
    let alike = (ALIKE * passages::SHORTEST) as usize;
    let covered = period::COVERED as usize;
    if alike < covered { alike } else { covered }
};

/// Number of turns with the same text from which it is reported.
const SAME_TURNS: u32 = 3;

/// Different texts that are remembered from turn to turn.
const REMEMBERED: usize = 4;

/// A text that repeats itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Chant {
    /// Equal for the same words.
    pub(crate) key: Mark,
    pub(crate) from: Line,
    /// Number of findings: continuing for as long again is another one. One event counts once, because the model cannot
    /// react in the middle of it.
    pub(crate) found: u32,
    /// The last event it was counted in, and the position at which that ended.
    at: Line,
    ended: u64,
    pub(crate) laps: u32,
    /// Whether it is one sentence in other words.
    pub(crate) reworded: bool,
    pub(crate) excerpt: Option<Box<str>>,
    /// Work went on beside the words.
    pub(crate) beside_work: bool,
}

/// The streams of a turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Voices {
    assistant: Option<Box<Stream>>,
    thinking: Option<Box<Stream>>,
}

/// All text of one role within a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stream {
    heard: Heard,
    prose: Prose,
    period: Period,
    passages: Passages,
    chant: Option<Chant>,
    from: Line,
    epoch: u32,
    /// A hash of all of it, white space aside.
    whole: u64,
    /// Its beginning, for quoting.
    opening: String,
    letters: u32,
    gap: bool,
}

/// How much of a stream was read. Most turns are too short for a chant, and their text is not searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Heard {
    /// Too little for a chant.
    Little {
        text: String,
        /// The events it came with, and where in it each ends.
        events: Vec<(Line, usize)>,
    },
    Enough,
}

/// Texts of the last few turns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Said {
    texts: Last<SaidText, REMEMBERED>,
    /// The text of the turn that has just ended, if it was repeated too often.
    pub(crate) chant: Option<Chant>,
    /// The text of that turn, if an earlier turn had it.
    pub(crate) again: Option<SaidAgain>,
}

/// A text that an agent has written before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SaidAgain {
    pub(crate) mark: Mark,
    pub(crate) from: Line,
    pub(crate) excerpt: Option<Box<str>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SaidText {
    mark: Mark,
    times: u32,
    epoch: u32,
    from: Line,
    beside_work: bool,
}

impl Voices {
    /// Reads text. Progress since the last text starts a new stream.
    pub(super) fn hear(&mut self, text: &str, role: Role, line: Line, epoch: u32) {
        let stream = match role {
            Role::Assistant => &mut self.assistant,
            Role::Thinking => &mut self.thinking,
        };
        if stream.as_ref().is_some_and(|stream| stream.epoch != epoch) {
            *stream = None;
        }
        stream
            .get_or_insert_with(|| Box::new(Stream::new(line, epoch)))
            .hear(text, line);
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The chant in a stream, if there is one.
    pub(crate) fn chant(&self, role: Role) -> Option<&Chant> {
        let stream = match role {
            Role::Assistant => &self.assistant,
            Role::Thinking => &self.thinking,
        };
        stream.as_ref()?.chant.as_ref()
    }
}

/// A stream ends with its turn, so there is nothing to go back to.
impl Memory for Voices {
    fn commit(&mut self) {}

    fn rollback(&mut self) {
        self.clear();
    }

    fn fit(&mut self, _: &Self) -> Result<(), Unsound> {
        Ok(())
    }
}

impl Stream {
    fn new(line: Line, epoch: u32) -> Self {
        Self {
            heard: Heard::Little {
                text: String::new(),
                events: Vec::new(),
            },
            prose: Prose::default(),
            period: Period::default(),
            passages: Passages::default(),
            chant: None,
            from: line,
            epoch,
            whole: 0,
            opening: String::new(),
            letters: 0,
            gap: false,
        }
    }

    fn hear(&mut self, words: &str, line: Line) {
        for character in words.chars() {
            self.count(character);
        }
        match &mut self.heard {
            Heard::Little { text, events } if text.len() + words.len() < SHORTEST_CHANT => {
                text.push_str(words);
                events.push((line, text.len()));
                return;
            }
            Heard::Little { text, events } => {
                let (text, events) = (std::mem::take(text), std::mem::take(events));
                self.heard = Heard::Enough;
                let mut start = 0;
                for (line, end) in events {
                    self.search(text.get(start..end).unwrap_or_default(), line);
                    start = end;
                }
            }
            Heard::Enough => {}
        }
        self.search(words, line);
    }

    fn search(&mut self, text: &str, line: Line) {
        let Self {
            prose,
            period,
            passages,
            chant,
            ..
        } = self;
        for character in text.chars() {
            // Fast path for the most common case, with the same result.
            if character.is_ascii_lowercase() && prose.is_in_a_word() {
                read(Sign::Letter(character), period, passages, chant, line);
                continue;
            }
            prose.read(character, &mut |sign| {
                read(sign, period, passages, chant, line);
            });
        }
        if let Some(chant) = &mut self.chant
            && chant.at == line
        {
            chant.ended = self.period.position();
        }
    }

    fn count(&mut self, character: char) {
        if character.is_whitespace() {
            self.gap = true;
            return;
        }
        let gap = std::mem::take(&mut self.gap) && self.letters > 0;
        if self.letters <= EXCERPT as u32 {
            self.opening.extend(gap.then_some(' '));
            self.opening.push(character);
        }
        let letter = u64::from(character.to_ascii_lowercase());
        self.whole = hash::turn(self.whole, u64::from(gap) << 32 | letter);
        self.letters = self.letters.saturating_add(1);
    }
}

/// One sign of prose. A finding starts the search anew, so that no text counts for two findings.
#[inline]
fn read(
    sign: Sign,
    period: &mut Period,
    passages: &mut Passages,
    chant: &mut Option<Chant>,
    line: Line,
) {
    let position = period.position();
    let laps = match sign {
        Sign::Letter(letter) => period.letter(letter, line),
        Sign::Gap => period.letter(' ', line),
        Sign::Block(hash) => period.block(hash, line),
        Sign::LineEnd => None,
    };
    let alike = passages.read(sign, position, line);
    if laps.is_some() || alike.is_some() {
        found((laps, alike), (position, line), period, passages, chant);
    }
}

#[cold]
fn found(
    (laps, alike): (Option<Laps>, Option<SimilarPassages>),
    (position, line): (u64, Line),
    period: &mut Period,
    passages: &mut Passages,
    chant: &mut Option<Chant>,
) {
    let (start, found) = if let Some(laps) = laps {
        let found = Chant::new(
            period.mark(laps.period),
            laps.from,
            (laps.count, line),
            &period.lap(laps.period),
        );
        (laps.start, found)
    } else if let Some(alike) = alike {
        let mut found = Chant::new(
            alike.key,
            alike.from,
            (alike.count, line),
            &period.text(alike.last, EXCERPT + 1),
        );
        found.reworded = alike.reworded;
        (alike.first, found)
    } else {
        return;
    };
    period.restart();
    passages.restart();
    match chant {
        Some(chant) => {
            chant.count(start, position, line);
            chant.laps = chant.laps.saturating_add(found.laps);
            chant.reworded &= found.reworded;
        }
        None => *chant = Some(found),
    }
}

impl Chant {
    fn new(key: Mark, from: Line, (laps, at): (u32, Line), words: &str) -> Self {
        Self {
            key,
            from,
            found: 1,
            at,
            ended: 0,
            laps,
            reworded: false,
            excerpt: excerpt(words),
            beside_work: false,
        }
    }

    /// Records another finding. It counts if most of its text came after the last warning.
    fn count(&mut self, start: u64, end: u64, line: Line) {
        let heard = self.ended.saturating_sub(start);
        if self.at != line && heard * 2 <= end.saturating_sub(start) {
            self.found = self.found.saturating_add(1);
            self.at = line;
        }
    }
}

impl Said {
    /// Ends a turn: compares its text with those of earlier turns.
    pub(super) fn end_turn(&mut self, voices: &Voices, epoch: u32, worked: bool) {
        self.chant = None;
        self.again = None;
        let roles = [(&voices.assistant, 1), (&voices.thinking, 2)];
        for (stream, role) in roles {
            if let Some(stream) = stream
                && stream.letters >= SHORTEST_SAID
            {
                let chant = self.say(stream, role, epoch, worked);
                self.chant = self.chant.take().or(chant);
            }
        }
    }

    fn say(&mut self, stream: &Stream, role: u64, epoch: u32, worked: bool) -> Option<Chant> {
        let mark = Mark(stream.whole).join(Mark(role));
        let known = self.texts.take(|said| said.mark == mark);
        let mut said = known.unwrap_or(SaidText {
            mark,
            times: 0,
            epoch,
            from: stream.from,
            beside_work: false,
        });
        if said.epoch != epoch {
            said = SaidText {
                times: 0,
                epoch,
                from: stream.from,
                beside_work: false,
                ..said
            };
        }
        said.times = said.times.saturating_add(1);
        said.beside_work |= worked;
        if said.times > 1 {
            self.again = Some(SaidAgain {
                mark,
                from: said.from,
                excerpt: excerpt(&stream.opening),
            });
        }
        let chant = (said.times >= SAME_TURNS).then(|| Chant {
            found: said.times / SAME_TURNS,
            laps: said.times,
            beside_work: said.beside_work,
            ..Chant::new(mark, said.from, (0, 0), &stream.opening)
        });
        self.texts.push(said);
        chant
    }
}

/// The first characters on one line, without secrets; nothing where there are none.
fn excerpt(words: &str) -> Option<Box<str>> {
    let words = &*unstuck_text::redact_excerpt(words, EXCERPT);
    let end = words
        .char_indices()
        .nth(EXCERPT - 1)
        .filter(|(at, _)| words[*at..].chars().nth(1).is_some())
        .map(|(at, _)| at);
    let line = match end {
        Some(end) => one_line(&format!("{}…", words[..end].trim())),
        None => one_line(words.trim()),
    };
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
#[path = "speech_tests.rs"]
mod tests;
