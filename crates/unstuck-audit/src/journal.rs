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
    pub fn push(&mut self, write: impl FnOnce(&mut String)) {
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

    /// The lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let line = &self.text[start..*end];
            start = *end;
            line
        })
    }
}
