//! Tool patterns in the syntax of other programs.

/// Returns a replacement for a tool pattern that is probably meant as a regular expression, as alternatives, as a
/// character class or as a permission of an agent. Names of tools only have the wildcards `*` and `?`.
///
/// ```
/// use unstuck_config::foreign_pattern;
///
/// assert!(foreign_pattern("mcp__.*").unwrap().contains("`mcp__*`"));
/// assert_eq!(foreign_pattern("mcp__*__sleep"), None);
/// ```
pub fn foreign_pattern(pattern: &str) -> Option<String> {
    let wildcards = "`*` stands for any run of characters and `?` for one";
    if let Some((name, _)) = pattern
        .split_once('(')
        .filter(|(name, rest)| !name.is_empty() && rest.ends_with(')'))
        .filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
    {
        return Some(format!(
            "a pattern is compared with the name of the tool only, not with its arguments: write `{name}`"
        ));
    }
    let is_regex = pattern.starts_with('^')
        || pattern.ends_with('$')
        || pattern.contains('\\')
        || pattern.contains(".+")
        || wild_dot(pattern);
    let alternatives = pattern.contains('|') || (pattern.contains('{') && pattern.contains('}'));
    if alternatives {
        return Some(
            "there are no alternatives in a pattern: write one `[[tools]]` entry for each name"
                .to_owned(),
        );
    }
    if is_regex {
        let plain = pattern
            .trim_start_matches('^')
            .trim_end_matches('$')
            .replace(".*", "*")
            .replace(".+", "*")
            .replace('\\', "");
        return Some(format!(
            "a pattern is not a regular expression; {wildcards}: write `{plain}`"
        ));
    }
    if pattern.contains('[') {
        return Some(format!(
            "there are no character classes in a pattern; {wildcards}"
        ));
    }
    None
}

/// Whether `.*` is probably a regular expression's. After a word it may be a dot of a name: `browser.*`.
fn wild_dot(pattern: &str) -> bool {
    let mut dots = pattern.match_indices(".*");
    dots.any(|(at, _)| {
        let before = pattern[..at].chars().next_back();
        pattern.starts_with("mcp__") || before.is_none_or(|c| !c.is_alphanumeric())
    })
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
