//! Writes canonical JSON from values that are given one after the other: one pass, no text in between.

use std::{fmt::Write as _, mem};

use super::number::Number;
use super::order::Member;
use super::scan::MAX_DEPTH;
use super::string::write_quoted;
use super::write::Scratch;
use super::{Json, JsonError, JsonRef};

/// Puts a value together that lies in the objects of another language. Its text would be written, read and put in order;
/// this does all of it at once.
///
/// Members may come in any order, and of two with the same name the last is taken. What is left open at the end is closed.
///
/// ```
/// use unstuck_json::{Composer, Json};
///
/// let mut composer = Composer::default();
/// composer.begin_object();
/// composer.name("path");
/// composer.string("src/\"a\".rs");
/// composer.name("lines");
/// composer.begin_array();
/// composer.integer(1);
/// composer.number("2.50");
/// composer.end();
/// composer.end();
/// let json = composer.finish()?;
/// assert_eq!(json, Json::parse(r#"{"lines":[1,2.5],"path":"src/\"a\".rs"}"#)?);
/// # Ok::<(), unstuck_json::JsonError>(())
/// ```
#[derive(Debug, Default)]
pub struct Composer {
    out: String,
    scratch: Scratch,
    open: Vec<Container>,
    /// Whether there were more levels of arrays and objects than a value may have.
    too_deep: bool,
}

/// An array or object that is open.
#[derive(Debug)]
enum Container {
    Array {
        is_empty: bool,
    },
    Object {
        /// Where its members begin in the scratch.
        base: usize,
        in_order: bool,
        /// The member that is being written: where it begins, and the end of its name.
        member: Option<(usize, usize)>,
        is_empty: bool,
    },
}

impl Composer {
    /// A composer with room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            out: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Begins an object: names and values follow in turn, until [`end`](Self::end).
    pub fn begin_object(&mut self) {
        self.begin('{');
        let base = self.scratch.members.len();
        self.open.push(Container::Object {
            base,
            in_order: true,
            member: None,
            is_empty: true,
        });
    }

    /// Names the next member of the object begun last. Outside of an object, and where a name has no value yet, it is
    /// ignored.
    pub fn name(&mut self, name: &str) {
        let Some(Container::Object {
            member: member @ None,
            is_empty,
            ..
        }) = self.open.last_mut()
        else {
            return;
        };
        if !mem::take(is_empty) {
            self.out.push(',');
        }
        let start = self.out.len();
        write_quoted(name, &mut self.out);
        *member = Some((start, self.out.len()));
        self.out.push(':');
    }

    /// Begins an array: elements follow, until [`end`](Self::end).
    pub fn begin_array(&mut self) {
        self.begin('[');
        self.open.push(Container::Array { is_empty: true });
    }

    /// Ends the array or object begun last. A name without a value has `null`.
    pub fn end(&mut self) {
        if let Some(Container::Object {
            member: Some(_), ..
        }) = self.open.last()
        {
            self.null();
        }
        match self.open.pop() {
            None => return,
            Some(Container::Array { .. }) => self.out.push(']'),
            Some(Container::Object { base, in_order, .. }) => {
                if !in_order {
                    self.scratch.order_members(base, &mut self.out, 0);
                }
                self.scratch.members.truncate(base);
                self.out.push('}');
            }
        }
        self.ended();
    }

    /// Appends a string.
    pub fn string(&mut self, text: &str) {
        self.separate();
        write_quoted(text, &mut self.out);
        self.ended();
    }

    /// Appends an integer.
    pub fn integer(&mut self, integer: i64) {
        self.separate();
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{integer}");
        self.ended();
    }

    /// Appends a number that is spelled as in JSON. One that no double can hold is a string of its digits, as is what is
    /// not a number.
    pub fn number(&mut self, text: &str) {
        self.separate();
        let before = self.out.len();
        let written = Number::scan(text, 0)
            .is_ok_and(|number| number.text.len() == text.len() && number.write(&mut self.out));
        if !written {
            self.out.truncate(before);
            write_quoted(text, &mut self.out);
        }
        self.ended();
    }

    /// Appends `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// Appends `null`.
    pub fn null(&mut self) {
        self.raw("null");
    }

    /// Appends a value that is canonical already.
    pub fn json(&mut self, value: JsonRef<'_>) {
        self.raw(value.as_str());
    }

    /// Bytes written so far.
    pub fn written(&self) -> usize {
        self.out.len()
    }

    /// The value. Without any it is `null`.
    ///
    /// # Errors
    ///
    /// [`JsonError::TooDeep`] for arrays and objects nested deeper than 128 levels. Values within a
    /// [`json`](Self::json) are not counted.
    pub fn finish(mut self) -> Result<Json, JsonError> {
        while !self.open.is_empty() {
            self.end();
        }
        if self.too_deep {
            return Err(JsonError::TooDeep { at: self.out.len() });
        }
        if self.out.is_empty() {
            return Ok(Json::null());
        }
        self.scratch.finish(&mut self.out, 0);
        Ok(Json(self.out.into_boxed_str()))
    }

    fn begin(&mut self, bracket: char) {
        self.separate();
        self.too_deep |= self.open.len() >= MAX_DEPTH;
        self.out.push(bracket);
    }

    fn raw(&mut self, text: &str) {
        self.separate();
        self.out.push_str(text);
        self.ended();
    }

    /// Writes what stands between the value before and the next one.
    fn separate(&mut self) {
        match self.open.last_mut() {
            Some(Container::Array { is_empty }) => {
                if !mem::take(is_empty) {
                    self.out.push(',');
                }
            }
            // A value without a name has the empty one.
            Some(Container::Object { member: None, .. }) => self.name(""),
            Some(Container::Object { .. }) => {}
            // Of several values outside of containers the last is taken.
            None => {
                self.out.clear();
                self.scratch.begin();
            }
        }
    }

    /// Takes note of the member whose value was written.
    fn ended(&mut self) {
        let Some(Container::Object {
            base,
            in_order,
            member,
            ..
        }) = self.open.last_mut()
        else {
            return;
        };
        let Some((start, key_end)) = member.take() else {
            return;
        };
        let bytes = self.out.as_bytes();
        let members = &mut self.scratch.members;
        members.push(Member::new(bytes, start, key_end));
        if let [.., previous, last] = &members[*base..] {
            *in_order = *in_order && previous.compare(last, bytes).is_lt();
        }
    }
}

#[cfg(test)]
#[path = "compose_tests.rs"]
mod tests;
