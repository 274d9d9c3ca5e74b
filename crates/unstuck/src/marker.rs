//! The marker of messages of this program, and their maximum length.

/// What every message starts with.
pub const MARKER: &str = "[unstuck]";

/// No message has more characters than this, whatever it quotes.
pub const MAX_CHARS: usize = 1_000;
