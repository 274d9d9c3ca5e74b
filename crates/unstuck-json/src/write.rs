//! Writes canonical JSON while scanning: one pass, no tree.

use std::mem;

use super::order::{self, Member};
use super::scan::{Duplicates, Scanner};
use super::string::{Reading, closing_quote, run_end, special, write_char, write_quoted};
use super::{Json, JsonError};

/// Buffers a [`Scanner`](crate::Scanner) borrows, so that a stream of texts allocates once.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The members of the objects that are open, the innermost last.
    pub(crate) members: Vec<Member>,
    /// Where the members of an object are put in order.
    ordered: String,
    /// Where a value is written before its length is known.
    value: String,
    /// Objects whose members are put in order when the whole value is written, in the order of their ends.
    late: Vec<Late>,
    /// The members of those objects, in canonical order.
    spans: Vec<Span>,
    /// Bytes of the current value that were moved to put members in order at once.
    moved: usize,
    limit: MoveLimit,
}

/// How many bytes of a value are moved at most while its objects are put in order at once. Without a limit every level of
/// nesting would move everything inside it again.
#[derive(Clone, Copy, Debug)]
struct MoveLimit {
    /// For each byte of the value.
    per_byte: usize,
    /// For each value.
    free: usize,
}

impl Default for MoveLimit {
    fn default() -> Self {
        Self {
            per_byte: 4,
            free: 64 << 10,
        }
    }
}

impl MoveLimit {
    fn of(self, bytes: usize) -> usize {
        self.per_byte * bytes + self.free
    }
}

/// An object in the output whose members are not in order yet.
#[derive(Clone, Debug)]
struct Late {
    /// Its members in the output, without the braces.
    text: Span,
    /// Where its members begin and end in `spans`.
    members: (usize, usize),
}

/// A part of the output.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
}

/// A buffer that grew beyond this for one huge value is given back.
const KEEP_CAPACITY: usize = 1 << 20;

/// Members or spans kept between two values, in entries.
const KEEP_ENTRIES: usize = KEEP_CAPACITY / size_of::<Member>();

impl Scratch {
    /// Forgets the value before, which may have ended in an error.
    pub(crate) fn begin(&mut self) {
        self.members.clear();
        self.late.clear();
        self.spans.clear();
        self.moved = 0;
    }

    /// Sorts the members from `base` on, which are the tail of `out`; of equal keys the last stays. Returns how many did
    /// not stay. `value` is where the whole value begins in `out`.
    ///
    /// The text is put in order here, or by [`Self::finish`] where moving it now would be too much.
    pub(crate) fn order_members(&mut self, base: usize, out: &mut String, value: usize) -> usize {
        let members = &mut self.members[base..];
        let mut dropped = 0;
        let Some(first) = members.first().map(|member| member.start) else {
            return dropped;
        };
        let bytes = out.as_bytes();
        let moved = self.moved + (bytes.len() - first);
        let holds_late = self
            .late
            .last()
            .is_some_and(|inner| inner.text.start >= first);
        order::sort(members, bytes);
        let is_replaced = |place: usize, member: &Member| {
            members.get(place + 1).is_some_and(|next| {
                next.prefix == member.prefix && next.key(bytes) == member.key(bytes)
            })
        };
        if holds_late || moved > self.limit.of(bytes.len() - value) {
            let from = self.spans.len();
            for (place, member) in members.iter().enumerate() {
                if is_replaced(place, member) {
                    dropped += 1;
                    continue;
                }
                self.spans.push(Span {
                    start: member.start,
                    end: member.end,
                });
            }
            self.late.push(Late {
                text: Span {
                    start: first,
                    end: bytes.len(),
                },
                members: (from, self.spans.len()),
            });
            return dropped;
        }
        self.moved = moved;
        self.ordered.clear();
        for (place, member) in members.iter().enumerate() {
            if is_replaced(place, member) {
                dropped += 1;
                continue;
            }
            if !self.ordered.is_empty() {
                self.ordered.push(',');
            }
            self.ordered.push_str(&out[member.start..member.end]);
        }
        out.truncate(first);
        out.push_str(&self.ordered);
        dropped
    }

    /// Puts the objects that were left for later in order, all in one pass over the value that begins at `value`.
    pub(crate) fn finish(&mut self, out: &mut String, value: usize) {
        if self.late.is_empty() {
            return;
        }
        self.late.sort_unstable_by_key(|late| late.text.start);
        let mut ordered = mem::take(&mut self.ordered);
        ordered.clear();
        let whole = Span {
            start: value,
            end: out.len(),
        };
        self.copy(whole, out, &mut ordered);
        out.truncate(value);
        out.push_str(&ordered);
        self.ordered = ordered;
    }

    /// Appends a part of `out` to `ordered`, with the members of its objects in order. Recursion is bounded by the depth
    /// of the value.
    fn copy(&self, part: Span, out: &str, ordered: &mut String) {
        let mut at = part.start;
        loop {
            // An object around this part may begin where the part does, one inside it begins later.
            let next = self.late.partition_point(|late| late.text.start <= at);
            let Some(late) = self.late.get(next).filter(|late| late.text.end <= part.end) else {
                break;
            };
            ordered.push_str(&out[at..late.text.start]);
            let (from, to) = late.members;
            for (place, member) in self.spans[from..to].iter().enumerate() {
                if place > 0 {
                    ordered.push(',');
                }
                self.copy(*member, out, ordered);
            }
            at = late.text.end;
        }
        ordered.push_str(&out[at..part.end]);
    }

    fn give_back(&mut self) {
        self.begin();
        self.members.shrink_to(KEEP_ENTRIES);
        self.late.shrink_to(KEEP_ENTRIES);
        self.spans.shrink_to(KEEP_ENTRIES);
        self.ordered.clear();
        self.ordered.shrink_to(KEEP_CAPACITY);
        self.value.clear();
        self.value.shrink_to(KEEP_CAPACITY);
    }
}

impl Scanner<'_, '_> {
    /// The next value, owned.
    pub fn canonical(&mut self) -> Result<Json, JsonError> {
        if let Some(json) = self.canonical_string()? {
            return Ok(json);
        }
        let mut value = mem::take(&mut self.scratch.value);
        let written = self.canonical_into(&mut value);
        let json = written.map(|()| Json(value.as_str().into()));
        self.scratch.value = value;
        self.scratch.give_back();
        json
    }

    /// Passes over the next value as [`Self::canonical`] would, with the same errors, and keeps nothing of it.
    pub fn check_value(&mut self) -> Result<(), JsonError> {
        let mut value = mem::take(&mut self.scratch.value);
        let written = self.canonical_into(&mut value);
        self.scratch.value = value;
        self.scratch.give_back();
        written
    }

    /// The next value if it is a string that is spelled canonically: most long values are, and one copy is enough.
    fn canonical_string(&mut self) -> Result<Option<Json>, JsonError> {
        if self.next_byte()? != b'"' {
            return Ok(None);
        }
        let end = run_end(self.text.as_bytes(), self.at + 1);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return Ok(None);
        }
        let string = &self.text[self.at..=end];
        self.at = end + 1;
        Ok(Some(Json(string.into())))
    }

    /// Appends the canonical form of the next value to `out`, which an error leaves as it was.
    pub fn canonical_into(&mut self, out: &mut String) -> Result<(), JsonError> {
        let before = out.len();
        self.scratch.begin();
        self.value = before;
        let written = self.write_value(out, 1);
        if written.is_err() {
            out.truncate(before);
        } else {
            self.scratch.finish(out, before);
        }
        written
    }

    fn write_value(&mut self, out: &mut String, depth: usize) -> Result<(), JsonError> {
        match self.next_byte()? {
            b'"' => self.write_string(out),
            b'{' => self.write_object(out, depth),
            b'[' => self.write_array(out, depth),
            b't' => self.write_literal(out, "true"),
            b'f' => self.write_literal(out, "false"),
            b'n' => self.write_literal(out, "null"),
            b'-' | b'0'..=b'9' => self.write_number(out),
            _ => Err(self.expected("a value")),
        }
    }

    fn write_object(&mut self, out: &mut String, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        out.push('{');
        if self.next_byte()? == b'}' {
            self.at += 1;
            out.push('}');
            return Ok(());
        }
        self.key_quote(true)?;
        let base = self.scratch.members.len();
        let mut in_order = true;
        loop {
            let start = out.len();
            self.write_string(out)?;
            let key_end = out.len();
            self.colon()?;
            out.push(':');
            self.write_value(out, depth + 1)?;
            let members = &mut self.scratch.members;
            members.push(Member::new(out.as_bytes(), start, key_end));
            if let [.., previous, last] = &members[base..] {
                in_order = in_order && previous.compare(last, out.as_bytes()).is_lt();
            }
            match self.next_byte()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
            out.push(',');
            self.key_quote(false)?;
        }
        self.at += 1;
        if !in_order
            && self.scratch.order_members(base, out, self.value) > 0
            && self.duplicates == Duplicates::Refused
        {
            return Err(JsonError::DuplicateKey { at: self.at });
        }
        self.scratch.members.truncate(base);
        out.push('}');
        Ok(())
    }

    fn write_array(&mut self, out: &mut String, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        out.push('[');
        if self.next_byte()? == b']' {
            self.at += 1;
            out.push(']');
            return Ok(());
        }
        loop {
            self.write_value(out, depth + 1)?;
            match self.next_byte()? {
                b',' => self.at += 1,
                b']' => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
            out.push(',');
        }
        self.at += 1;
        out.push(']');
        Ok(())
    }

    /// Copies the string at the cursor, quotes included, and rewrites only the parts that are not canonical.
    fn write_string(&mut self, out: &mut String) -> Result<(), JsonError> {
        let bytes = self.text.as_bytes();
        let mut run = self.at;
        let mut at = run_end(bytes, run + 1);
        while let Some(&byte) = bytes.get(at)
            && byte != b'"'
        {
            out.push_str(&self.text[run..at]);
            let (character, end) = special(bytes, at, self.reading)?;
            write_char(character, out);
            run = end;
            at = run_end(bytes, end);
        }
        closing_quote(bytes, at)?;
        out.push_str(&self.text[run..=at]);
        self.at = at + 1;
        Ok(())
    }

    #[inline]
    fn write_literal(&mut self, out: &mut String, word: &'static str) -> Result<(), JsonError> {
        self.literal(word)?;
        out.push_str(word);
        Ok(())
    }

    #[inline]
    fn write_number(&mut self, out: &mut String) -> Result<(), JsonError> {
        let at = self.at;
        let number = self.number()?;
        if number.write(out) {
            return Ok(());
        }
        match self.reading {
            Reading::Exact => Err(JsonError::NumberBeyondDouble { at }),
            Reading::Lossy => {
                write_quoted(number.text, out);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
