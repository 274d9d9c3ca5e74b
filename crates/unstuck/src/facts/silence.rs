//! Results that say nothing: no output, an acknowledgement, or the answer that there is nothing.
//!
//! Different calls that return such results are not alike. `rm a` and `rm b` are both silent where they work, and a name
//! that is in none of forty places is looked for forty times.

use std::borrow::Cow;

use crate::vocab::{
    acknowledgements,
    phrases::{replies, texts},
};
use unstuck_json::{Json, JsonKind};

/// Longer results say something.
const LONGEST: usize = 320;

/// An acknowledgement has no more words than this beside the known ones: what was done, and to what.
const OTHER_WORDS: usize = 3;

static ACKNOWLEDGING: Words = Words::new(&acknowledgements::ACKNOWLEDGING);
static COUNTED: Words = Words::new(&acknowledgements::COUNTED);
static FILLING: Words = Words::new(&acknowledgements::FILLING);
static NEGATING: Words = Words::new(&acknowledgements::NEGATING);

const WRAPPING: [&str; replies::SILENT_WRAPPING.len()] = texts(&replies::SILENT_WRAPPING);

const NOTES: [&str; replies::NOTES.len()] = texts(&replies::NOTES);

/// Whether a successful result says no more than that the call was carried out, or that there is nothing.
pub(super) fn says_nothing(output: Option<&Json>) -> bool {
    let Some(output) = output else {
        return true;
    };
    if output.as_str().len() > LONGEST {
        return false;
    }
    let text = match output.view().kind() {
        JsonKind::Null | JsonKind::Bool => return true,
        JsonKind::Number => return output.as_str() == "0",
        JsonKind::String => output.view().text().unwrap_or_default(),
        JsonKind::Array | JsonKind::Object => Cow::Borrowed(output.as_str()),
    };
    let (mut acknowledged, mut empty, mut failed, mut others) = (false, false, false, 0);
    let mut before = "";
    for word in words(&text) {
        if NEGATING.has(word) {
            return false;
        }
        let acknowledges = ACKNOWLEDGING.has(word);
        acknowledged |= acknowledges;
        failed |= word.eq_ignore_ascii_case("error");
        // `no matches`, `0 results`, `none`, `nothing found`
        empty |= matches!(lower(word).as_ref(), "none" | "nothing")
            || (is_zero(before) && COUNTED.has(word));
        let known = is_wrapping(word)
            || matches!(word, "0")
            || acknowledges
            || COUNTED.has(word)
            || FILLING.has(word);
        others += usize::from(!known);
        if others > OTHER_WORDS {
            return false;
        }
        before = word;
    }
    (acknowledged && !failed) || empty || others == 0
}

/// Whether a successful result is a few words that neither deny nor complain: `active`, `1 row affected`, `All checks passed!`.
pub(super) fn says_little(output: Option<&Json>) -> bool {
    const FEW: usize = 6;
    let Some(output) = output.filter(|output| output.as_str().len() <= LONGEST) else {
        return false;
    };
    let text = output.view().text();
    let text = text.as_deref().unwrap_or(output.as_str());
    let mut left = FEW;
    words(text).all(|word| {
        let told = !is_wrapping(word) && word != "0";
        let denies = NEGATING.has(word) || word.eq_ignore_ascii_case("error");
        let fits = !denies && (!told || left > 0);
        left -= usize::from(told && left > 0);
        fits
    })
}

/// Whether a text is only what hosts put around the output of a command that printed nothing, with this exit code.
pub(super) fn is_only_wrapping(text: &str, code: &str) -> bool {
    words(text).all(|word| word == code || is_wrapping(word) || word.eq_ignore_ascii_case("the"))
}

/// Whether a line is only what a host writes about the exit code of a command: `Exit code 2`.
pub(super) fn is_only_exit_code(line: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut codes = 0;
    words(line).all(|word| {
        codes += usize::from(is_number(word));
        is_number(word) || is_wrapping(word)
    }) && codes == 1
}

/// The words of a text, without lines that state where a command ran.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !is_note(line));
    let words = lines.flat_map(|line| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '\'')
    });
    words.filter(|word| !word.is_empty())
}

fn is_note(line: &str) -> bool {
    let note = line
        .trim()
        .strip_prefix('[')
        .filter(|_| line.ends_with(']'));
    note.is_some_and(|note| note.contains(':') && NOTES.iter().any(|first| note.starts_with(first)))
}

fn is_wrapping(word: &str) -> bool {
    matches!(word, "null" | "with")
        || WRAPPING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
}

fn is_zero(word: &str) -> bool {
    word == "0" || word.eq_ignore_ascii_case("no") || word.eq_ignore_ascii_case("zero")
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        word.to_ascii_lowercase().into()
    } else {
        word.into()
    }
}

/// Words in order and in lower case. Most words of a result are in no list, and are found not to be by their first letter
/// and their length.
struct Words {
    words: &'static [&'static str],
    /// For each first letter the lengths of the words that start with it, one bit each.
    lengths: [u32; 26],
}

impl Words {
    const fn new(words: &'static [&'static str]) -> Self {
        let mut lengths = [0; 26];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            lengths[(word[0] - b'a') as usize] |= 1 << word.len();
            at += 1;
        }
        Self { words, lengths }
    }

    fn has(&self, word: &str) -> bool {
        let Some(first) = word.bytes().next().map(|first| first.to_ascii_lowercase()) else {
            return false;
        };
        let lengths = self.lengths.get(usize::from(first.wrapping_sub(b'a')));
        let length = u32::try_from(word.len()).unwrap_or(u32::MAX);
        let may_be =
            lengths.is_some_and(|lengths| lengths.checked_shr(length).unwrap_or(0) & 1 == 1);
        may_be && self.words.binary_search(&lower(word).as_ref()).is_ok()
    }
}

#[cfg(test)]
#[path = "silence_tests.rs"]
mod tests;
