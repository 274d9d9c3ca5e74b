//! Outputs of commands without what a harness puts around them.

/// What a command said, without what the harness puts before it.
pub fn unwrapped(output: &str) -> &str {
    let inner = output
        .strip_prefix("<untrusted_context>\n")
        .unwrap_or(output);
    let inner = match inner.strip_prefix("Chunk ID: ") {
        Some(rest) => rest
            .split_once("\nOutput:\n")
            .map_or(inner, |(_, said)| said),
        None => inner.strip_prefix("Output: ").unwrap_or(inner),
    };
    if inner.trim().is_empty() {
        output
    } else {
        inner
    }
}

#[cfg(test)]
#[path = "unwrapped_tests.rs"]
mod tests;
