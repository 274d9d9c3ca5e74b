//! The order of options does not matter, nor whether short ones are written together.

use crate::{
    programs::{Order, Program, Short},
    word::Word,
};

/// One argument as it is written down.
#[derive(Clone, Copy)]
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
                // Names are short: a plain loop takes less than setting up a search.
                let text = word.text();
                let name = text.bytes().position(|byte| byte == b'=');
                (name.map_or(text, |end| &text[..end]), '\0')
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
    match options.len() {
        0 | 1 => {}
        2 if options[0].key() <= options[1].key() => {}
        2 => options.swap(0, 1),
        // Cached: a key is looked for in all of its word, which may be long.
        _ => options.sort_by_cached_key(Argument::key),
    }
    for argument in options.iter().chain(&rest) {
        argument.write(out);
    }
}

type Arguments<'c, 's> = Vec<Argument<'c, 's>>;

/// Options on one side, the rest on the other.
fn sort<'c, 's: 'c>(
    program: &Program,
    words: impl Iterator<Item = &'c Word<'s>>,
) -> (Arguments<'c, 's>, Arguments<'c, 's>) {
    let (room, _) = words.size_hint();
    let (mut options, mut rest) = (Vec::with_capacity(room), Vec::with_capacity(room));
    split(program, words, |argument, side| match side {
        Side::Option => options.push(argument),
        Side::Rest => rest.push(argument),
    });
    (options, rest)
}

/// Whether an argument may be moved among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Option,
    /// An operand, or an option that would take the next word for its value if it were moved.
    Rest,
}

/// Takes the arguments of a program apart, in the given order: options that are written together, options and their values.
pub(crate) fn split<'c, 's: 'c>(
    program: &Program,
    mut words: impl Iterator<Item = &'c Word<'s>>,
    mut push: impl FnMut(Argument<'c, 's>, Side),
) {
    let known = &program.options;
    while let Some(word) = words.next() {
        let Some(text) = word.as_literal().filter(|_| word.is_flag()) else {
            push(Argument::Word(word), Side::Rest);
            continue;
        };
        if text == "--" {
            push(Argument::Word(word), Side::Rest);
            for word in words.by_ref() {
                push(Argument::Word(word), Side::Rest);
            }
            break;
        }
        if known.short == Short::Unknown {
            push(Argument::Word(word), Side::Option);
            continue;
        }
        if text.starts_with("--") {
            if !known.long.contains(&text) {
                push(Argument::Word(word), Side::Option);
            } else if let Some(value) = words.next() {
                push(Argument::Long(word, value), Side::Option);
            } else {
                push(Argument::Word(word), Side::Rest);
            }
            continue;
        }
        let letters = &text[1..];
        if letters.bytes().all(|byte| byte.is_ascii_digit()) {
            let lines = known.short == Short::BundleOrLines;
            let argument = if lines {
                Argument::Joined('n', letters)
            } else {
                Argument::Word(word)
            };
            push(argument, Side::Option);
            continue;
        }
        // Whatever follows an option that takes a value is the value.
        let mut bundle = letters
            .chars()
            .take_while(|letter| !known.valued.contains(*letter));
        if (known.short == Short::Single && letters.len() > 1)
            || !bundle.all(|letter| letter.is_ascii_alphabetic())
        {
            push(Argument::Word(word), Side::Option);
            continue;
        }
        for (at, letter) in letters.char_indices() {
            if !known.valued.contains(letter) {
                push(Argument::Letter(letter), Side::Option);
                continue;
            }
            let value = &letters[at + letter.len_utf8()..];
            if !value.is_empty() {
                push(Argument::Joined(letter, value), Side::Option);
            } else if let Some(value) = words.next() {
                push(Argument::Valued(letter, value), Side::Option);
            } else {
                push(Argument::Letter(letter), Side::Rest);
            }
            break;
        }
    }
}
