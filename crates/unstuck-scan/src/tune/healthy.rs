//! Which runs a person said were fine.

use unstuck::settings::ToolPattern;

/// Patterns for names of files and sessions.
#[derive(Clone, Debug, Default)]
pub struct Healthy(Vec<ToolPattern>);

impl Healthy {
    pub fn new(patterns: &[String]) -> Self {
        Self(patterns.iter().cloned().map(ToolPattern::new).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A pattern may name the file, a directory it is in, or the session.
    pub fn covers(&self, file: &str, session: &str) -> bool {
        self.0.iter().any(|pattern| {
            let text = pattern.as_str();
            let inside = text.trim_end_matches(['/', '\\']);
            let rest = file.strip_prefix(inside);
            pattern.matches(file)
                || pattern.matches(session)
                || rest.is_some_and(|rest| !inside.is_empty() && rest.starts_with(['/', '\\']))
        })
    }
}

#[cfg(test)]
#[path = "healthy_tests.rs"]
mod tests;
