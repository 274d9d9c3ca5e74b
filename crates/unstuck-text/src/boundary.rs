//! Boundaries of characters. The standard library has these functions since Rust 1.91.

/// Returns the last boundary of a character at or before a byte position; the length of the text if that is less.
///
/// ```
/// assert_eq!(unstuck_text::floor_char_boundary("aéb", 2), 1);
/// assert_eq!(unstuck_text::floor_char_boundary("ab", 9), 2);
/// ```
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the first boundary of a character at or after a byte position; the length of the text if that is less.
///
/// ```
/// assert_eq!(unstuck_text::ceil_char_boundary("aéb", 2), 3);
/// assert_eq!(unstuck_text::ceil_char_boundary("ab", 9), 2);
/// ```
pub fn ceil_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
