//! What is said about a command line that cannot be used.

use std::ffi::OsString;

use clap::{
    Command, Error,
    builder::StyledStr,
    error::{ContextKind, ContextValue},
};
use unstuck_config::nearest;

use super::{Parsed, command, general::color_of};
use crate::style::{CODE, paint};

/// Reads a command line. After a mistake the process ends, as with [`clap::Parser::parse_from`].
pub(crate) fn parse(words: &[OsString]) -> Parsed {
    let color = color_of(words);
    match command().color(color).try_get_matches_from(words) {
        Ok(matches) => Parsed { matches },
        Err(error) => improve(error, words).exit(),
    }
}

/// Takes out suggestions that are not near, and adds what is probably wanted.
fn improve(mut error: Error, words: &[OsString]) -> Error {
    let invalid = [
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    for (invalid, suggested) in invalid {
        let (Some(ContextValue::String(invalid)), Some(known)) =
            (error.get(invalid), error.get(suggested))
        else {
            continue;
        };
        let names = match known {
            ContextValue::String(name) => vec![name.clone()],
            ContextValue::Strings(names) => names.clone(),
            _ => continue,
        };
        let is_near = |name: &String| nearest(bare(invalid), [bare(name)]).is_some();
        let near: Vec<_> = names.into_iter().filter(is_near).collect();
        error.remove(suggested);
        match (near.first(), suggested) {
            // The usage that was made for the suggestion names it, too.
            (None, ContextKind::SuggestedArg) => {
                let usage = asked(words).render_usage();
                error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
            }
            (None, _) => {}
            (Some(name), ContextKind::SuggestedArg | ContextKind::SuggestedValue) => {
                error.insert(suggested, ContextValue::String(name.clone()));
            }
            (Some(_), _) => {
                error.insert(suggested, ContextValue::Strings(near));
            }
        }
    }
    // "To pass it as a value, use `-- …`" is right for no option that a person mistypes.
    error.remove(ContextKind::Suggested);
    if let Some(tip) = wanted(&error) {
        let tip = StyledStr::from(tip);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

fn bare(name: &str) -> &str {
    name.trim_start_matches('-')
        .split(['=', ' '])
        .next()
        .unwrap_or(name)
}

/// What people of other programs type for something that is called otherwise here.
fn wanted(error: &Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    if text(ContextKind::InvalidSubcommand) == Some("version") {
        let command = paint(CODE, "unstuck --version");
        return Some(format!("{command} prints the version"));
    }
    None
}

/// The command that the words name.
fn asked(words: &[OsString]) -> Command {
    let mut command = command();
    // Gives every command the whole name that its usage shows.
    command.build();
    for word in words.iter().skip(1) {
        let Some(below) = word.to_str().and_then(|word| command.find_subcommand(word)) else {
            break;
        };
        command = below.clone();
    }
    command
}
