//! The task of a harness for benchmarks, without the words that every task is put in.

/// What stands before the task. Every prompt of a harness begins alike; the first words of the task tell runs apart.
const FRAMES: [&str; 4] = [
    "<pr_description>",
    "ISSUE:\n",
    "Please solve this issue:",
    "Please solve the following issue:",
];

/// Bytes of a prompt in which a frame is looked for.
const LOOK: usize = 2_000;

/// The task in a prompt; the whole prompt where no known words stand before it.
pub(crate) fn task(prompt: &str) -> &str {
    let head = &prompt[..unstuck_text::floor_char_boundary(prompt, LOOK)];
    let ends = FRAMES
        .iter()
        .filter_map(|frame| Some(head.find(frame)? + frame.len()));
    let task = ends.min().map_or(prompt, |end| &prompt[end..]).trim();
    if task.is_empty() { prompt.trim() } else { task }
}

#[cfg(test)]
mod tests {
    use super::task;

    #[test]
    fn the_frame_of_a_task_is_left_out() {
        for (prompt, expected) in [
            (
                "Please solve this issue: dates before 1970",
                "dates before 1970",
            ),
            (
                "We're currently solving the following issue. Here's the issue text:\nISSUE:\nSyntaxError\nmore",
                "SyntaxError\nmore",
            ),
            (
                "<uploaded_files>\n/testbed\n</uploaded_files>\nConsider this:\n\n<pr_description>\nA bug\n</pr_description>",
                "A bug\n</pr_description>",
            ),
            ("Write a parser", "Write a parser"),
            ("ISSUE:\n", "ISSUE:"),
            ("", ""),
        ] {
            assert_eq!(task(prompt), expected, "{prompt}");
        }
    }
}
