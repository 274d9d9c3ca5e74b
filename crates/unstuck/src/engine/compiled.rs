//! Settings with everything that is derived from them once.

use std::num::NonZeroU32;

use crate::{
    facts::{Extractor, Needs},
    hash::Key,
    options::Room,
    rules::RuleName,
    settings::Settings,
};

/// Settings with everything that is derived from them once.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) settings: Settings,
    pub(super) needs: Needs,
    pub(super) extractor: Extractor,
    /// The room for each agent.
    pub(super) room: Room,
    /// Whether snapshots hold arguments of calls that were seen once.
    pub(super) first_arguments: FirstArguments,
    /// Rules in the order that decides between equally strict ones.
    order: Vec<RuleName>,
}

/// What snapshots hold of a call that was seen once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstArguments {
    /// Its tool and its most significant argument, on one line of at most 80 bytes without secrets.
    Kept,
    /// Its tool only.
    Dropped,
}

impl Compiled {
    pub(super) fn new(settings: Settings, key: Key) -> Self {
        let mut needs = settings.rules.needs();
        needs.rewordings &= settings.identity.rewordings;
        let seen = needs.matrix.map_or(NonZeroU32::MIN, |matrix| matrix.memory);
        let mut order = settings.precedence.clone();
        order.extend(RuleName::ALL);
        Self {
            extractor: Extractor::new(&settings.secret, &settings.identity, needs),
            first_arguments: FirstArguments::Kept,
            room: settings.memory.room(seen, key),
            needs,
            order,
            settings,
        }
    }

    /// The place of a rule in the order that decides between equally strict ones.
    pub(super) fn rank(&self, rule: RuleName) -> usize {
        let place = self.order.iter().position(|known| *known == rule);
        place.unwrap_or(self.order.len())
    }
}
