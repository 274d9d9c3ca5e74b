//! JSON objects in the lines of a log: behind a prefix such as a time and a level, or printed over many lines.
//!
//! Whether bytes can be JSON is decided by brackets, strings and the characters between them, once for each byte; the
//! objects found are still to be parsed. Memory holds one object.

use memchr::{memchr, memchr2};

/// A longer prefix is not one of a log.
const LONGEST_PREFIX: usize = 512;
/// Braces that a prefix may have before the object.
const CANDIDATES: usize = 4;
/// Deeper objects are not looked for.
const DEEPEST: usize = 512;

/// Letters of the words of JSON, and of those that Python adds to them.
const WORDS: &[u8] = b"aefilnrstuyEIN";

/// Takes the lines of a log one by one and hands over the objects in them.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// An object that goes on in the next line.
    open: Option<Open>,
}

/// An object that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    /// The line it begins on.
    pub(crate) line: u64,
    pub(crate) text: &'a [u8],
    /// Whether a reader of JSON lines would miss it: it has a prefix, or goes over several lines.
    pub(crate) is_wrapped: bool,
}

/// An object that begins like one of an agent and has no end, or one that nests too deep. Nothing of it is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// The line it begins on.
    pub(crate) line: u64,
}

#[derive(Debug)]
struct Open {
    line: u64,
    /// What stood before it; loggers that break lines repeat it.
    prefix: Box<[u8]>,
    text: Vec<u8>,
    scan: Scan,
}

impl Objects {
    /// The objects that end on this line.
    pub(crate) fn line(
        &mut self,
        number: u64,
        line: &[u8],
        each: &mut dyn FnMut(Object<'_>),
    ) -> Result<(), Lost> {
        let Some(mut open) = self.open.take() else {
            return self.begin(number, line, true, each);
        };
        let part = without_prefix(&open.prefix, line);
        let fits = open.text.len() + part.len() < unstuck::event::MAX_LINE_BYTES;
        match open.scan.feed(part) {
            Step::More if fits => {
                open.text.push(b'\n');
                open.text.extend_from_slice(part);
                self.open = Some(open);
                Ok(())
            }
            Step::Whole(end) if fits => {
                open.text.push(b'\n');
                open.text.extend_from_slice(&part[..end]);
                each(Object {
                    line: open.line,
                    text: &open.text,
                    is_wrapped: true,
                });
                self.begin(number, &part[end..], false, each)
            }
            Step::More | Step::Whole(_) | Step::Broken => {
                let next = self.begin(number, line, true, each);
                if is_of_agent(&open.text) {
                    return Err(Lost { line: open.line });
                }
                next
            }
        }
    }

    /// Forgets an open object that begins on this line.
    pub(crate) fn forget(&mut self, line: u64) {
        self.open.take_if(|open| open.line == line);
    }

    /// There are no more lines: the object that was to go on, if it begins like one of an agent.
    pub(crate) fn end(&mut self) -> Option<Lost> {
        let open = self.open.take()?;
        is_of_agent(&open.text).then_some(Lost { line: open.line })
    }

    /// Whether an object goes on in the next line.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The objects of a line that none goes on in.
    fn begin(
        &mut self,
        number: u64,
        line: &[u8],
        may_have_prefix: bool,
        each: &mut dyn FnMut(Object<'_>),
    ) -> Result<(), Lost> {
        let mut lost = Ok(());
        let (mut rest, mut may_have_prefix) = (line, may_have_prefix);
        loop {
            rest = trim(rest);
            let starts = if may_have_prefix {
                CANDIDATES
            } else {
                usize::from(rest.starts_with(b"{"))
            };
            let mut found = None;
            for at in starts_of_objects(rest).take(starts) {
                let mut scan = Scan::default();
                match scan.feed(&rest[at..]) {
                    Step::Broken => {
                        if is_of_agent(&rest[at..]) || scan.open.len() == DEEPEST {
                            lost = Err(Lost { line: number });
                        }
                    }
                    step => {
                        found = Some((at, step, scan));
                        break;
                    }
                }
            }
            match found {
                None => return lost,
                Some((at, Step::Whole(length), _)) => {
                    each(Object {
                        line: number,
                        text: &rest[at..at + length],
                        is_wrapped: at > 0,
                    });
                    rest = &rest[at + length..];
                    may_have_prefix = false;
                }
                Some((at, _, scan)) => {
                    self.open = Some(Open {
                        line: number,
                        prefix: rest[..at].into(),
                        text: rest[at..].to_vec(),
                        scan,
                    });
                    return lost;
                }
            }
        }
    }
}

/// Where objects may begin in a line: at braces with a key, an end, or the end of the line behind them.
fn starts_of_objects(line: &[u8]) -> impl Iterator<Item = usize> {
    let head = &line[..line.len().min(LONGEST_PREFIX)];
    // Behind this, text is that of an object rather than a prefix.
    let last = head.windows(2).position(|pair| pair == b"{\"");
    let end = last.map_or(head.len(), |last| last + 1);
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = at + memchr(b'{', line.get(at..end)?)?;
        at = found + 1;
        Some(found)
    })
    .filter(|at| matches!(trim(&line[at + 1..]).first(), None | Some(b'"' | b'}')))
}

/// Whether a text begins like an event of an agent.
fn is_of_agent(text: &[u8]) -> bool {
    text.strip_prefix(b"{")
        .is_some_and(|members| trim(members).starts_with(b"\"type\""))
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_start()
}

/// A line without a prefix that is like this one: the same signs, with any digits, letters and blanks between them.
fn without_prefix<'a>(prefix: &[u8], line: &'a [u8]) -> &'a [u8] {
    let (mut prefix, mut rest) = (trim(prefix), trim(line));
    while let Some(sign) = prefix.first() {
        let kind = Kind::of(*sign);
        let run = |bytes: &[u8]| match kind {
            Kind::Sign => usize::from(bytes.first() == Some(sign)),
            _ => bytes
                .iter()
                .take_while(|byte| Kind::of(**byte) == kind)
                .count(),
        };
        let (expected, found) = (run(prefix), run(rest));
        if found == 0 {
            // A line that holds only a prefix is written without the blanks behind it.
            return if rest.is_empty() && kind == Kind::Blank {
                rest
            } else {
                line
            };
        }
        prefix = &prefix[expected..];
        rest = &rest[found..];
    }
    rest
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Letter,
    Blank,
    Sign,
}

impl Kind {
    fn of(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' => Self::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Self::Letter,
            b' ' | b'\t' => Self::Blank,
            _ => Self::Sign,
        }
    }
}

/// How far an object has been followed.
#[derive(Clone, Debug, Default)]
struct Scan {
    /// The brackets that are open.
    open: Vec<u8>,
    /// The last byte that is not blank; any for one of a value.
    last: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It goes on.
    More,
    /// It ends before this byte.
    Whole(usize),
    /// It is not JSON, or is cut off: no string goes over the end of a line.
    Broken,
}

impl Scan {
    fn feed(&mut self, bytes: &[u8]) -> Step {
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            at += 1;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b'"' => match string_end(bytes, at) {
                    Some(end) => at = end,
                    None => return Step::Broken,
                },
                b'{' | b'[' => {
                    let may_begin = match self.open.last() {
                        None => true,
                        Some(b'{') => self.last == b':',
                        Some(_) => matches!(self.last, b'[' | b','),
                    };
                    if !may_begin || self.open.len() == DEEPEST {
                        return Step::Broken;
                    }
                    self.open.push(byte);
                }
                b'}' | b']' => {
                    let opened = if byte == b'}' { b'{' } else { b'[' };
                    if self.open.pop() != Some(opened) {
                        return Step::Broken;
                    }
                    if self.open.is_empty() {
                        return Step::Whole(at);
                    }
                }
                b',' | b':' | b'-' | b'+' | b'.' | b'0'..=b'9' => {}
                letter if WORDS.contains(&letter) => {}
                _ => return Step::Broken,
            }
            self.last = byte;
        }
        Step::More
    }
}

/// Where the string that starts at `at`, behind its quote, ends.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
