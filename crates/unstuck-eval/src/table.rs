//! Tables, for the terminal and as Markdown.

/// Rows of cells; the first row is the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns that are words; the others are numbers and flush right.
    words: usize,
}

impl Table {
    /// An empty table whose first `words` columns are flush left.
    pub(crate) fn new(words: usize, header: impl IntoIterator<Item = &'static str>) -> Self {
        Self::with_header(words, header.into_iter().map(str::to_owned).collect())
    }

    pub(crate) fn with_header(words: usize, header: Vec<String>) -> Self {
        Self {
            rows: vec![header],
            words,
        }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Columns as wide as their widest cell.
    pub fn terminal(&self) -> String {
        let widths: Vec<_> = (0..self.columns()).map(|at| self.width(at)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, width))| {
                if column < self.words {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        text
    }

    /// As GitHub reads it.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            text.push('|');
            for column in 0..self.columns() {
                let cell = row.get(column).map_or("", String::as_str);
                text += &format!(" {} |", cell.replace('|', "\\|"));
            }
            text.push('\n');
            if at == 0 {
                text.push('|');
                for column in 0..self.columns() {
                    text += if column < self.words { "---|" } else { "--:|" };
                }
                text.push('\n');
            }
        }
        text
    }

    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}
