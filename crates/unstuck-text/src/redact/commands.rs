//! Secrets by the command they are given to.

use std::ops::Range;

use super::{
    placeholder::is_placeholder_at,
    programs::{
        ECHOES,
        Form::{After, Behind, Either, Joined, Next, Place, Telling},
        LISTS, Taken, file_name, known, may_be_program,
    },
    value::{ends_value, extent, is_telling, probe},
};

/// Words behind which standard input is a password.
const READS_PASSWORD: [&str; 9] = [
    "--password-stdin",
    "--passphrase-fd",
    "--stdin",
    "--with-token",
    "-S",
    "chpasswd",
    "cryptsetup",
    "kinit",
    "smbpasswd",
];

/// Words behind which standard input is a secret if this stands before them.
const READS_SECRET: [(&str, &str); 9] = [
    ("docker", "secret"),
    ("fly", "secrets"),
    ("flyctl", "secrets"),
    ("gcloud", "secrets"),
    ("gh", "secret"),
    ("sudo", "passwd"),
    ("vercel", "env"),
    ("wrangler", "secret"),
    ("|", "passwd"),
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
        if gap.bytes().any(ends) || self.is_ended_by_escape(text, word.start, gap) {
            if self.is_echo
                && let Some(echoed) = &mut self.echoed
            {
                let before = text[..word.start - gap.len()].len();
                echoed.end = echoed.end.max(before);
                let tail = gap.find(['\n', ';', '|', '&', '\\']).unwrap_or(0);
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
        if self.echoed.is_some() && reads_secret(text, &word) {
            return self.echoed.take().filter(|range| is_password(text, range));
        }
        let Some(program) = self.program else {
            self.begin(name, &text[word.end..]);
            return None;
        };
        // `docker exec db mysql -p…`: a program that another one starts.
        let after_option = std::mem::replace(&mut self.after_option, name.starts_with('-'));
        if !after_option && self.sub.is_none() && self.switch(name, &text[word.end..]) {
            return None;
        }
        let is_behind = self.sub.is_some();
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
                Behind | Telling
                    if placed && is_behind && !text[word.end..].starts_with(['=', ':']) =>
                {
                    let tells = *form == Behind || is_telling(probe(text, word.start));
                    value(text, word.start).filter(|_| tells && !gap.ends_with('$'))
                }
                After(sign) if option.is_empty() => behind(text, word.start, *sign),
                Joined | Either if joined && !text[glued..].starts_with('-') => value(text, glued),
                // In `"-p"` the quote closes the option.
                Joined
                    if is_option
                        && text[glued..].starts_with(['"', '\''])
                        && !gap.ends_with(['"', '\'']) =>
                {
                    value(text, glued)
                }
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

    /// Whether the gap that ends here ends the command by an escaped line feed. In what `printf` is given it does not,
    /// nor in a path of Windows.
    fn is_ended_by_escape(&self, text: &str, end: usize, gap: &str) -> bool {
        /// Bytes of a path that are looked at.
        const LONGEST: usize = 256;
        // A letter stands between words only behind a backslash.
        if !gap.contains(['n', 'r']) {
            return false;
        }
        let is_quoted = |echoed: &Range<usize>| text[echoed.start..].starts_with(['"', '\'']);
        if self.is_echo && self.echoed.as_ref().is_some_and(is_quoted) {
            return false;
        }
        let bytes = &text.as_bytes()[end.saturating_sub(LONGEST)..end];
        let is_drive = |three: &[u8]| matches!(three, [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\']);
        let apart = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
        let token = &bytes[bytes.iter().rposition(apart).map_or(0, |at| at + 1)..];
        !token.windows(3).any(is_drive)
    }

    /// Goes over to the program of this name, if it is known and not just another word.
    fn switch(&mut self, name: &str, rest: &str) -> bool {
        const SHORTEST: usize = 5;
        let before = self.program;
        let is_prefix = matches!(before, Some([Taken("sudo", ..), ..]));
        if !is_prefix && (self.places == 0 || name.len() < SHORTEST)
            || !Self::may_begin(name.as_bytes())
        {
            return false;
        }
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
        if LISTS.contains(&name) {
            if let Some(program) = program_of_list(rest) {
                *self = Self {
                    program: Some(program),
                    ..Self::default()
                };
            }
        } else if ECHOES.contains(&name) {
            self.is_echo = true;
            self.echoed = None;
        } else if let Some(program) = known(name).filter(|rows| may_apply(rows, rest)) {
            self.program = Some(program);
            self.sub = None;
            self.places = 0;
        }
    }
}

/// Whether one of a program's rows may apply to the words behind it: a row without a sub-command, or one whose sub-command
/// is near. Most commands of most programs take no secret.
fn may_apply(rows: &[Taken], rest: &str) -> bool {
    /// Bytes in which a sub-command is looked for.
    const NEAR: usize = 128;
    let near = &rest.as_bytes()[..rest.len().min(NEAR)];
    let mut last = "";
    rows.iter().any(|Taken(_, sub, ..)| {
        let is_new = *sub != last;
        last = sub;
        let Some((first, more)) = sub.as_bytes().split_first() else {
            return true;
        };
        is_new && memchr::memchr_iter(*first, near).any(|at| near[at + 1..].starts_with(more))
    })
}

/// The program whose words are the list that starts here: `"args":["-p","x"],"program":"sshpass"`.
fn program_of_list(rest: &str) -> Option<&'static [Taken]> {
    /// Bytes that are looked at.
    const LONGEST: usize = 512;
    const PROGRAMS: [&str; 6] = ["binary", "cmd", "command", "exe", "executable", "program"];
    let opens = ['\\', '"', ':', ' '];
    let near = &rest[..crate::floor_char_boundary(rest, LONGEST)];
    let list = near.trim_start_matches(opens).strip_prefix('[')?;
    let mut texts = list[list.find(']')?..].split('"');
    while let Some(text) = texts.next() {
        let name = text.trim_end_matches('\\');
        if PROGRAMS.binary_search(&name).is_ok() {
            let program = texts.nth(1)?.trim_end_matches('\\');
            let words = program.split_ascii_whitespace();
            let name =
                |word: &'_ str| known(&word[word.len() - file_name(word.as_bytes()).len()..]);
            return words.rev().find_map(name);
        }
    }
    None
}

/// Whether a program that is given a secret by standard input has this word.
fn reads_secret(text: &str, word: &Range<usize>) -> bool {
    let name = &text[word.clone()];
    let before = || text[..word.start].trim_end();
    READS_PASSWORD.contains(&name)
        || READS_SECRET
            .iter()
            .any(|(program, behind)| *behind == name && before().ends_with(program))
}

/// Whether what is echoed may be a password. Several words without quotes are seldom one.
fn is_password(text: &str, echoed: &Range<usize>) -> bool {
    let inner = &text[echoed.clone()];
    let bare = inner.trim_matches(['"', '\'']);
    let start = echoed.start + (inner.len() - inner.trim_start_matches(['"', '\'']).len());
    let is_prose = inner == bare && bare.contains(' ') && !bare.split(' ').any(is_telling);
    !is_prose && !is_placeholder_at(text, start)
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
    (!probed.is_empty() && !is_placeholder_at(text, start)).then(|| extent(text, start))
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
    let rest = &rest[..crate::floor_char_boundary(rest, LONGEST)];
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
