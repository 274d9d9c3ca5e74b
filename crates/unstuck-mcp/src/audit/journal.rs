//! Lines that are to be written, before they are chained.

/// Lines that are to be written, in order.
///
/// A line is the members of a JSON object, without its braces.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    text: String,
    ends: Vec<usize>,
}

impl Journal {
    /// Adds a line.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// Is there nothing to write?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let line = &self.text[start..*end];
            start = *end;
            line
        })
    }
}

/// Appends a number. Every line has several, and `write!` takes five times as long.
pub(crate) fn push_number(number: impl itoa::Integer, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}
