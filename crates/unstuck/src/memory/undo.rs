//! A vector with one level of undo.

use serde::{Deserialize, Serialize};

/// A vector that remembers the first value of every cell changed since the last [`commit`](Self::commit).
///
/// The journal never holds more than one entry per cell, so memory stays within twice that of the cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UndoVec<T> {
    cells: Vec<T>,
    /// Cells from here on were pushed after the last commit.
    committed: usize,
    /// The values that cells below `committed` had at the last commit.
    journal: Vec<(u32, T)>,
    /// One bit per cell: whether it is in the journal.
    journaled: Vec<u64>,
}

impl<T> Default for UndoVec<T> {
    fn default() -> Self {
        Self {
            cells: Vec::new(),
            committed: 0,
            journal: Vec::new(),
            journaled: Vec::new(),
        }
    }
}

impl<T: Clone> UndoVec<T> {
    pub(crate) fn push(&mut self, value: T) {
        self.cells.push(value);
    }

    /// The cell for writing; its present value is journaled first.
    pub(crate) fn modify(&mut self, cell: usize) -> Option<&mut T> {
        if cell < self.committed {
            let (word, bit) = (cell / 64, 1_u64 << (cell % 64));
            if self.journaled.len() <= word {
                self.journaled.resize(word + 1, 0);
            }
            if self.journaled[word] & bit == 0 {
                self.journaled[word] |= bit;
                self.journal.push((cell as u32, self.cells[cell].clone()));
            }
        }
        self.cells.get_mut(cell)
    }

    pub(crate) fn get(&self, cell: usize) -> Option<&T> {
        self.cells.get(cell)
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.cells.iter()
    }

    /// Whether the numbers of restored state are within bounds.
    pub(crate) fn is_sound(&self, capacity: usize) -> bool {
        self.cells.len() <= capacity
            && self.committed <= self.cells.len()
            && self.journal.len() <= self.committed
            && self.journal.iter().all(|(cell, _)| {
                (*cell as usize) < self.committed
                    && self
                        .journaled
                        .get(*cell as usize / 64)
                        .is_some_and(|word| word & (1 << (cell % 64)) != 0)
            })
    }

    pub(crate) fn commit(&mut self) {
        for (cell, _) in self.journal.drain(..) {
            self.journaled[cell as usize / 64] = 0;
        }
        self.committed = self.cells.len();
    }

    pub(crate) fn rollback(&mut self) {
        self.cells.truncate(self.committed);
        for (cell, value) in self.journal.drain(..) {
            self.journaled[cell as usize / 64] = 0;
            if let Some(slot) = self.cells.get_mut(cell as usize) {
                *slot = value;
            }
        }
    }
}
