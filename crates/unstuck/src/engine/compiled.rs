//! Settings with everything that is derived from them once.

use crate::{
    facts::{Extractor, Needs},
    rules::RuleName,
    settings::Settings,
};

/// Settings with everything that is derived from them once.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) settings: Settings,
    pub(super) needs: Needs,
    pub(super) extractor: Extractor,
    /// Whether snapshots hold arguments of calls that were seen once.
    pub(super) first_arguments: FirstArguments,
    /// Rules in the order that decides between equally strict ones.
    order: Vec<RuleName>,
}

/// What snapshots hold of a call that was seen once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstArguments {
    /// Its tool and the argument that says most, on one line of at most 80 bytes without secrets.
    Kept,
    /// Its tool only.
    Dropped,
}

impl Compiled {
    pub(super) fn new(settings: Settings) -> Self {
        let mut needs = settings.rules.needs();
        needs.rewordings &= settings.identity.rewordings;
        let mut order = settings.precedence.clone();
        order.extend(RuleName::ALL);
        Self {
            extractor: Extractor::new(&settings.secret, &settings.identity, needs),
            first_arguments: FirstArguments::Kept,
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
