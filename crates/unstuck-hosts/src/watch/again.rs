//! Hooks that fire more than once for one call.
//!
//! Where a hook is registered twice, for the user and for the project, both run for every call, at the same time. They
//! are counted once. An id alone does not show that: some providers name the first call of every turn `call_0`. So two
//! hooks are one only if nothing happened between them that a second call would have needed: the first call is still
//! open in the same round, or no equal call was made since the result.

use serde::{Deserialize, Serialize};

use super::{Open, Watch, push, token::hash};
use crate::hook::{CallEnded, CallMade};

/// Hooks of one registration each start together; the slower one may have to wait for a lock.
const TWICE_WITHIN_MS: i64 = 5_000;

/// The same for a batch, which nothing but the model's next answer separates from an equal one.
const BATCH_TWICE_WITHIN_MS: i64 = 1_000;

/// Results remembered.
pub(super) const ENDED: usize = 128;

/// A result that was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ended {
    /// The call's id, or nothing where the host names none.
    id: Option<u64>,
    /// The call, the moment and what it returned.
    token: u64,
    at: i64,
    round: u64,
    /// Calls made until then.
    made: u64,
    /// Whether the call was reported before it ran.
    was_open: bool,
}

/// A batch that was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Batch {
    token: u64,
    at: i64,
    made: u64,
}

/// What two hooks of one call have in common. `None` where the host names neither the call nor the time: two calls and
/// one call that is reported twice look the same there, and are counted as two.
pub(super) fn call_token(call: &CallMade, key: u64, stamp: Option<i64>) -> Option<u64> {
    let key = key.to_le_bytes();
    match (&call.id, stamp) {
        (Some(id), _) => Some(hash(&[b"id", id.as_bytes(), &key])),
        (None, Some(stamp)) => Some(hash(&[b"stamp", &stamp.to_le_bytes(), &key])),
        (None, None) => None,
    }
}

fn result_token(call: &CallMade, key: u64, stamp: Option<i64>, ended: &CallEnded) -> Option<u64> {
    let call = call_token(call, key, stamp)?.to_le_bytes();
    Some(hash(&[&call, &content(ended).to_le_bytes()]))
}

fn content(ended: &CallEnded) -> u64 {
    let output = ended.output.as_ref().map_or("", unstuck::Json::as_str);
    let code = ended.exit_code.unwrap_or(i64::MIN);
    hash(&[
        output.as_bytes(),
        &[ended.status as u8],
        &code.to_le_bytes(),
    ])
}

fn id_token(call: &CallMade) -> Option<u64> {
    call.id.as_ref().map(|id| hash(&[id.as_bytes()]))
}

impl Watch {
    /// The open call that this hook, which asks about a call, has asked about before.
    pub(super) fn asked_before(&self, token: Option<u64>, at: i64) -> Option<&Open> {
        let token = Some(token?);
        self.open.iter().rfind(|open| {
            open.token == token
                && open.round == self.round
                && at.saturating_sub(open.at) <= TWICE_WITHIN_MS
        })
    }

    /// Whether this hook reports a call that has ended already.
    pub(super) fn reported_before(
        &self,
        call: &CallMade,
        key: u64,
        (stamp, at): (Option<i64>, i64),
        ended: &CallEnded,
    ) -> bool {
        let id = id_token(call);
        let token = result_token(call, key, stamp, ended);
        let is_it = |known: &&Ended| {
            let is_equal = token == Some(known.token);
            let is_soon = at.saturating_sub(known.at) <= TWICE_WITHIN_MS;
            // Some hosts report an end twice, in different words. Where calls are reported before they run, a result
            // without a new call adds nothing.
            let is_same_call = known.was_open && id.is_some() && known.id == id;
            is_same_call || is_equal && is_soon
        };
        let Some(known) = self.ended.iter().rfind(is_it) else {
            return false;
        };
        // A call that was made after the result waits for a result of its own.
        let waits = |open: &Open| {
            let is_this = match &call.id {
                Some(id) => open.id == *id,
                None => open.key == key,
            };
            is_this && open.number > known.made
        };
        !self.open.iter().any(waits)
    }

    /// Whether a batch repeats the result of a call that ended in this round.
    pub(super) fn ended_in_round(&self, call: &CallMade, key: u64) -> bool {
        let is_open = self.find(call, key).is_some();
        let id = id_token(call);
        let mut ended = self.ended.iter();
        !is_open && id.is_some() && ended.any(|known| known.id == id && known.round == self.round)
    }

    /// Whether this batch was here before. It is remembered.
    pub(super) fn batch_before(&mut self, calls: &[(CallMade, CallEnded)], at: i64) -> bool {
        let mut token = 0;
        for (call, ended) in calls {
            let call = super::key(call) ^ id_token(call).unwrap_or_default();
            token = hash(&[
                &u64::to_le_bytes(token),
                &call.to_le_bytes(),
                &content(ended).to_le_bytes(),
            ]);
        }
        let is_known = self.batch.as_ref().is_some_and(|known| {
            known.token == token
                && known.made == self.made
                && at.saturating_sub(known.at) <= BATCH_TWICE_WITHIN_MS
        });
        self.batch = Some(Batch {
            token,
            at,
            made: self.made,
        });
        is_known
    }

    /// The calls of the last batch are counted.
    pub(super) fn batch_is_counted(&mut self) {
        if let Some(batch) = &mut self.batch {
            batch.made = self.made;
        }
    }

    /// Remembers a result.
    pub(super) fn remember_result(
        &mut self,
        call: &CallMade,
        key: u64,
        (stamp, at): (Option<i64>, i64),
        ended: &CallEnded,
        was_open: bool,
    ) {
        let known = Ended {
            id: id_token(call),
            token: result_token(call, key, stamp, ended).unwrap_or_default(),
            at,
            round: self.round,
            made: self.made,
            was_open,
        };
        push(&mut self.ended, known, ENDED);
    }
}
