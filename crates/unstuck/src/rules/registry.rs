//! Makes everything that has to know all rules from one list.

use super::{Detection, RuleName};

/// Declares the page about a rule once, for rustdoc, `unstuck explain` and the rule pages.
macro_rules! documented {
    ($(#[doc = $line:literal])*) => {
        $(#[doc = $line])*
        const DOC: &str = concat!($($line, "\n"),*);
    };
}
pub(crate) use documented;

/// A detection with the rule that made it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) rule: RuleName,
    pub(crate) detection: Detection,
}

/// Stored state of one rule, or its stored fact about one call.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Record {
    /// Number of the rule in the registry.
    pub(crate) rule: u8,
    /// Version of the state or of the fact.
    pub(crate) version: u8,
    pub(crate) bytes: Vec<u8>,
}

impl Record {
    /// Reads the value. `None` if the bytes do not hold exactly one.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        let (value, rest) = postcard::take_from_bytes(&self.bytes).ok()?;
        rest.is_empty().then_some(value)
    }
}

/// Receives what rules store.
#[cfg(test)]
pub(crate) trait VisitStates {
    fn visit<S: super::RuleState>(&mut self, rule: RuleName, state: &S);

    fn visit_call_fact<F: serde::Serialize>(&mut self, rule: RuleName, version: u8, fact: &F);
}

/// Declares all rules, in the order that decides between equally strict ones.
macro_rules! registry {
    ($($number:literal => $module:ident::$rule:ident,)*) => {
        $(mod $module;)*
        $(pub(crate) use $module::$rule;)*

        /// The public types of all rules: their options, and the choices in them.
        pub(crate) mod option_types {
            $(pub use super::$module::*;)*
        }

        /// The name of a rule. Names are stable: settings, decisions and reports refer to rules by them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum RuleName {
            $(#[doc = concat!("The rule of [`", stringify!($rule), "`](crate::settings::", stringify!($rule), ").")]
            $rule = $number,)*
        }

        impl RuleName {
            /// All rules, in the order that decides between equally strict ones.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// The name.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$rule => <$rule as Rule>::NAME,)* }
            }

            /// One line about the rule.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$rule => <$rule as Rule>::SUMMARY,)* }
            }

            /// Properties of the rule that the policy and reports use.
            pub fn traits(self) -> Traits {
                match self { $(Self::$rule => <$rule as Rule>::TRAITS,)* }
            }

            fn doc(self) -> &'static str {
                match self { $(Self::$rule => <$rule as Rule>::DOC,)* }
            }

            /// The rule with a number, if there is one.
            fn of_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Self::$rule),)* _ => None }
            }

            /// Returns the text for the model, unless a detection chooses another one.
            pub(crate) fn text(self, context: &TextContext<'_>) -> RuleText {
                match self { $(Self::$rule => <$rule as Rule>::text(context),)* }
            }

            /// Example streams of all rules.
            #[cfg(test)]
            pub(crate) fn examples() -> Vec<Example> {
                let mut examples = Vec::new();
                $(examples.extend(<$rule as Rule>::examples());)*
                examples
            }

            /// Returns the texts that detections of the rule choose with `Detection::worded`.
            #[cfg(test)]
            pub(crate) fn other_texts(self) -> &'static [fn(&TextContext<'_>) -> RuleText] {
                match self { $(Self::$rule => <$rule as Rule>::OTHER_TEXTS,)* }
            }
        }

        /// Written as a name for people, and by the number in stored state: the order of rules may change.
        impl serde::Serialize for RuleName {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(self.as_str())
                } else {
                    serializer.serialize_u8(*self as u8)
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for RuleName {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error as _;
                if deserializer.is_human_readable() {
                    let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                    name.parse().map_err(D::Error::custom)
                } else {
                    let number = u8::deserialize(deserializer)?;
                    Self::of_number(number).ok_or_else(|| D::Error::custom("an unknown rule"))
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for RuleName {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "RuleName".into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let names = [$(schemars::json_schema!({
                    "const": <$rule as Rule>::NAME,
                    "description": <$rule as Rule>::SUMMARY,
                })),*];
                schemars::json_schema!({
                    "description": "The name of a rule.",
                    "type": "string",
                    "oneOf": names
                })
            }
        }

        /// Options of every rule.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        #[non_exhaustive]
        pub struct Rules {
            $(#[doc = concat!("Options of [`", stringify!($rule), "`].")]
            #[cfg_attr(feature = "schema", schemars(description = <$rule as Rule>::SUMMARY))]
            pub $module: $rule,)*
        }

        impl Rules {
            /// The options of the preset `standard`.
            pub(crate) fn standard() -> Self {
                Self { $($module: <$rule as Rule>::standard(),)* }
            }

            /// The same options with all rules off.
            pub(crate) fn off(mut self) -> Self {
                $($crate::options::Options::set_enabled(&mut self.$module, false);)*
                self
            }

            /// Whether the rule is on.
            pub fn is_enabled(&self, rule: RuleName) -> bool {
                match rule { $(RuleName::$rule => self.$module.enabled,)* }
            }

            /// The rule's thresholds. `call-burst` only denies and `budget` only halts, so each has a single threshold.
            pub fn ladder(&self, rule: RuleName) -> $crate::options::Ladder {
                match rule { $(RuleName::$rule => $crate::options::Options::ladder(&self.$module),)* }
            }

            /// The number of calls and the seconds that texts of the rule name.
            pub(crate) fn window(&self, rule: RuleName) -> Option<(u32, u64)> {
                match rule { $(RuleName::$rule => Rule::window(&self.$module),)* }
            }

            /// Whether the rule judges calls before they run, and not only their results.
            pub fn judges_calls(&self, rule: RuleName) -> bool {
                match rule { $(RuleName::$rule => Rule::judges_calls(&self.$module),)* }
            }

            /// What has to be extracted and recorded for the rules that are on.
            pub(crate) fn needs(&self) -> $crate::facts::Needs {
                let mut needs = $crate::facts::Needs::NOTHING;
                $(if self.$module.enabled {
                    needs = needs.and(self.$module.needs());
                })*
                needs
            }

            /// Adds remarks about options that can never have an effect.
            pub(crate) fn warn(&self, warnings: &mut Vec<$crate::options::SettingsWarning>) {
                $(if self.$module.enabled {
                    let name = <$rule as Rule>::NAME;
                    self.$module.warn(&mut $crate::options::RuleWarnings::new(name, warnings));
                })*
            }

            /// Keeps the first option that does more than tighten `base`.
            pub(crate) fn tightens(
                &self,
                base: &Self,
                preset: &Self,
                first: &mut Option<$crate::options::Loosened>,
            ) {
                $({
                    let table = concat!("rules.", stringify!($module)).replace('_', "-");
                    let mut tightening = $crate::options::Tightening::new(table, first);
                    let (this, base, preset) = (&self.$module, &base.$module, &preset.$module);
                    $crate::options::Options::tightens(this, base, preset, &mut tightening);
                })*
            }

            /// Extracts the private facts of the rules that are on.
            pub(crate) fn extract(&self, call: &$crate::facts::CallView<'_>) -> RuleFacts {
                RuleFacts {
                    $($module: if self.$module.enabled {
                        self.$module.extract(call)
                    } else {
                        Default::default()
                    },)*
                }
            }
        }

        /// Private facts of rules about one call.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct RuleFacts {
            $(pub(crate) $module: <$rule as Rule>::CallFact,)*
        }

        impl RuleFacts {
            /// Passes the fact of every rule that has one to the visitor.
            #[cfg(test)]
            pub(crate) fn visit(&self, visitor: &mut impl $crate::rules::VisitStates) {
                $(if size_of::<<$rule as Rule>::CallFact>() > 0 {
                    let version = <$rule as Rule>::CALL_FACT_VERSION;
                    visitor.visit_call_fact(RuleName::$rule, version, &self.$module);
                })*
            }
        }

        /// Stored as one record per rule that has a fact, so that adding or removing a rule changes no other record.
        impl serde::Serialize for RuleFacts {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut records = Vec::new();
                $(if size_of::<<$rule as Rule>::CallFact>() > 0 {
                    records.push(Record {
                        rule: $number,
                        version: <$rule as Rule>::CALL_FACT_VERSION,
                        bytes: postcard::to_allocvec(&self.$module)
                            .map_err(serde::ser::Error::custom)?,
                    });
                })*
                records.serialize(serializer)
            }
        }

        /// A rule without a record, or with a record of another version, has its default fact.
        impl<'de> serde::Deserialize<'de> for RuleFacts {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error as _;

                let mut facts = Self::default();
                for record in Vec::<Record>::deserialize(deserializer)? {
                    match record.rule {
                        $($number if record.version == <$rule as Rule>::CALL_FACT_VERSION => {
                            facts.$module = record.read().ok_or_else(|| D::Error::custom("a damaged record"))?;
                        })*
                        _ => {}
                    }
                }
                Ok(facts)
            }
        }

        /// Private state of all rules for one agent.
        #[derive(Clone, Debug)]
        pub(crate) struct RuleStates {
            $($module: <$rule as Rule>::State,)*
        }

        impl RuleStates {
            pub(crate) fn new(rules: &Rules, room: &$crate::options::Room) -> Self {
                Self {
                    $($module: {
                        let capacity = rules.$module.capacity(room);
                        <<$rule as Rule>::State as RuleState>::empty(capacity, room.key)
                    },)*
                }
            }

            /// Records an event in the rules that are on. Returns the changes of their breakers.
            pub(crate) fn record(
                &mut self,
                rules: &Rules,
                happened: &Happened<'_>,
                shared: &$crate::state::State,
            ) -> Vec<$crate::transition::Transition> {
                let mut transitions = Vec::new();
                $(if rules.$module.enabled {
                    transitions.extend(rules.$module.record_change(&mut self.$module, happened, shared));
                })*
                transitions
            }

            /// Claims of the rules that are on.
            pub(crate) fn claims(&self, rules: &Rules) -> Claims {
                let mut claims = Claims::default();
                $(if rules.$module.enabled {
                    rules.$module.claim(&self.$module, &mut claims);
                })*
                claims
            }

            /// Whether a rule that is on has this call in its state.
            pub(crate) fn know(&self, rules: &Rules, call: &$crate::facts::CallFacts) -> bool {
                $((rules.$module.enabled && rules.$module.knows(&self.$module, call)))||*
            }

            /// The count of a swarm that a rule needs before it can judge.
            pub(crate) fn ask_swarm<'a>(
                rules: &Rules,
                trigger: &'a Trigger<'_>,
                shared: &$crate::state::State,
            ) -> Option<SwarmQuestion<'a>> {
                $(if rules.$module.enabled
                    && let Some(question) = rules.$module.asks_swarm(trigger, shared)
                {
                    return Some(question);
                })*
                None
            }

            /// Patterns that the rules that are on detect.
            pub(crate) fn detect(
                &self,
                rules: &Rules,
                trigger: &Trigger<'_>,
                context: &Context<'_>,
            ) -> Vec<Found> {
                let mut found = Vec::new();
                let is_call = matches!(trigger, Trigger::Call(_));
                $(if rules.$module.enabled
                    && (!is_call || rules.$module.judges_calls())
                    && let Some(detection) = rules.$module.detect(&self.$module, trigger, context)
                {
                    let rule = RuleName::$rule;
                    found.push(Found { rule, detection });
                })*
                found
            }

            /// Resets what a person's message resets.
            pub(crate) fn user(&mut self, on_user: $crate::options::OnUser) {
                $(self.$module.user(on_user);)*
            }

            /// Stored state of the rules that are on and have any.
            pub(crate) fn records(&self, rules: &Rules) -> Vec<Record> {
                let mut records = Vec::new();
                $(if rules.$module.enabled && size_of::<<$rule as Rule>::State>() > 0 {
                    records.push(Record {
                        rule: $number,
                        version: <<$rule as Rule>::State as RuleState>::VERSION,
                        // Writing plain data into a vector cannot fail.
                        bytes: postcard::to_allocvec(&self.$module).unwrap_or_default(),
                    });
                })*
                records
            }

            /// Passes the state of every rule that is on and has any to the visitor.
            #[cfg(test)]
            pub(crate) fn visit(&self, rules: &Rules, visitor: &mut impl $crate::rules::VisitStates) {
                $(if rules.$module.enabled && size_of::<<$rule as Rule>::State>() > 0 {
                    visitor.visit(RuleName::$rule, &self.$module);
                })*
            }

            /// State from stored records. A rule without a record, or with one of another version, starts afresh.
            /// `None` if a record of the present version cannot be read. The result has to be checked by `fit` before use.
            pub(crate) fn restore(
                records: &[Record],
                rules: &Rules,
                room: &$crate::options::Room,
            ) -> Option<Self> {
                let mut states = Self::new(rules, room);
                for record in records {
                    match record.rule {
                        $($number if record.version == <<$rule as Rule>::State as RuleState>::VERSION => {
                            states.$module = record.read()?;
                        })*
                        _ => {}
                    }
                }
                Some(states)
            }

            /// Drops what the present options would not have kept from state that was stored under other options.
            pub(crate) fn cut(&mut self, rules: &Rules) {
                $(rules.$module.cut(&mut self.$module);)*
            }
        }

        $crate::memory::memories!(RuleStates {
            per_turn: [$($module),*],
            lasting: [],
            plain: [],
        });
    };
}
pub(super) use registry;
