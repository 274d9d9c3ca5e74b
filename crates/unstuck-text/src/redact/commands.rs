//! Secrets by the command they are given to.

use std::ops::Range;

use super::{
    programs::{
        ECHOES,
        Form::{After, Either, Joined, Next, Place},
        Taken, file_name, known, may_be_program,
    },
    value::{ends_value, extent, is_placeholder, probe},
};

/// Words behind which standard input is a password.
const READS_PASSWORD: [&str; 8] = [
    "--password-stdin",
    "--passphrase-fd",
    "--stdin",
    "-S",
    "chpasswd",
    "cryptsetup",
    "kinit",
    "smbpasswd",
];

/// The command that the words belong to.
#[derive(Default)]
pub(super) struct Command {
    /// The rows of its program.
    program: Option<&'static [Taken]>,
    sub: Option<&'static str>,
    /// Words behind the program that are not options.
    places: u8,
    /// What `echo` writes into a pipe.
    echoed: Option<Range<usize>>,
    is_echo: bool,
    /// Whether the word before was an option.
    after_option: bool,
}

impl Command {
    /// Whether no command has begun. Most texts have none in them.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.program.is_none() && !self.is_echo && self.echoed.is_none()
    }

    /// Whether a word may begin a command: it may be the name or the path of a known program.
    #[inline]
    pub(super) fn may_begin(word: &[u8]) -> bool {
        may_be_program(file_name(word))
    }

    /// Takes the next word and the gap before it. Returns the secret that the word holds or announces.
    #[inline(never)]
    pub(super) fn word(
        &mut self,
        text: &str,
        gap: Range<usize>,
        word: Range<usize>,
    ) -> Option<Range<usize>> {
        let name = &text[word.clone()];
        let gap = &text[gap];
        if self.is_idle() {
            self.begin(name, &text[word.end..]);
            return None;
        }
        let ends = |byte| matches!(byte, b'\n' | b';' | b'|' | b'&');
        if gap.bytes().any(ends) {
            if self.is_echo
                && let Some(echoed) = &mut self.echoed
            {
                let before = text[..word.start - gap.len()].len();
                echoed.end = echoed.end.max(before);
                let tail = gap.find(['\n', ';', '|', '&']).unwrap_or(0);
                let trimmed = text[echoed.start..before + tail].trim_end().len();
                echoed.end = echoed.start + trimmed;
                if !gap.contains('|') {
                    self.echoed = None;
                }
            }
            self.program = None;
            self.is_echo = false;
        }
        if self.is_echo {
            // What `printf` is given first is a format.
            if self.echoed.is_none() && !name.starts_with(['-', '%']) {
                let quotes = gap.len() - gap.trim_end_matches(['"', '\'']).len();
                let start = word.start - quotes.min(gap.len());
                self.echoed = Some(start..word.end);
            }
            return None;
        }
        if self.echoed.is_some() && READS_PASSWORD.contains(&name) {
            return self
                .echoed
                .take()
                .filter(|range| !is_placeholder(text[range.clone()].trim_matches(['"', '\''])));
        }
        let Some(program) = self.program else {
            self.begin(name, &text[word.end..]);
            return None;
        };
        // `docker exec db mysql -p…`: a program that another one starts.
        let after_option = std::mem::replace(&mut self.after_option, name.starts_with('-'));
        if !after_option
            && self.places > 0
            && self.sub.is_none()
            && self.switch(name, &text[word.end..])
        {
            return None;
        }
        if self.sub.is_none() {
            let mut subs = program.iter().filter(|taken| !taken.1.is_empty());
            self.sub = subs.find(|taken| taken.1 == name).map(|taken| taken.1);
        }
        let sub = self.sub.unwrap_or_default();
        let usable = |taken: &&Taken| taken.1.is_empty() || taken.1 == sub;
        // `joe@example.com` is one word of a command, and what a variable holds is not written there.
        let apart =
            |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b'\\');
        let placed = !name.starts_with('-') && gap.bytes().any(apart);
        if placed {
            self.places = self.places.saturating_add(1);
        }
        for Taken(_, _, option, form) in program.iter().filter(usable) {
            let is_option = name == *option;
            let joined = name.len() > option.len() && name.starts_with(option);
            let glued = word.start + option.len();
            let secret = match form {
                Next if *option == "<<<" && gap.contains(*option) => value(text, word.start),
                Place(at) if placed && *at == self.places && !gap.ends_with('$') => {
                    value(text, word.start)
                }
                After(sign) if option.is_empty() => behind(text, word.start, *sign),
                Joined | Either if joined && !text[glued..].starts_with('-') => value(text, glued),
                Joined if is_option && text[glued..].starts_with(['"', '\'']) => value(text, glued),
                Next | Either if is_option => next(text, glued).and_then(|at| value(text, at)),
                After(sign) if is_option => {
                    next(text, glued).and_then(|at| behind(text, at, *sign))
                }
                After(sign) if joined && option.len() == 2 => behind(text, glued, *sign),
                After(sign) if !placed && ends_cluster(name, option) => {
                    next(text, word.end).and_then(|at| behind(text, at, *sign))
                }
                _ => None,
            };
            if secret.is_some() {
                return secret;
            }
        }
        None
    }

    /// Goes over to the program of this name, if it is known and not just another word.
    fn switch(&mut self, name: &str, rest: &str) -> bool {
        const SHORTEST: usize = 5;
        if name.len() < SHORTEST || !Self::may_begin(name.as_bytes()) {
            return false;
        }
        let before = self.program;
        self.begin(name, rest);
        let switched = !self.is_echo
            && match (before, self.program) {
                (Some(before), Some(program)) => !std::ptr::eq(before, program),
                _ => false,
            };
        if self.is_echo {
            self.is_echo = false;
        }
        switched
    }

    fn begin(&mut self, word: &str, rest: &str) {
        if rest.starts_with([':', '=', '(']) {
            return;
        }
        if !Self::may_begin(word.as_bytes()) {
            return;
        }
        let name = &word[word.len() - file_name(word.as_bytes()).len()..];
        if ECHOES.contains(&name) {
            self.is_echo = true;
            self.echoed = None;
        } else if let Some(program) = known(name) {
            self.program = Some(program);
            self.sub = None;
            self.places = 0;
        }
    }
}

/// Whether an option of one letter is the last of several: `-sSLu`.
pub(super) fn ends_cluster(word: &str, option: &str) -> bool {
    option.len() == 2
        && word.len() > 2
        && word.as_bytes()[1..].iter().all(u8::is_ascii_alphabetic)
        && word.as_bytes()[0] == b'-'
        && word.as_bytes().last() == option.as_bytes().last()
}

/// The value that starts here, in its quotes or without any, unless it stands for one that is given elsewhere.
fn value(text: &str, start: usize) -> Option<Range<usize>> {
    let start = start + usize::from(text[start..].starts_with(['"', '\'']));
    let probed = probe(text, start);
    (!probed.is_empty() && !is_placeholder(probed)).then(|| extent(text, start))
}

/// Where the value behind an option starts, a space or `=` between them.
fn next(text: &str, at: usize) -> Option<usize> {
    let separates = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t' | b'=' | b':' | b'"' | b'\'' | b',' | b'\\'
        )
    };
    let gap = text.as_bytes()[at..]
        .iter()
        .take_while(|byte| separates(byte))
        .count();
    (gap > 0 && !text[at + gap..].starts_with('-')).then_some(at + gap)
}

/// The value behind a sign in the word that starts here: `joe:SECRET`.
fn behind(text: &str, start: usize, sign: char) -> Option<Range<usize>> {
    /// Bytes of a name before the sign.
    const LONGEST: usize = 128;
    let start = start + usize::from(text[start..].starts_with(['"', '\'']));
    let rest = &text[start..];
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let at = rest.find(|letter| letter == sign || ends_value(letter) && letter != ' ')?;
    if at == 0 || !rest[at..].starts_with(sign) || at > probe(text, start).len() {
        return None;
    }
    let from = start + at + sign.len_utf8();
    let secret = from..value(text, from)?.end.max(extent(text, start).end);
    // `scott/tiger@orcl`: the service behind the sign is not part of the password.
    let service = match sign {
        '/' => text[secret.clone()].find('@'),
        _ => None,
    };
    Some(from..service.map_or(secret.end, |at| from + at))
}
