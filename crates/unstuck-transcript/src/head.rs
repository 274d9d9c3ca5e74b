//! A first look at a transcript, to tell what wrote it.

use unstuck::JsonError;
use unstuck_json::{JsonKind, Scanner, Scratch, lossy_text};

use crate::format::Wrapped;

/// How many lines are looked at.
const LINES: usize = 16;

/// How deep members are looked for.
const DEPTH: usize = 3;

/// Values longer than this tell no format.
const LONGEST_VALUE: usize = 100;

/// The beginning of a transcript.
pub(crate) struct Head<'a> {
    /// As it is, without a byte order mark.
    pub(crate) bytes: &'a [u8],
    /// The value it begins with, which may go over many lines.
    pub(crate) first: Glance,
    /// The values of its first lines, where they have one each.
    pub(crate) lines: Vec<Glance>,
    /// The objects that only a log has.
    pub(crate) wrapped: Wrapped,
}

/// Which members an object has, and the short strings among them. An object that is cut off has those before the cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glance {
    members: Vec<(String, Option<String>)>,
}

impl<'a> Head<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Self {
            bytes,
            first: Glance::of(bytes),
            lines: lines
                .filter(|line| line.starts_with(b"{"))
                .take(LINES)
                .map(Glance::of)
                .collect(),
            wrapped: Wrapped::default(),
        }
    }

    /// The same bytes, as if these were the values of their first lines.
    pub(crate) fn with_lines(&self, lines: &[Glance]) -> Self {
        Self {
            bytes: self.bytes,
            first: Glance::default(),
            lines: lines.to_vec(),
            wrapped: Wrapped::default(),
        }
    }

    /// Does any of the first lines look like this?
    pub(crate) fn any_line(&self, looks: impl Fn(&Glance) -> bool) -> bool {
        self.lines.iter().any(looks)
    }
}

impl Glance {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let text = lossy_text(bytes);
        let mut scratch = Scratch::default();
        let mut scanner = Scanner::lossy(&text, &mut scratch);
        let mut glance = Self::default();
        // An error is the end of what can be seen.
        let _ = glance.walk(&mut scanner, &mut String::new(), DEPTH);
        glance
    }

    /// Is there a member by this name? Names of inner members are joined by dots, elements of arrays have the name `0`.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.members.iter().any(|(name, _)| name == path)
    }

    pub(crate) fn has_all(&self, paths: &[&str]) -> bool {
        paths.iter().all(|path| self.has(path))
    }

    /// The short string of that name.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        let (_, value) = self.members.iter().find(|(name, _)| name == path)?;
        value.as_deref()
    }

    /// Is it one of these words?
    pub(crate) fn says(&self, path: &str, words: &[&str]) -> bool {
        self.text(path).is_some_and(|text| words.contains(&text))
    }

    fn walk(
        &mut self,
        scanner: &mut Scanner<'_, '_>,
        path: &mut String,
        depth: usize,
    ) -> Result<(), JsonError> {
        match scanner.peek_kind()? {
            JsonKind::Object if depth > 0 => {
                scanner.begin_object()?;
                while let Some(key) = scanner.next_key()? {
                    self.walk_member(scanner, path, &key, depth)?;
                }
                Ok(())
            }
            // The first element stands for all.
            JsonKind::Array if depth > 0 => {
                scanner.begin_array()?;
                let mut first = true;
                while scanner.next_element()? {
                    if std::mem::take(&mut first) {
                        self.walk_member(scanner, path, "0", depth)?;
                    } else {
                        scanner.skip_value()?;
                    }
                }
                Ok(())
            }
            JsonKind::String => {
                let text = scanner.string()?;
                if let Some((_, value)) = self.members.last_mut()
                    && text.len() <= LONGEST_VALUE
                {
                    *value = Some(text.into_owned());
                }
                Ok(())
            }
            _ => scanner.skip_value(),
        }
    }

    fn walk_member(
        &mut self,
        scanner: &mut Scanner<'_, '_>,
        path: &mut String,
        name: &str,
        depth: usize,
    ) -> Result<(), JsonError> {
        let outer = path.len();
        if outer > 0 {
            path.push('.');
        }
        path.push_str(name);
        self.members.push((path.clone(), None));
        self.walk(scanner, path, depth - 1)?;
        path.truncate(outer);
        Ok(())
    }
}

#[cfg(test)]
#[path = "head_tests.rs"]
mod tests;
