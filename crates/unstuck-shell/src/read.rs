//! Reads of one file, whichever command does it, with the lines that are read.

use crate::{
    command::Core,
    flags::{self, Argument, Side},
    programs::Prints,
    script::RedirectKind,
    word::{Word, quote},
};

/// A file, or a part of it, that a command prints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Read {
    /// The path, as the command and its directory say it.
    pub path: String,
    /// Which lines.
    pub range: Range,
}

/// The lines that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Range {
    /// All of them.
    Whole,
    /// From one line to another, both included and counted from 1; to the end where there is no other.
    Lines {
        /// The first line.
        from: u64,
        /// The last line.
        to: Option<u64>,
    },
    /// So many at the end.
    Last(u64),
}

impl Range {
    fn lines(from: u64, to: Option<u64>) -> Option<Self> {
        match (from, to) {
            (0, _) => None,
            (1, None) => Some(Self::Whole),
            (_, Some(to)) if to < from => None,
            _ => Some(Self::Lines { from, to }),
        }
    }

    /// These lines of those lines.
    fn of(self, outer: Self) -> Option<Self> {
        match (outer, self) {
            (outer, Self::Whole) => Some(outer),
            (Self::Whole, inner) => Some(inner),
            (
                Self::Lines { from, to },
                Self::Lines {
                    from: first,
                    to: last,
                },
            ) => {
                let last = last.map(|last| from.saturating_add(last) - 1);
                let to = match (to, last) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
                Self::lines(from.saturating_add(first) - 1, to)
            }
            (Self::Lines { from, to: Some(to) }, Self::Last(count)) => {
                Self::lines(from.max(to.saturating_sub(count) + 1), Some(to))
            }
            (Self::Lines { to: None, .. }, Self::Last(count)) => Some(Self::Last(count)),
            (Self::Last(one), Self::Last(other)) => Some(Self::Last(one.min(other))),
            (Self::Last(_), Self::Lines { .. }) => None,
        }
    }
}

/// What a command prints: a file, or what it is given.
struct Printed<'c> {
    path: Option<&'c str>,
    range: Range,
}

/// The read of one file that a pipeline begins with.
#[derive(Clone, Copy)]
pub(crate) struct LongestRead<'c> {
    pub(crate) path: &'c str,
    pub(crate) range: Range,
    /// How many commands of the pipeline it takes up.
    pub(crate) commands: usize,
}

/// The file that a pipeline prints, with as many of the commands behind it as only choose lines.
pub(crate) fn of_pipeline<'c>(pipeline: &[Core<'c, '_>]) -> Option<LongestRead<'c>> {
    let (first, filters) = pipeline.split_first()?;
    let printed = printed(first)?;
    let mut read = LongestRead {
        path: printed.path?,
        range: printed.range,
        commands: 1,
    };
    for filter in filters {
        let filtered = self::printed(filter).filter(|filtered| filtered.path.is_none());
        let Some(range) = filtered.and_then(|filtered| filtered.range.of(read.range)) else {
            break;
        };
        read.range = range;
        read.commands += 1;
    }
    Some(read)
}

/// Appends the command that stands for all that read these lines.
pub(crate) fn write(path: &str, range: Range, out: &mut String) {
    let command = match range {
        Range::Whole => "cat ",
        Range::Lines { from, to } => match to {
            Some(to) if to == from => &format!("sed -n {from}p "),
            Some(to) => &format!("sed -n {from},{to}p "),
            None => &format!("sed -n '{from},$p' "),
        },
        Range::Last(count) => &format!("tail -n {count} "),
    };
    out.push_str(command);
    quote(path, out);
}

fn printed<'c>(core: &Core<'c, '_>) -> Option<Printed<'c>> {
    let mut input = None;
    for redirect in core.redirects() {
        match redirect.kind {
            RedirectKind::Input if input.is_none() => input = Some(redirect.target.as_literal()?),
            _ if !redirect.matters() => {}
            _ => return None,
        }
    }
    let Printed { path, range } = match core.known().prints {
        Prints::No => return None,
        Prints::Whole => whole(&Given::of(core)?)?,
        Prints::Head => end(&Given::of(core)?, |count| {
            Range::lines(1, Some(count.parse().ok()?))
        })?,
        Prints::Tail => end(&Given::of(core)?, |count| match count.strip_prefix('+') {
            Some(from) => Range::lines(from.parse::<u64>().ok()?.max(1), None),
            None => Some(Range::Last(count.parse().ok()?)),
        })?,
        Prints::Sed => sed(&Given::of(core)?)?,
        Prints::Awk => awk(core.arguments())?,
    };
    if path.is_some_and(|path| path.is_empty() || path == "-")
        || (path.is_some() && input.is_some())
    {
        return None;
    }
    let path = path.or(input).filter(|path| !path.is_empty());
    Some(Printed { path, range })
}

/// What a program is given, whatever the order of its options and however they are written together: the canonical form
/// of a command has to be the same read as the command.
#[derive(Default)]
struct Given<'c> {
    /// Short options without a value.
    letters: Vec<char>,
    /// Short and long options with their values.
    valued: Vec<(&'c str, char, &'c str)>,
    /// Other options.
    options: Vec<&'c str>,
    operands: Vec<&'c str>,
}

impl<'c> Given<'c> {
    /// `None` if a word is not literal, or if an option lacks its value.
    fn of(core: &Core<'c, '_>) -> Option<Self> {
        let mut given = Self::default();
        let mut complete = true;
        flags::split(
            core.known(),
            core.arguments().iter(),
            |argument, side| match (argument, side) {
                (Argument::Word(word), _) => match (word.as_literal(), side) {
                    (Some(text), Side::Option) => given.options.push(text),
                    (Some(text), Side::Rest) if !word.is_flag() => given.operands.push(text),
                    _ => complete = false,
                },
                (Argument::Letter(letter), Side::Option) => given.letters.push(letter),
                (Argument::Letter(_), Side::Rest) => complete = false,
                (Argument::Joined(letter, value), _) => given.valued.push(("", letter, value)),
                (Argument::Valued(letter, value), _) => match value.as_literal() {
                    Some(value) => given.valued.push(("", letter, value)),
                    None => complete = false,
                },
                (Argument::Long(name, value), _) => match value.as_literal() {
                    Some(value) => given.valued.push((name.text(), '\0', value)),
                    None => complete = false,
                },
            },
        );
        complete.then_some(given)
    }

    /// These lines of the one operand, or of the input. `None` if there are more operands, or if it is not the name of a
    /// file.
    fn lines(&self, range: Range) -> Option<Printed<'c>> {
        let path = match self.operands.as_slice() {
            [] => None,
            [operand] if !operand.starts_with('+') => Some(*operand),
            _ => return None,
        };
        Some(Printed { path, range })
    }
}

/// What a command prints whose options do not change which lines are printed.
fn whole<'c>(given: &Given<'c>) -> Option<Printed<'c>> {
    // `bat -r 1:5`
    let chooses = |text: &&str| text.starts_with("--line-range") || *text == "-r";
    if given.letters.contains(&'r') || given.options.iter().any(chooses) {
        return None;
    }
    given.lines(Range::Whole)
}

/// What `head` and `tail` print.
fn end<'c>(given: &Given<'c>, range: impl Fn(&str) -> Option<Range>) -> Option<Printed<'c>> {
    let known = |letter: &char| matches!(letter, 'q' | 'v');
    if !given.letters.iter().all(known) {
        return None;
    }
    let lines = given
        .options
        .iter()
        .map(|text| text.strip_prefix("--lines="));
    let mut counts = lines.chain(
        given
            .valued
            .iter()
            .map(|(name, letter, value)| (*letter == 'n' || *name == "--lines").then_some(*value)),
    );
    let count = counts.next().unwrap_or(Some("10"))?;
    if counts.next().is_some() {
        return None;
    }
    // `head -n -5` counts from the other side.
    let digits = count.strip_prefix('+').unwrap_or(count);
    if !is_number(digits) {
        return None;
    }
    given.lines(range(count)?)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `sed -n '5,10p' file`
fn sed<'c>(given: &Given<'c>) -> Option<Printed<'c>> {
    let is_quiet = |text: &&str| matches!(*text, "--quiet" | "--silent");
    let known = |letter: &char| matches!(letter, 'n' | 'E' | 'r' | 's');
    if !given.options.iter().all(is_quiet) || !given.letters.iter().all(known) {
        return None;
    }
    let operands = given.operands.as_slice();
    let (script, operands) = match given.valued.as_slice() {
        [] => operands.split_first()?,
        [(_, 'e', script)] => (script, operands),
        _ => return None,
    };
    let path = match operands {
        [] => None,
        [operand] => Some(*operand),
        _ => return None,
    };
    let quiet = given.letters.contains(&'n') || !given.options.is_empty();
    let range = sed_range(script.trim()).filter(|_| quiet)?;
    Some(Printed { path, range })
}

/// `5p`, `5,10p`, `5,$p`, `5,+10p`
fn sed_range(script: &str) -> Option<Range> {
    let lines = script.strip_suffix('p')?.trim();
    let Some((from, to)) = lines.split_once(',') else {
        let line = lines.parse().ok()?;
        return Range::lines(line, Some(line));
    };
    let from: u64 = from.trim().parse().ok()?;
    let to = match to.trim() {
        "$" => None,
        to => match to.strip_prefix('+') {
            Some(more) => Some(from.checked_add(more.parse().ok()?)?),
            // `sed` prints the first line of a range that ends before it.
            None => Some(to.parse::<u64>().ok()?.max(from)),
        },
    };
    Range::lines(from, to)
}

/// `awk 'NR>=5 && NR<=10' file`
fn awk<'c>(words: &'c [Word<'_>]) -> Option<Printed<'c>> {
    let (script, path) = match words {
        [script] => (script, None),
        [script, file] => (script, Some(file.as_literal()?)),
        _ => return None,
    };
    let script: String = script.as_literal()?.split_whitespace().collect();
    let condition = script
        .strip_suffix("{print}")
        .or_else(|| script.strip_suffix("{print$0}"));
    let condition = condition.unwrap_or(&script);
    let (from, to) = condition
        .split_once("&&")
        .map(|(from, to)| (from.strip_prefix("NR>="), to.strip_prefix("NR<=")))
        .or_else(|| {
            let (from, to) = condition.split_once(',')?;
            Some((from.strip_prefix("NR=="), to.strip_prefix("NR==")))
        })?;
    let range = Range::lines(from?.parse().ok()?, Some(to?.parse().ok()?))?;
    if path.is_some_and(|path: &str| path.starts_with('-')) {
        return None;
    }
    Some(Printed { path, range })
}
