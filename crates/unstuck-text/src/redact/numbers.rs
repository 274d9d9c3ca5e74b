//! Cards, social security numbers and bank accounts.

use std::ops::Range;

/// Cards and social security numbers.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(u8::is_ascii_digit) {
        at += skipped;
        let start = at;
        let mut end = at;
        // Neither is longer than this, nor has more groups.
        let mut digits = [0; 19];
        let mut shape = [0; 4];
        let (mut length, mut groups) = (0, 0);
        let mut dashes = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'0'..=b'9' => {
                    if let Some(digit) = digits.get_mut(length) {
                        *digit = byte - b'0';
                    }
                    length += 1;
                    groups += usize::from(length == 1 || end < at);
                    if let Some(group) = shape.get_mut(groups - 1) {
                        *group = u8::saturating_add(*group, 1);
                    }
                    end = at + 1;
                }
                b' ' | b'-' | b'.' if end == at => dashes += usize::from(byte == b'-'),
                _ => break,
            }
            at += 1;
        }
        let inside = start > 0
            && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'_')
            || bytes
                .get(end)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let card = (13..=19).contains(&length) && is_card(&digits[..length], shape, groups);
        let security = shape == [3, 2, 4, 0] && dashes >= 2 && groups == 3;
        if (card || security) && !inside {
            found.push(start..end);
        }
    }
}

/// Begins as cards do, is grouped as they are, and its last digit fits.
fn is_card(digits: &[u8], shape: [u8; 4], groups: usize) -> bool {
    let first = digits[..4]
        .iter()
        .fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    let issued = match digits.len() {
        13 => first / 1_000 == 4,
        14 => matches!(first / 100, 36 | 38) || (3000..=3059).contains(&first),
        15 => matches!(first / 100, 34 | 37),
        16 => {
            matches!(first / 1_000, 4)
                || (51..=55).contains(&(first / 100))
                || (2221..=2720).contains(&first)
                || matches!(first / 100, 35 | 62 | 64 | 65)
                || first == 6011
        }
        _ => matches!(first / 1_000, 4 | 6),
    };
    let grouped = match groups {
        1 => true,
        3 => shape[..3] == [4, 6, 5] || shape[..3] == [4, 6, 4],
        4 => shape[..3] == [4, 4, 4],
        _ => false,
    };
    issued && grouped && luhn(digits)
}

fn luhn(digits: &[u8]) -> bool {
    let weigh = |(place, digit): (usize, &u8)| match (place % 2, *digit) {
        (0, digit) => u32::from(digit),
        (_, digit) if digit > 4 => u32::from(digit) * 2 - 9,
        (_, digit) => u32::from(digit) * 2,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(weigh).sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// Bank accounts (IBAN): two letters, two digits, up to thirty more, and a remainder of one.
pub(super) fn find_accounts(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(u8::is_ascii_uppercase) {
        let start = at + skipped;
        at = start + 1;
        let begins = start == 0 || !bytes[start - 1].is_ascii_alphanumeric();
        let head = bytes.get(start..start + 4);
        let fits = head.is_some_and(|head| {
            head[1].is_ascii_uppercase() && head[2].is_ascii_digit() && head[3].is_ascii_digit()
        });
        if !begins || !fits {
            continue;
        }
        if let Some(end) = account(bytes, start) {
            found.push(start..end);
            at = end;
        }
    }
}

fn account(bytes: &[u8], start: usize) -> Option<usize> {
    let mut letters = [0_u8; 34];
    let (mut length, mut end, mut at) = (0, start, start);
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            *letters.get_mut(length)? = byte;
            length += 1;
            end = at + 1;
        } else if !(byte == b' ' && length.is_multiple_of(4) && end == at) {
            break;
        }
        at += 1;
    }
    // Words in capitals may follow behind a space.
    (15..=length)
        .rev()
        .find_map(|length| {
            let digits = letters[4..length]
                .iter()
                .filter(|byte| byte.is_ascii_digit())
                .count();
            let ordered = letters[4..length].iter().chain(&letters[..4]);
            let remainder = ordered.fold(0_u32, |rest, byte| match byte {
                b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
                letter => (rest * 100 + u32::from(letter - b'A') + 10) % 97,
            });
            (remainder == 1 && digits >= 8)
                .then(|| reach(bytes, start, length))
                .flatten()
        })
        .filter(|found| *found <= end)
}

/// Where the account of so many letters ends, if a group ends there.
fn reach(bytes: &[u8], start: usize, length: usize) -> Option<usize> {
    let mut left = length;
    let mut at = start;
    while left > 0 {
        left -= usize::from(bytes.get(at)? != &b' ');
        at += 1;
    }
    let ends = bytes
        .get(at)
        .is_none_or(|byte| !byte.is_ascii_alphanumeric());
    ends.then_some(at)
}
