//! Takes secrets out of a report.

use unstuck_text::redact;

use crate::report::{Excerpt, Loop, Report, Run};

/// Stands below a report without secrets.
pub(crate) const NOTE: &str = "Secrets were removed; --no-redact keeps them.";

impl Report {
    /// Takes out what looks like a secret: in arguments, results, messages, names and errors. Paths of transcripts stay,
    /// so that they can be opened.
    pub fn redact(&mut self) {
        self.runs.iter_mut().for_each(run);
        for error in &mut self.errors {
            clean(&mut error.error);
        }
        self.totals.redacted = true;
    }
}

fn run(run: &mut Run) {
    clean(&mut run.title);
    clean(&mut run.project);
    run.loops.iter_mut().for_each(one_loop);
    for tool in &mut run.tools {
        clean(&mut tool.tool);
    }
}

fn one_loop(each: &mut Loop) {
    each.pattern.iter_mut().for_each(clean);
    for text in [
        &mut each.message,
        &mut each.unchanged,
        &mut each.last_result,
        &mut each.tool,
    ] {
        clean(text);
    }
    for beat in &mut each.strip {
        clean(&mut beat.tool);
    }
    each.excerpt.iter_mut().for_each(excerpt);
}

fn excerpt(excerpt: &mut Excerpt) {
    for call in &mut excerpt.moves {
        for text in [&mut call.tool, &mut call.args, &mut call.output] {
            clean(text);
        }
    }
}

/// A text that was cut may end in half a secret, which looks like nothing: its last word goes.
fn clean(text: &mut String) {
    const LONGEST: usize = 200;
    if let Some(cut) = text.strip_suffix('…') {
        let word = cut
            .rfind(|letter: char| {
                letter.is_whitespace() || matches!(letter, '"' | '\'' | '=' | ':')
            })
            .map_or(0, |at| unstuck_text::ceil_char_boundary(cut, at + 1));
        if (6..LONGEST).contains(&(cut.len() - word)) && word > 0 {
            text.truncate(word);
            text.push('…');
        }
    }
    if let std::borrow::Cow::Owned(clean) = redact(text) {
        *text = clean;
    }
}
