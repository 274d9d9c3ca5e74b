//! Calls that wait for their result.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Company, Line};
use crate::{
    event::Timestamp,
    fingerprint::{Fingerprint, Mark},
    identity::{Action, Change, Command, Effect, Label, Message, Polling, Speaker},
    ledger::Scope,
};

/// A call that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PendingCall {
    id: Box<str>,
    pub(crate) tool: Box<str>,
    /// One readable line.
    pub(crate) label: Label,
    pub(crate) exact: Mark,
    pub(crate) coarse: Fingerprint,
    pub(crate) near: Mark,
    pub(crate) shape: Mark,
    pub(crate) form: Mark,
    pub(crate) speaker: Speaker,
    pub(crate) effect: Effect,
    pub(crate) scope: Scope,
    pub(crate) command: Command,
    pub(crate) polling: Polling,
    pub(crate) change: Option<Change>,
    pub(crate) message: Option<Box<Message>>,
    pub(crate) at: Timestamp,
    pub(crate) line: Line,
    pub(crate) round: u32,
    /// Whether an equal call was under way when this one was made.
    pub(crate) company: Company,
    /// The same of a similar call.
    pub(crate) near_company: Company,
    pub(crate) denied: bool,
    /// Its turn ended without its result.
    pub(super) lost: bool,
}

/// The calls under way, oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PendingCalls {
    calls: VecDeque<PendingCall>,
}

impl PendingCall {
    pub(super) fn new(action: Action, id: Box<str>, line: Line, round: u32, at: Timestamp) -> Self {
        Self {
            id: bounded(id),
            tool: action.tool,
            label: action.label,
            exact: action.exact,
            coarse: action.coarse,
            near: action.near,
            shape: action.shape,
            form: action.form,
            speaker: action.speaker,
            effect: action.effect,
            scope: action.scope,
            command: action.command,
            polling: action.polling,
            change: action.change,
            message: action.message,
            at,
            line,
            round,
            company: Company::Alone,
            near_company: Company::Alone,
            denied: false,
            lost: false,
        }
    }

    pub(super) fn denied(mut self) -> Self {
        self.denied = true;
        self
    }

    /// Is it taken for an earlier call in other words?
    pub(crate) fn is_reworded(&self) -> bool {
        self.near != self.coarse.mark()
    }
}

impl PendingCalls {
    pub(super) fn push(&mut self, mut call: PendingCall, capacity: usize) {
        call.company = self.equal(call.exact, call.round);
        call.near_company = self.similar(call.near, call.round);
        while self.calls.len() >= capacity.max(1) {
            self.calls.pop_front();
        }
        self.calls.push_back(call);
    }

    /// Is an equal call of this round still under way?
    pub(crate) fn equal(&self, exact: Mark, round: u32) -> Company {
        self.company(round, |call| call.exact == exact)
    }

    /// Is a similar call of this round still under way?
    pub(crate) fn similar(&self, near: Mark, round: u32) -> Company {
        self.company(round, |call| call.near == near)
    }

    fn company(&self, round: u32, twin: impl Fn(&PendingCall) -> bool) -> Company {
        let calls = self.calls.iter().rev();
        let mut same_round = calls.take_while(|call| call.round == round);
        if same_round.any(|call| twin(call) && !call.denied) {
            Company::Parallel
        } else {
            Company::Alone
        }
    }

    /// The newest call with this id.
    pub(crate) fn take(&mut self, id: &str) -> Option<PendingCall> {
        let id = bounded(id.into());
        let at = self.calls.iter().rposition(|call| call.id == id)?;
        self.calls.remove(at)
    }

    /// Marks the calls of a round that have no result as lost, once each.
    pub(super) fn end_round(&mut self, round: u32, mut lost: impl FnMut(&PendingCall)) {
        for call in self
            .calls
            .iter_mut()
            .rev()
            .take_while(|call| call.round == round)
        {
            if !call.lost && !call.denied {
                call.lost = true;
                lost(call);
            }
        }
    }

    pub(super) fn forget_round(&mut self, round: u32) {
        self.calls.retain(|call| call.round != round);
    }
}

/// An id as it is kept: a long one by its hash, so that memory is bounded in bytes too.
fn bounded(id: Box<str>) -> Box<str> {
    const LONGEST: usize = 64;
    if id.len() <= LONGEST {
        id
    } else {
        blake3::hash(id.as_bytes()).to_hex().as_str().into()
    }
}
