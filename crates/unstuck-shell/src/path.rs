//! Paths as text: the same file, spelled in one way.

use std::borrow::Cow;

/// Returns the path without `.`, `..` and doubled slashes, as far as the text alone shows.
pub(crate) fn normal(path: &str) -> Cow<'_, str> {
    let is_normal = !path.is_empty()
        && !path.starts_with('-')
        && (path == "/" || !path.ends_with('/'))
        && path.split('/').enumerate().all(|(at, part)| {
            !matches!(part, "." | "..") && (at == 0 || !part.is_empty() || path == "/")
        });
    if is_normal {
        return Cow::Borrowed(path);
    }
    let mut parts: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts
                .last()
                .is_some_and(|last| !matches!(*last, ".." | "~")) =>
            {
                parts.pop();
            }
            ".." if absolute && parts.is_empty() => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Cow::Owned(match (absolute, joined.as_str()) {
        (true, _) => format!("/{joined}"),
        (false, "") => ".".into(),
        // It would be taken for an option.
        (false, _) if joined.starts_with('-') => format!("./{joined}"),
        (false, _) => joined,
    })
}

/// The path as seen from a directory.
pub(crate) fn join<'p>(directory: Option<&str>, path: &'p str) -> Cow<'p, str> {
    match directory {
        Some(directory) if !path.starts_with(['/', '~']) => {
            Cow::Owned(normal(&format!("{directory}/{path}")).into_owned())
        }
        _ => normal(path),
    }
}

/// A directory that a script goes to step by step. Each step costs as much as its own path is long, however long the way
/// already is.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    /// Normal, but empty for the root and for the directory that the script starts in, and without a `./` before a dash.
    path: String,
    absolute: bool,
}

impl Directory {
    pub(crate) fn new(path: &str) -> Self {
        let mut directory = Self {
            path: String::with_capacity(path.len()),
            absolute: path.starts_with('/'),
        };
        directory.add(path);
        directory
    }

    /// Goes to a path, as seen from here.
    pub(crate) fn go(&mut self, path: &str) {
        if path.starts_with(['/', '~']) {
            *self = Self::new(path);
        } else {
            self.add(path);
        }
    }

    /// The path, as [`normal`] writes it.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self.path.as_str() {
            "" if self.absolute => "/".into(),
            "" => ".".into(),
            // It would be taken for an option.
            path if path.starts_with('-') => format!("./{path}").into(),
            path => path.into(),
        }
    }

    fn add(&mut self, path: &str) {
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if self.path.is_empty() && self.absolute => {}
                ".." if !self.path.is_empty() && !self.ends_with("..") && !self.ends_with("~") => {
                    let parent = self.path.rfind('/').unwrap_or(0);
                    self.path.truncate(parent);
                }
                _ => {
                    if self.absolute || !self.path.is_empty() {
                        self.path.push('/');
                    }
                    self.path.push_str(part);
                }
            }
        }
    }

    /// Whether its last part is this.
    fn ends_with(&self, part: &str) -> bool {
        let before = self.path.strip_suffix(part);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
