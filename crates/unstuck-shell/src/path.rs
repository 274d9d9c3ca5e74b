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
