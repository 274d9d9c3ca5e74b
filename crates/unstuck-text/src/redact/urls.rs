//! Credentials in URLs, and blocks such as private keys.

use std::ops::Range;

use super::REDACTED;

/// `user:password@` in URLs.
pub(super) fn find_credentials(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    find_thin(text, found);
    let mut schemes = memchr::memmem::find_iter(bytes, b"://").peekable();
    while let Some(place) = schemes.next() {
        let start = place + 3;
        // Nothing is looked at twice: the next URL ends this one.
        let limit = schemes.peek().copied().unwrap_or(bytes.len());
        let rest = &text[start..limit.max(start)];
        let wide = rest.find(['"', '\'', '<', '>', '`', ' ', '\n', '\t', '\r']);
        let wide = &rest[..wide.unwrap_or(rest.len())];
        let authority = wide.find(['/', '?', '#']).unwrap_or(wide.len());
        let user = match wide[..authority].rfind('@') {
            Some(at) => &wide[..at],
            // A password may hold a slash that should have been escaped.
            None => match wide.rfind('@') {
                Some(at) if holds_password(&wide[..at]) => &wide[..at],
                _ => continue,
            },
        };
        let is_name = user.len() <= 12 && user.bytes().all(|byte| byte.is_ascii_lowercase());
        if !user.is_empty() && user != REDACTED && !is_name {
            found.push(start..start + user.len());
        }
    }
}

/// `jdbc:oracle:thin:user/password@`.
fn find_thin(text: &str, found: &mut Vec<Range<usize>>) {
    /// Bytes of all of it.
    const LONGEST: usize = 128;
    let bytes = text.as_bytes();
    for end in memchr::memchr_iter(b'@', bytes) {
        let near = &bytes[end.saturating_sub(LONGEST)..end];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'@');
        let near = &near[near.iter().rposition(ends).map_or(0, |at| at + 1)..];
        if let Some(user) = near.strip_prefix(b"jdbc:oracle:thin:")
            && let Some(slash) = memchr::memchr(b'/', user)
        {
            found.push(end - user.len() + slash + 1..end);
        }
    }
}

/// A colon that does not begin the number of a port.
fn holds_password(user: &str) -> bool {
    user.split_once(':').is_some_and(|(_, behind)| {
        let digits = behind.len()
            - behind
                .trim_start_matches(|letter: char| letter.is_ascii_digit())
                .len();
        !(digits > 0 && behind[digits..].starts_with('/'))
    })
}

/// Blocks such as private keys.
pub(super) fn find_blocks(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(begin) = text[at..].find("-----BEGIN").map(|begin| at + begin) {
        let end = text[begin..].find("-----END").map(|end| begin + end + 8);
        let end = end.and_then(|end| text[end..].find("-----").map(|close| end + close + 5));
        at = end.unwrap_or(text.len());
        found.push(begin..at);
    }
}

/// What `crypt` writes: `$6$salt$hash`, in shadow files and `.htpasswd`.
pub(super) fn find_hashes(text: &str, found: &mut Vec<Range<usize>>) {
    const SCHEMES: [&str; 14] = [
        "$1$",
        "$2a$",
        "$2b$",
        "$2y$",
        "$5$",
        "$6$",
        "$7$",
        "$y$",
        "$apr1$",
        "$argon2i$",
        "$argon2d$",
        "$argon2id$",
        "$scrypt$",
        "$sha1$",
    ];
    let mut behind = 0;
    for at in memchr::memchr_iter(b'$', text.as_bytes()) {
        if at >= behind && SCHEMES.iter().any(|scheme| text[at..].starts_with(scheme)) {
            let ends =
                |letter: char| letter.is_whitespace() || matches!(letter, ':' | '"' | '\'' | '`');
            let end = at + text[at..].find(ends).unwrap_or(text.len() - at);
            if end - at >= 20 {
                found.push(at..end);
                behind = end;
            }
        }
    }
}

/// `host:port:database:user:password`, the lines of `.pgpass`.
pub(super) fn find_pgpass(text: &str, found: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(password) = pgpass(line) {
            found.push(start + password.start..start + password.end);
        }
        start += line.len();
    }
}

/// Where in a line of `.pgpass` the password stands.
fn pgpass(line: &str) -> Option<Range<usize>> {
    let line = line.trim_end();
    let mut fields = line.splitn(5, ':');
    let (host, port) = (fields.next()?, fields.next()?);
    let is_port = port == "*"
        || (4..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    if !is_port {
        return None;
    }
    let (database, user, password) = (fields.next()?, fields.next()?, fields.next()?);
    let named = [host, database, user]
        .iter()
        .all(|name| !name.is_empty() && !name.contains([' ', '/', '(']));
    let is_password =
        !password.is_empty() && !password.starts_with(REDACTED) && !password.contains(' ');
    (named && is_password).then(|| line.len() - password.len()..line.len())
}
