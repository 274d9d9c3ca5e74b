//! Whether settings only tighten others, setting by setting.
//!
//! Settings from an untrusted source may make the guard stricter, and nothing else. Each setting is
//! compared by itself: a number or a choice with an order may move to the stricter side, everything else must be equal.
//! How strict such a source may become is bounded by the preset in effect, because a guard that denies every call stops
//! all work. Other presets set no bound: their numbers are for rules that count other things.

use std::fmt;

use super::{DenyRung, Ladder, Options, Rung};

/// A setting that does more than tighten.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loosened {
    /// The key, as `unstuck.toml` has it: `rules.cycle.deny`.
    pub key: String,
    /// Why the value is not a tightening.
    pub why: Loosening,
}

/// Why a value is not a tightening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loosening {
    /// The value is looser than before.
    Looser,
    /// The value differs, and values of this setting have no order.
    Changed,
    /// The value is smaller than this one, the smallest that the preset has.
    BelowPreset(u32),
    /// The preset has no such value.
    NotInPreset,
}

impl fmt::Display for Loosened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match self.why {
            Loosening::Looser => write!(f, "`{key}` is looser"),
            Loosening::Changed => write!(f, "`{key}` is changed"),
            Loosening::BelowPreset(least) => {
                write!(f, "`{key}` is below {least}, the smallest of the preset")
            }
            Loosening::NotInPreset => write!(f, "`{key}` is set, which the preset does not"),
        }
    }
}

/// Compares the settings of one table and keeps the first that is not a tightening.
pub(crate) struct Tightening<'a> {
    /// The table, such as `rules.cycle`; empty for keys at the top.
    table: String,
    first: &'a mut Option<Loosened>,
}

impl<'a> Tightening<'a> {
    pub(crate) fn new(table: impl Into<String>, first: &'a mut Option<Loosened>) -> Self {
        Self {
            table: table.into(),
            first,
        }
    }

    pub(crate) fn found(&mut self, key: &str, why: Loosening) {
        if self.first.is_none() {
            let key = match &*self.table {
                "" => key.to_owned(),
                table => format!("{table}.{key}"),
            };
            *self.first = Some(Loosened { key, why });
        }
    }

    /// Compares a setting that has unordered values.
    pub(crate) fn same<T: PartialEq>(&mut self, key: &str, this: &T, base: &T) {
        if this != base {
            self.found(key, Loosening::Changed);
        }
    }

    /// A choice that is stricter the larger its number is.
    pub(crate) fn order(&mut self, key: &str, this: u8, base: u8) {
        if this < base {
            self.found(key, Loosening::Looser);
        }
    }

    /// A number that is stricter the smaller it is. `floor` is the smallest that the preset has.
    pub(crate) fn count(
        &mut self,
        key: &str,
        this: Option<u32>,
        base: Option<u32>,
        floor: Option<u32>,
    ) {
        let Some(count) = this.filter(|_| this != base) else {
            if this != base {
                self.found(key, Loosening::Looser);
            }
            return;
        };
        match floor {
            _ if base.is_some_and(|base| count > base) => self.found(key, Loosening::Looser),
            None => self.found(key, Loosening::NotInPreset),
            Some(least) if count < least => self.found(key, Loosening::BelowPreset(least)),
            Some(_) => {}
        }
    }

    pub(crate) fn enabled(&mut self, this: bool, base: bool) {
        self.order("enabled", this.into(), base.into());
    }

    /// The switch and the thresholds of a rule.
    pub(crate) fn laddered<O: Options>(&mut self, this: &O, base: &O, preset: &O) {
        self.enabled(this.enabled(), base.enabled());
        let ladder = this.ladder();
        let before = base.enabled().then(|| base.ladder());
        if this.enabled() && ladder != before.unwrap_or_default() {
            self.ladder(&ladder, &before.unwrap_or_default(), Floors::of(preset));
        }
    }

    fn ladder(&mut self, this: &Ladder, before: &Ladder, floors: Floors) {
        // Where a denial follows the critical nudge, that threshold denies as well.
        let critical = match this.deny {
            DenyRung::AfterCritical => floors.critical,
            _ => floors.nudge,
        };
        for (name, this, base, floor) in [
            ("nudge", this.nudge, before.nudge, floors.nudge),
            ("warning", this.warning, before.warning, floors.nudge),
            ("critical", this.critical, before.critical, critical),
        ] {
            self.count(name, this.count(), base.count(), floor);
        }
        match (this.deny, before.deny) {
            (this, before) if this == before => {}
            (_, DenyRung::AfterCritical) | (DenyRung::AfterCritical, _) => {
                self.found("deny", Loosening::Changed);
            }
            // A rule that can deny waits for the next call before it halts.
            (DenyRung::At(_), DenyRung::Never) if before.halt != Rung::Never => {
                self.found("deny", Loosening::Changed);
            }
            (this, before) => self.count("deny", this.count(), before.count(), floors.deny),
        }
        self.count("halt", this.halt.count(), before.halt.count(), floors.halt);
    }
}

/// Smallest values that the preset has for a rule, as far as it has them.
#[derive(Clone, Copy, Default)]
struct Floors {
    /// Of the thresholds that give a text.
    nudge: Option<u32>,
    /// Of the threshold that gives the last text.
    critical: Option<u32>,
    deny: Option<u32>,
    halt: Option<u32>,
}

impl Floors {
    fn of(preset: &impl Options) -> Self {
        if !preset.enabled() {
            return Self::default();
        }
        let Ladder {
            nudge,
            warning,
            critical,
            deny,
            halt,
        } = preset.ladder();
        let nudges = [nudge, warning, critical].map(Rung::count);
        let nudge = nudges.into_iter().flatten().min();
        Self {
            nudge,
            critical: critical.count(),
            // A denial can be lifted by other work, a halt cannot: it may come as early as the first text of the preset.
            deny: deny.count().map(|deny| nudge.unwrap_or(deny).min(deny)),
            halt: halt.count(),
        }
    }
}
