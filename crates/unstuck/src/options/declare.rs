//! Macros that declare the options of rules.

use super::{Ladder, Tightening};

/// Operations that the options of all rules have.
pub(crate) trait Options {
    /// Whether the rule is on.
    fn enabled(&self) -> bool;

    /// Switches the rule on or off.
    fn set_enabled(&mut self, enabled: bool);

    /// The thresholds of the rule.
    fn ladder(&self) -> Ladder;

    /// Compares these options with those they are laid over. `preset` has the options of the preset in effect.
    fn tightens(&self, base: &Self, preset: &Self, tightening: &mut Tightening<'_>);
}

/// Declares the options of a rule that has a ladder: `enabled`, the thresholds, and further options.
macro_rules! options {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $name {
            /// Whether the rule is on.
            pub enabled: bool,
            /// Number of occurrences at which the first nudge is given.
            pub nudge: $crate::options::Rung,
            /// Number of occurrences at which a nudge has level 2 at once. If `"never"`, the second nudge of a pattern has level 2.
            pub warning: $crate::options::Rung,
            /// Number of occurrences at which a nudge has level 3 at once. If `"never"`, the third nudge of a pattern has level 3.
            pub critical: $crate::options::Rung,
            /// Number of occurrences from which the call is denied.
            pub deny: $crate::options::DenyRung,
            /// Number of occurrences from which the run is halted.
            pub halt: $crate::options::Rung,
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// The rule's thresholds.
            pub fn ladder(&self) -> $crate::options::Ladder {
                $crate::options::Ladder {
                    nudge: self.nudge,
                    warning: self.warning,
                    critical: self.critical,
                    deny: self.deny,
                    halt: self.halt,
                }
            }

            /// Options of a rule that is on.
            pub(crate) fn with(ladder: $crate::options::Ladder, $($field: $type),*) -> Self {
                let $crate::options::Ladder { nudge, warning, critical, deny, halt } = ladder;
                Self { enabled: true, nudge, warning, critical, deny, halt, $($field),* }
            }
        }

        impl $crate::options::Options for $name {
            fn enabled(&self) -> bool {
                self.enabled
            }

            fn set_enabled(&mut self, enabled: bool) {
                self.enabled = enabled;
            }

            fn ladder(&self) -> $crate::options::Ladder {
                self.ladder()
            }

            fn tightens(
                &self,
                base: &Self,
                preset: &Self,
                tightening: &mut $crate::options::Tightening<'_>,
            ) {
                tightening.laddered(self, base, preset);
                $(tightening.same(stringify!($field), &self.$field, &base.$field);)*
            }
        }
    };
}
pub(crate) use options;

/// Declares a choice written in kebab-case.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }
    };
}
pub(crate) use choice;
