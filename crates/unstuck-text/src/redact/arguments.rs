//! Secrets in lists and pairs that were given as such, not as text: words of a command, variables, headers.

use std::borrow::Cow;

use super::{
    REDACTED, codes,
    commands::ends_cluster,
    foreign,
    names::{Strength, strength},
    placeholder::is_placeholder,
    programs::{Form, Taken, file_name, known},
    redact,
    value::{is_number, is_telling},
};

/// Takes secrets out of a list of words, one by one: those of a command, `NAME=value`, or names and values in turn.
///
/// ```
/// use unstuck_text::Arguments;
///
/// let mut words = Arguments::default();
/// let clean: Vec<_> = ["mysql", "-psword fish", "--password", "x y"].map(|word| words.redact(word).into_owned()).into();
/// assert_eq!(clean, ["mysql", "-p[redacted]", "--password", "[redacted]"]);
/// ```
#[derive(Default)]
pub struct Arguments {
    program: Option<&'static [Taken]>,
    sub: Option<&'static str>,
    /// Words behind the program that are not options.
    places: u8,
    expected: Expected,
    after_option: bool,
}

/// What the next word is, by the one before it.
#[derive(Clone, Copy, Default)]
enum Expected {
    #[default]
    Any,
    /// A secret.
    Secret,
    /// The value of an option of a known program, which may begin with a dash.
    Value,
    /// A secret if it looks like one.
    Telling,
    /// A secret behind this sign.
    After(char),
}

impl Arguments {
    /// The words of a program whose name stands elsewhere, perhaps with its first words: `sudo mysql`.
    pub fn of(program: &str) -> Self {
        let mut words = Self::default();
        for word in program.split_ascii_whitespace() {
            words.redact(word);
        }
        words
    }

    /// The next word without the secret that it is or holds.
    pub fn redact<'a>(&mut self, word: &'a str) -> Cow<'a, str> {
        let expected = std::mem::take(&mut self.expected);
        let after_option = std::mem::replace(&mut self.after_option, word.starts_with('-'));
        let of_program = self.of_program(word, after_option);
        let secret = match expected {
            Expected::Secret if !word.starts_with('-') => Some(0),
            Expected::Value => Some(0),
            Expected::Telling if is_telling(word.rsplit(' ').next().unwrap_or(word)) => Some(0),
            Expected::After(sign) => behind(word, sign),
            _ => None,
        };
        let secret = secret
            .or(of_program)
            .or_else(|| assigned(word))
            .filter(|start| !word[*start..].is_empty() && !is_placeholder(&word[*start..]));
        match secret {
            Some(0) => REDACTED.into(),
            Some(start) => format!("{}{REDACTED}", &word[..start]).into(),
            None => {
                if matches!(self.expected, Expected::Any) {
                    self.expected = announced(word);
                }
                redact(word)
            }
        }
    }

    /// Where in a word the secret begins that its program takes, or notes that the next word holds one.
    fn of_program(&mut self, word: &str, after_option: bool) -> Option<usize> {
        if !after_option && self.sub.is_none() && self.begin(word) {
            return None;
        }
        let program = self.program?;
        let is_behind = self.sub.is_some();
        if self.sub.is_none() {
            let mut subs = program.iter().filter(|row| !row.1.is_empty());
            self.sub = subs.find(|row| row.1 == word).map(|row| row.1);
        }
        let is_option = word.starts_with('-');
        self.places = self.places.saturating_add(u8::from(!is_option));
        let sub = self.sub.unwrap_or_default();
        for Taken(_, of, option, form) in program {
            if !of.is_empty() && *of != sub {
                continue;
            }
            let glued = word.strip_prefix(option).filter(|rest| !rest.is_empty());
            let signs: &[char] = if option.starts_with('/') {
                &['=', ':']
            } else {
                &['=']
            };
            let assigned = usize::from(glued.is_some_and(|rest| rest.starts_with(signs)));
            match form {
                Form::Place(place) if !is_option && *place == self.places => return Some(0),
                Form::Behind if is_behind && !is_option => return Some(0),
                Form::Telling if is_behind && !is_option && is_telling(word) => {
                    return (!word.contains('=')).then_some(0);
                }
                Form::After(sign) if option.is_empty() && !is_option => {
                    if let Some(start) = behind(word, *sign) {
                        return Some(start);
                    }
                }
                Form::Next | Form::Either if word == *option => self.expected = Expected::Value,
                Form::After(sign) if word == *option || ends_cluster(word, option) => {
                    self.expected = Expected::After(*sign);
                }
                Form::Joined | Form::Either if glued.is_some() && !option.is_empty() => {
                    return glued
                        .filter(|rest| !rest.starts_with('-'))
                        .map(|_| option.len());
                }
                Form::After(sign) if glued.is_some() && (option.len() == 2 || assigned == 1) => {
                    let from = option.len() + assigned;
                    if let Some(start) = behind(&word[from..], *sign) {
                        return Some(from + start);
                    }
                }
                Form::Next if assigned == 1 && !option.is_empty() => return Some(option.len() + 1),
                _ => {}
            }
        }
        None
    }

    /// Begins with the words of a program, if it is a known one.
    fn begin(&mut self, word: &str) -> bool {
        let name = &word[word.len() - file_name(word.as_bytes()).len()..];
        let Some(program) = known(name) else {
            return false;
        };
        self.program = Some(program);
        self.places = 0;
        true
    }
}

/// Where the secret of `joe:SECRET` begins.
fn behind(word: &str, sign: char) -> Option<usize> {
    let at = word.find(sign)?;
    (at > 0 && !word[at..].starts_with("://")).then_some(at + sign.len_utf8())
}

/// Where the value of `DB_PASSWORD=…` begins.
fn assigned(word: &str) -> Option<usize> {
    let (name, _) = word.split_once('=')?;
    is_sure(name).then_some(name.len() + 1)
}

/// What stands behind a word that names a secret.
fn announced(word: &str) -> Expected {
    match is_sure(word) {
        true if word.starts_with('-') => Expected::Secret,
        true => Expected::Telling,
        false => Expected::Any,
    }
}

/// Whether a word is a name, and surely that of a secret.
fn is_sure(name: &str) -> bool {
    let last = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let bare = name.trim_start_matches('-');
    let bare = &bare[bare.rfind('.').map_or(0, |dot| dot + 1)..];
    name.bytes().all(last) && strength(bare).is_some_and(|strength| strength >= Strength::Token)
}

/// Whether a value under a name, such as `{"name": "DB_PASSWORD", "value": "…"}` has them, is a secret.
///
/// ```
/// assert!(unstuck_text::names_secret_value("DB_PASSWORD", "x"));
/// assert!(!unstuck_text::names_secret_value("password policy", "strict"));
/// ```
pub fn names_secret_value(name: &str, value: &str) -> bool {
    let value = value.trim_matches('"');
    let name = without_field(name);
    let strength = if name.is_ascii() {
        strength(name)
    } else {
        foreign::next_name(name, &mut 0).map(|_| Strength::Password)
    };
    match strength {
        Some(Strength::Password | Strength::Token) => !is_placeholder(value),
        Some(Strength::Weak) => is_telling(value) || is_number(value) && is_card_check(name),
        None => is_number(value) && value.len() >= 4 && codes::is_coded(name),
    }
}

/// A name without what it is the name of on a page: `Password field`.
fn without_field(name: &str) -> &str {
    const FIELDS: [&str; 6] = ["box", "feld", "field", "input", "textbox", "textfield"];
    let apart = [' ', '-', '_'];
    let bare = name.trim_end();
    match bare.rsplit_once(apart) {
        Some((before, last)) if FIELDS.iter().any(|field| last.eq_ignore_ascii_case(field)) => {
            before.trim_end_matches(apart)
        }
        _ => bare,
    }
}

/// Whether a name is that of the three digits on a card.
fn is_card_check(name: &str) -> bool {
    let last = name
        .rsplit(|letter: char| !letter.is_ascii_alphanumeric())
        .next();
    last.is_some_and(|last| last.eq_ignore_ascii_case("cvc") || last.eq_ignore_ascii_case("cvv"))
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
