use std::fmt::Write as _;

use unstuck_text::acts_unseen;

/// The page names the characters that the other outputs replace, and no others.
#[test]
fn the_page_shows_what_acts_unseen() {
    let acts =
        |each: &char| acts_unseen(*each) || each.is_ascii_control() && !matches!(each, '\t' | '\n');
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for each in ('\0'..=char::MAX).filter(acts).map(u32::from) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == each => *last = each,
            _ => ranges.push((each, each)),
        }
    }
    let mut list = String::new();
    for (first, last) in ranges {
        // Writing to a string cannot fail.
        let _ = write!(list, "\\u{{{first:x}}}");
        if last > first {
            let _ = write!(list, "-\\u{{{last:x}}}");
        }
    }
    let script = include_str!("html/words.js");
    assert!(
        script.contains(&format!("const UNSEEN = /[{list}]/gu;")),
        "{list}"
    );
}
