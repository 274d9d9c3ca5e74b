//! The protocol of Redis, version 2: commands out, replies in.

use std::io::{self, BufRead, Read as _};

/// A reply of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Simple(String),
    Error(String),
    Integer(i64),
    Bulk(Vec<u8>),
    Array(Vec<Self>),
    Null,
}

/// No text of a reply is longer.
const LONGEST: usize = 16 << 20;

/// No reply has more values.
const MOST_VALUES: usize = 1 << 20;

/// No reply is nested more deeply.
const DEEPEST: usize = 8;

/// Longest line: a status, an error or a number.
const LONGEST_LINE: u64 = 64 << 10;

/// Adds a command to a request.
pub(crate) fn write_command(request: &mut Vec<u8>, words: &[&[u8]]) {
    write_length(request, b'*', words.len());
    for word in words {
        write_length(request, b'$', word.len());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
}

fn write_length(request: &mut Vec<u8>, kind: u8, length: usize) {
    request.push(kind);
    request.extend_from_slice(length.to_string().as_bytes());
    request.extend_from_slice(b"\r\n");
}

/// Reads one reply. What is not one, or is too large, is an error, and the connection is of no further use.
pub(crate) fn read_reply(from: &mut impl BufRead) -> io::Result<Reply> {
    let mut values = MOST_VALUES;
    read_value(from, 0, &mut values)
}

fn read_value(from: &mut impl BufRead, depth: usize, values: &mut usize) -> io::Result<Reply> {
    *values = values
        .checked_sub(1)
        .ok_or_else(|| invalid("too many values"))?;
    let line = read_line(from)?;
    let (kind, rest) = line
        .split_at_checked(1)
        .ok_or_else(|| invalid("an empty line"))?;
    Ok(match kind {
        "+" => Reply::Simple(rest.to_owned()),
        "-" => Reply::Error(rest.to_owned()),
        ":" => Reply::Integer(rest.parse().map_err(|_| invalid("not a number"))?),
        "$" => match length(rest, LONGEST)? {
            None => Reply::Null,
            Some(length) => Reply::Bulk(read_bulk(from, length)?),
        },
        "*" => match length(rest, MOST_VALUES)? {
            None => Reply::Null,
            Some(_) if depth >= DEEPEST => return Err(invalid("nested too deeply")),
            Some(length) => {
                let mut all = Vec::new();
                for _ in 0..length {
                    all.push(read_value(from, depth + 1, values)?);
                }
                Reply::Array(all)
            }
        },
        _ => return Err(invalid("an unknown kind of reply")),
    })
}

fn read_line(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    from.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let line = line
        .strip_suffix(b"\r\n")
        .ok_or_else(|| invalid("a line without its end"))?;
    Ok(String::from_utf8_lossy(line).into_owned())
}

fn read_bulk(from: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(64 << 10));
    from.take(length as u64 + 2).read_to_end(&mut bytes)?;
    if bytes.len() < length + 2 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if !bytes.ends_with(b"\r\n") {
        return Err(invalid("a text without its end"));
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// `-1` means that there is no value.
fn length(digits: &str, most: usize) -> io::Result<Option<usize>> {
    if digits == "-1" {
        return Ok(None);
    }
    match digits.parse() {
        Ok(length) if length <= most => Ok(Some(length)),
        _ => Err(invalid("a length out of range")),
    }
}

fn invalid(why: &str) -> io::Error {
    let message = format!("the answer is not one of Redis: {why}");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
#[path = "resp_tests.rs"]
mod tests;
