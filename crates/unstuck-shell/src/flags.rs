//! The order of options does not matter, nor whether short ones are written together.

use crate::{
    programs::{Order, Program, Short},
    word::Word,
};

/// One argument as it is written down.
pub(crate) enum Argument<'c, 's> {
    Word(&'c Word<'s>),
    /// `-x`
    Letter(char),
    /// `-x value`, where the value was part of the same word.
    Joined(char, &'c str),
    /// `-x value`
    Valued(char, &'c Word<'s>),
    /// `--long value`
    Long(&'c Word<'s>, &'c Word<'s>),
}

impl<'c> Argument<'c, '_> {
    /// What options are put in order by.
    fn key(&self) -> (&'c str, char) {
        match self {
            Self::Word(word) | Self::Long(word, _) => {
                let text = word.text();
                (text.split_once('=').map_or(text, |(name, _)| name), '\0')
            }
            Self::Letter(letter) | Self::Joined(letter, _) | Self::Valued(letter, _) => {
                ("-", *letter)
            }
        }
    }

    pub(crate) fn write(&self, out: &mut String) {
        out.push(' ');
        match self {
            Self::Word(word) => word.write_path(out),
            Self::Letter(letter) => {
                out.push('-');
                out.push(*letter);
            }
            Self::Joined(letter, value) => {
                out.push('-');
                out.push(*letter);
                out.push(' ');
                crate::word::quote(value, out);
            }
            Self::Valued(letter, value) => {
                out.push('-');
                out.push(*letter);
                out.push(' ');
                value.write(out);
            }
            Self::Long(name, value) => {
                name.write(out);
                out.push(' ');
                value.write(out);
            }
        }
    }
}

/// Appends the arguments of a program: options in their order, then the rest in the given one.
pub(crate) fn write<'c, 's: 'c>(
    program: &Program,
    words: impl Iterator<Item = &'c Word<'s>> + Clone,
    out: &mut String,
) {
    let ordered = program.order == Order::Matters || program.starts_another();
    if ordered || !words.clone().any(Word::is_flag) {
        for word in words {
            out.push(' ');
            if ordered {
                word.write(out);
            } else {
                word.write_path(out);
            }
        }
        return;
    }
    let (mut options, rest) = sort(program, words);
    // Cached: a key is looked for in all of its word, which may be long.
    options.sort_by_cached_key(Argument::key);
    for argument in options.iter().chain(&rest) {
        argument.write(out);
    }
}

type Arguments<'c, 's> = Vec<Argument<'c, 's>>;

/// Options on one side, the rest on the other.
fn sort<'c, 's: 'c>(
    program: &Program,
    mut words: impl Iterator<Item = &'c Word<'s>>,
) -> (Arguments<'c, 's>, Arguments<'c, 's>) {
    let known = &program.options;
    let (mut options, mut rest) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let Some(text) = word.as_literal().filter(|_| word.is_flag()) else {
            rest.push(Argument::Word(word));
            continue;
        };
        if text == "--" {
            rest.push(Argument::Word(word));
            rest.extend(words.by_ref().map(Argument::Word));
            break;
        }
        if known.short == Short::Unknown {
            options.push(Argument::Word(word));
            continue;
        }
        if text.starts_with("--") {
            if !known.long.contains(&text) {
                options.push(Argument::Word(word));
            } else if let Some(value) = words.next() {
                options.push(Argument::Long(word, value));
            } else {
                // In front, it would take the next word for its value.
                rest.push(Argument::Word(word));
            }
            continue;
        }
        let letters = &text[1..];
        if letters.bytes().all(|byte| byte.is_ascii_digit()) {
            options.push(match known.short {
                Short::BundleOrLines => Argument::Joined('n', letters),
                Short::Unknown | Short::Bundle | Short::Single => Argument::Word(word),
            });
            continue;
        }
        if known.short == Short::Single && letters.len() > 1 {
            options.push(Argument::Word(word));
            continue;
        }
        // Whatever follows an option that takes a value is the value.
        let mut bundle = letters
            .chars()
            .take_while(|letter| !known.valued.contains(*letter));
        if !bundle.all(|letter| letter.is_ascii_alphabetic()) {
            options.push(Argument::Word(word));
            continue;
        }
        for (at, letter) in letters.char_indices() {
            if !known.valued.contains(letter) {
                options.push(Argument::Letter(letter));
                continue;
            }
            let value = &letters[at + letter.len_utf8()..];
            if !value.is_empty() {
                options.push(Argument::Joined(letter, value));
            } else if let Some(value) = words.next() {
                options.push(Argument::Valued(letter, value));
            } else {
                rest.push(Argument::Letter(letter));
            }
            break;
        }
    }
    (options, rest)
}
