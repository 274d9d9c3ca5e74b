//! Whether settings only tighten others, setting by setting.
//!
//! Settings from a source that a person has not trusted may make the guard stricter, and nothing else. Each setting is
//! compared by itself: a number or a choice with an order may move to the stricter side, everything else must be equal.
//! How strict such a source may become is bounded by the preset in effect, because a guard that denies every call stops
//! all work. Other presets set no bound: their numbers are for rules that count other things.

use std::fmt;

use super::{
    Aimless, Attendance, Budget, CallBurst, Chant, Cycle, DenyRung, EditRevert, ExactRepeat,
    FailureCascade, InvalidCall, Ladder, MemorySettings, Mode, NearRepeat, NoOp, PolicySettings,
    Poll, Relapse, Relay, Rules, Rung, Settings, Stagnation, StuckOutcome, SummaryLoop, SwarmLoop,
    TestFixCycle, UnknownTool,
};
use crate::rules::RuleName;

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

impl Settings {
    /// Returns the first setting that does more than tighten `base`; `None` if these settings are nowhere looser, and
    /// nowhere stricter than both `base` and its preset.
    ///
    /// ```
    /// use unstuck::{DenyRung, Mode, Settings};
    ///
    /// let mut base = Settings::default();
    /// base.rules.exact_repeat.deny = DenyRung::at(8);
    /// let mut settings = base.clone();
    /// settings.rules.exact_repeat.deny = DenyRung::at(6);
    /// assert_eq!(settings.loosens(&base), None);
    ///
    /// settings.mode = Mode::Off;
    /// assert_eq!(settings.loosens(&base).unwrap().to_string(), "`mode` is looser");
    /// ```
    pub fn loosens(&self, base: &Self) -> Option<Loosened> {
        // No `..` in this module: a new setting must be given its place here.
        let Self {
            preset,
            mode,
            attendance,
            secret,
            rules,
            policy,
            memory,
            tools,
            texts,
        } = self;
        let mut compare = Compare {
            preset: base.preset.settings(),
            first: None,
        };
        compare.order("mode", of_mode(*mode), of_mode(base.mode));
        compare.same("preset", preset, &base.preset);
        compare.order(
            "attendance",
            of_attendance(*attendance),
            of_attendance(base.attendance),
        );
        compare.same("secret", secret, &base.secret);
        // An entry for a tool hides later entries and what a server says about the tool, so none may be added.
        compare.same("tools", tools, &base.tools);
        compare.same("texts", texts, &base.texts);
        compare.policy(policy, &base.policy);
        compare.memory(memory, &base.memory);
        compare.rules(rules, &base.rules);
        compare.first
    }
}

/// Modes by strictness.
fn of_mode(mode: Mode) -> u8 {
    match mode {
        Mode::Off => 0,
        Mode::Observe => 1,
        Mode::Enforce => 2,
    }
}

/// Unattended runs can be halted, so they are guarded more strictly.
fn of_attendance(attendance: Attendance) -> u8 {
    match attendance {
        Attendance::Attended => 0,
        Attendance::Unattended => 1,
    }
}

fn of_relapse(relapse: Relapse) -> u8 {
    match relapse {
        Relapse::Forget => 0,
        Relapse::Climb => 1,
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
    fn of(rule: RuleName, preset: &Rules) -> Self {
        if !preset.is_enabled(rule) {
            return Self::default();
        }
        let Ladder {
            nudge,
            warning,
            critical,
            deny,
            halt,
        } = preset.ladder(rule);
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

/// Keeps the first setting that is not a tightening.
struct Compare {
    /// The preset in effect, as it is by itself.
    preset: Settings,
    first: Option<Loosened>,
}

/// Compares the thresholds of one rule, and everything else it has for equality.
macro_rules! rule {
    ($compare:ident, $rule:expr, $this:expr, $base:expr, $name:ident { $($option:ident),* }) => {{
        let $name { enabled, nudge, warning, critical, deny, halt, $($option),* } = $this;
        let ladder = Ladder {
            nudge: *nudge,
            warning: *warning,
            critical: *critical,
            deny: *deny,
            halt: *halt,
        };
        $compare.enabled($rule, *enabled, $base.enabled);
        let base = $base.enabled.then(|| $base.ladder());
        if *enabled && ladder != base.unwrap_or_default() {
            $compare.ladder($rule, &ladder, base);
        }
        $($compare.same(&key($rule, stringify!($option)), $option, &$base.$option);)*
    }};
}

impl Compare {
    fn found(&mut self, key: &str, why: Loosening) {
        if self.first.is_none() {
            let key = key.to_owned();
            self.first = Some(Loosened { key, why });
        }
    }

    fn same<T: PartialEq>(&mut self, key: &str, this: &T, base: &T) {
        if this != base {
            self.found(key, Loosening::Changed);
        }
    }

    fn order(&mut self, key: &str, this: u8, base: u8) {
        if this < base {
            self.found(key, Loosening::Looser);
        }
    }

    /// A number that is stricter the smaller it is.
    fn count(&mut self, key: &str, this: Option<u32>, base: Option<u32>, floor: Option<u32>) {
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

    fn enabled(&mut self, rule: RuleName, this: bool, base: bool) {
        self.order(&key(rule, "enabled"), this.into(), base.into());
    }

    /// `base` is `None` where the rule was off.
    fn ladder(&mut self, rule: RuleName, this: &Ladder, base: Option<Ladder>) {
        let floors = Floors::of(rule, &self.preset.rules);
        let before = base.unwrap_or_default();
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
            self.count(&key(rule, name), this.count(), base.count(), floor);
        }
        let deny = key(rule, "deny");
        match (this.deny, before.deny) {
            (this, before) if this == before => {}
            (_, DenyRung::AfterCritical) | (DenyRung::AfterCritical, _) => {
                self.found(&deny, Loosening::Changed);
            }
            // A rule that can deny waits for the next call before it halts.
            (DenyRung::At(_), DenyRung::Never) if before.halt != Rung::Never => {
                self.found(&deny, Loosening::Changed);
            }
            (this, before) => self.count(&deny, this.count(), before.count(), floors.deny),
        }
        let halt = key(rule, "halt");
        self.count(&halt, this.halt.count(), before.halt.count(), floors.halt);
    }

    fn policy(&mut self, this: &PolicySettings, base: &PolicySettings) {
        let PolicySettings {
            nudges,
            relapse,
            denials_before_halt,
            on_user,
        } = this;
        self.same("policy.nudges", nudges, &base.nudges);
        self.order(
            "policy.relapse",
            of_relapse(*relapse),
            of_relapse(base.relapse),
        );
        if of_relapse(*relapse) > of_relapse(base.relapse)
            && of_relapse(*relapse) > of_relapse(self.preset.policy.relapse)
        {
            self.found("policy.relapse", Loosening::NotInPreset);
        }
        let floor = self.preset.policy.denials_before_halt.count();
        self.count(
            "policy.denials_before_halt",
            denials_before_halt.count(),
            base.denials_before_halt.count(),
            floor,
        );
        self.same("policy.on_user", on_user, &base.on_user);
    }

    /// Less memory forgets loops, more memory costs.
    fn memory(&mut self, this: &MemorySettings, base: &MemorySettings) {
        let MemorySettings {
            sessions,
            calls,
            pending,
            warned,
            swarm,
        } = this;
        self.same("memory.sessions", sessions, &base.sessions);
        self.same("memory.calls", calls, &base.calls);
        self.same("memory.pending", pending, &base.pending);
        self.same("memory.warned", warned, &base.warned);
        self.same("memory.swarm", swarm, &base.swarm);
    }

    fn rules(&mut self, this: &Rules, base: &Rules) {
        use RuleName as R;

        let Rules {
            exact_repeat,
            near_repeat,
            cycle,
            stagnation,
            stuck_outcome,
            failure_cascade,
            test_fix_cycle,
            unknown_tool,
            invalid_call,
            no_op,
            edit_revert,
            poll,
            chant,
            summary_loop,
            call_burst,
            aimless,
            swarm_loop,
            relay,
            budget,
        } = this;
        rule!(
            self,
            R::ExactRepeat,
            exact_repeat,
            base.exact_repeat,
            ExactRepeat { count, window }
        );
        rule!(
            self,
            R::NearRepeat,
            near_repeat,
            base.near_repeat,
            NearRepeat { count, window }
        );
        rule!(
            self,
            R::Cycle,
            cycle,
            base.cycle,
            Cycle {
                of,
                shortest,
                longest
            }
        );
        rule!(
            self,
            R::Stagnation,
            stagnation,
            base.stagnation,
            Stagnation { judge, memory }
        );
        rule!(
            self,
            R::StuckOutcome,
            stuck_outcome,
            base.stuck_outcome,
            StuckOutcome { judge, memory }
        );
        rule!(
            self,
            R::FailureCascade,
            failure_cascade,
            base.failure_cascade,
            FailureCascade { count }
        );
        rule!(
            self,
            R::TestFixCycle,
            test_fix_cycle,
            base.test_fix_cycle,
            TestFixCycle { count }
        );
        rule!(
            self,
            R::UnknownTool,
            unknown_tool,
            base.unknown_tool,
            UnknownTool {}
        );
        rule!(
            self,
            R::InvalidCall,
            invalid_call,
            base.invalid_call,
            InvalidCall {}
        );
        rule!(self, R::NoOp, no_op, base.no_op, NoOp {});
        rule!(
            self,
            R::EditRevert,
            edit_revert,
            base.edit_revert,
            EditRevert {}
        );
        rule!(self, R::Poll, poll, base.poll, Poll { slow_nudge });
        rule!(self, R::Chant, chant, base.chant, Chant {});
        rule!(
            self,
            R::SummaryLoop,
            summary_loop,
            base.summary_loop,
            SummaryLoop { count }
        );
        rule!(self, R::Aimless, aimless, base.aimless, Aimless {});
        rule!(
            self,
            R::SwarmLoop,
            swarm_loop,
            base.swarm_loop,
            SwarmLoop { count, workers }
        );
        rule!(self, R::Relay, relay, base.relay, Relay {});
        self.call_burst(call_burst, &base.call_burst);
        self.budget(budget, &base.budget);
    }

    fn call_burst(&mut self, this: &CallBurst, base: &CallBurst) {
        let CallBurst {
            enabled,
            limit,
            window_ms,
            half_open,
            without_time,
            keys,
        } = this;
        let rule = RuleName::CallBurst;
        self.enabled(rule, *enabled, base.enabled);
        let preset = &self.preset.rules.call_burst;
        let floor = preset.enabled.then_some(preset.limit);
        let before = base.enabled.then_some(base.limit);
        if *enabled {
            self.count(&key(rule, "limit"), Some(*limit), before, floor);
        }
        self.same(&key(rule, "window_ms"), window_ms, &base.window_ms);
        self.same(&key(rule, "half_open"), half_open, &base.half_open);
        self.same(&key(rule, "without_time"), without_time, &base.without_time);
        self.same(&key(rule, "keys"), keys, &base.keys);
    }

    /// No preset has a budget, so there is no smallest one.
    fn budget(&mut self, this: &Budget, base: &Budget) {
        let Budget {
            enabled,
            steps,
            tokens,
            cost,
            seconds,
            nudge_percent,
        } = this;
        let rule = RuleName::Budget;
        self.same(&key(rule, "enabled"), enabled, &base.enabled);
        self.same(&key(rule, "steps"), steps, &base.steps);
        self.same(&key(rule, "tokens"), tokens, &base.tokens);
        self.same(&key(rule, "cost"), cost, &base.cost);
        self.same(&key(rule, "seconds"), seconds, &base.seconds);
        self.same(
            &key(rule, "nudge_percent"),
            nudge_percent,
            &base.nudge_percent,
        );
    }
}

fn key(rule: RuleName, option: &str) -> String {
    format!("rules.{rule}.{option}")
}

#[cfg(test)]
#[path = "tighten_tests.rs"]
mod tests;
