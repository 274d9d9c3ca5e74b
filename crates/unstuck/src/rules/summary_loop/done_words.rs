//! Words that report finished work.

use crate::vocab::phrases::{replies, texts};

/// Words of a model that reports finished work, and so is not postponing it.
const REPORTING: [&str; replies::REPORTING.len()] = texts(&replies::REPORTING);
const LONGEST: usize = 12;

/// Whether the text reports that something is done.
pub(super) fn reports_done(text: &str) -> bool {
    let words = text.split(|character: char| !character.is_ascii_alphabetic());
    words.filter(|word| word.len() <= LONGEST).any(|word| {
        REPORTING
            .iter()
            .any(|reporting| reporting.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod tests {
    use super::reports_done;

    #[test]
    fn examples_of_reporting_words_are_recognised() {
        for word in crate::vocab::phrases::replies::REPORTING {
            assert!(reports_done(word.matches), "{}", word.matches);
            assert!(!reports_done(word.differs), "{}", word.differs);
        }
    }

    #[test]
    fn a_report_is_told_from_an_announcement() {
        for report in [
            "All done!",
            "The issue is FIXED.",
            "I have successfully updated the parser",
            "<function=finish></function>",
        ] {
            assert!(reports_done(report), "{report}");
        }
        for announcement in [
            "",
            "I will now fix the bug.",
            "Next, I will look at the tests.",
            "Let me think about abandoned branches.",
            "Ich sehe mir das an.",
        ] {
            assert!(!reports_done(announcement), "{announcement}");
        }
    }
}
