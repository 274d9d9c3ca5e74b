//! The order of an object's members.

use std::cmp::Ordering;

use super::string::{KeyPart, compare_keys, key_prefix};

/// Up to so many members are compared key by key.
const FEW: usize = 32;

/// The range of a member in the output: `"key":value`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// How the key starts; decides most comparisons alone.
    pub(crate) prefix: u64,
    pub(crate) start: usize,
    /// Behind the closing quote of the key.
    key_end: usize,
    pub(crate) end: usize,
}

impl Member {
    #[inline]
    pub(crate) fn new(out: &[u8], start: usize, key_end: usize) -> Self {
        Self {
            prefix: key_prefix(out, start + 1, key_end - 1),
            start,
            key_end,
            end: out.len(),
        }
    }

    #[inline]
    pub(crate) fn compare(&self, other: &Self, out: &[u8]) -> Ordering {
        self.prefix
            .cmp(&other.prefix)
            .then_with(|| compare_keys(self.key(out), other.key(out)))
    }

    #[inline]
    pub(crate) fn key<'o>(&self, out: &'o [u8]) -> &'o [u8] {
        &out[self.start + 1..self.key_end - 1]
    }
}

/// Sorts members by their keys, and members with equal keys by their places in `out`.
pub(crate) fn sort(members: &mut [Member], out: &[u8]) {
    if members.len() <= FEW {
        return sort_few(members, out);
    }
    members.sort_unstable_by_key(|member| member.prefix);
    for group in members.chunk_by_mut(|one, other| one.prefix == other.prefix) {
        if group.len() <= FEW {
            sort_few(group, out);
        } else {
            sort_by_parts(group, out);
        }
    }
}

fn sort_few(members: &mut [Member], out: &[u8]) {
    members.sort_unstable_by(|left, right| {
        left.compare(right, out).then(left.start.cmp(&right.start))
    });
}

/// A member with the part of its key that is compared.
struct Candidate {
    part: KeyPart,
    /// Where the next part begins in the key.
    next: usize,
    member: Member,
}

/// Sorts members with a common prefix part by part. A comparison of two whole keys reads both from the output, once for
/// each of the comparisons that a key is part of; here every part is read once.
#[cold]
fn sort_by_parts(members: &mut [Member], out: &[u8]) {
    let mut candidates: Vec<Candidate> = members
        .iter()
        .map(|member| {
            let (part, next) = KeyPart::with_end(member.key(out), 0);
            Candidate {
                part,
                next,
                member: *member,
            }
        })
        .collect();
    // Ranges of candidates whose keys are equal before the part that is looked at.
    let mut open = vec![(0, candidates.len())];
    while let Some((mut start, end)) = open.pop() {
        let group = &mut candidates[start..end];
        group.sort_unstable_by_key(|candidate| (candidate.part, candidate.member.start));
        for equal in group.chunk_by_mut(|one, other| one.part == other.part) {
            let end = start + equal.len();
            // Keys that have ended are equal, and in the order of their places.
            if equal.len() > 1 && equal[0].part.is_full() {
                for candidate in equal {
                    let key = candidate.member.key(out);
                    (candidate.part, candidate.next) = KeyPart::with_end(key, candidate.next);
                }
                open.push((start, end));
            }
            start = end;
        }
    }
    for (member, candidate) in members.iter_mut().zip(candidates) {
        *member = candidate.member;
    }
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
