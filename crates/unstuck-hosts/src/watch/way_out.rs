//! How a person lets an agent go on.

use unstuck::Verdict;

/// The message, and the one command with which a person lets the agent go on.
pub(super) fn with_way_out(verdict: Verdict, message: &str, session: &str) -> Box<str> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._:-".contains(letter);
    let command = if session.len() <= 64 && !session.is_empty() && session.chars().all(plain) {
        format!("unstuck reset {session}")
    } else {
        "unstuck reset --all".to_owned()
    };
    let way_out = match verdict {
        Verdict::Halt => "To let the run go on, a person runs",
        Verdict::Allow | Verdict::Nudge | Verdict::Deny => {
            "If this is a mistake, a person can lift it with"
        }
    };
    format!("{message} {way_out} `{command}` in a terminal.").into()
}
