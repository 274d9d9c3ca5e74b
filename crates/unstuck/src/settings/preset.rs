//! Presets: where settings start.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    Aimless, Attendance, Budget, CallBurst, Chant, CountCalls, CountFailures, CountTests,
    CountTurns, Cycle, CycleOf, DenyRung, EditRevert, ExactRepeat, FailureCascade, InvalidCall,
    JudgeSteps, Ladder, MemorySettings, Mode, NearRepeat, NoOp, Nudges, OnUser, PolicySettings,
    Poll, Relapse, Relay, Rules, Rung, Settings, Stagnation, StuckOutcome, SummaryLoop, SwarmCount,
    SwarmLoop, TestFixCycle, UnknownTool, WithoutTime,
};
use crate::{nudge::Texts, rules::RuleName};

/// A named set of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Preset {
    /// All rules, judged by outcomes: what an agent should run with.
    #[default]
    Standard,
    /// `IronCurtain`: a matrix of approaches and outcomes for steps, a breaker for identical calls.
    Ironcurtain,
    /// Attractor: cycles of one, two and three calls.
    Attractor,
    /// attocode: doom loops, failing tests and commands, words without work, swarms.
    Attocode,
    /// `ToolLoopDetector`: any call three times in the last twenty.
    ToolLoopDetector,
}

/// A name that is no preset's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown preset `{0}`; known are standard, ironcurtain, attractor, attocode and tool-loop-detector"
)]
pub struct UnknownPreset(pub String);

impl Preset {
    /// All presets.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::Ironcurtain,
        Self::Attractor,
        Self::Attocode,
        Self::ToolLoopDetector,
    ];

    /// The preset's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Ironcurtain => "ironcurtain",
            Self::Attractor => "attractor",
            Self::Attocode => "attocode",
            Self::ToolLoopDetector => "tool-loop-detector",
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Standard => "all rules, judged by what came back; what an agent should run with",
            Self::Ironcurtain => "steps by approach and outcome; 20 identical calls in 60 s",
            Self::Attractor => "cycles of one, two and three calls; the third repetition stops",
            Self::Attocode => {
                "equal and similar calls in a row, failing tests and commands, idle turns, swarms"
            }
            Self::ToolLoopDetector => "any call three times in the last twenty stops the run",
        }
    }

    /// The order in which rules speak where their verdicts are equally strict.
    pub(crate) fn precedence(self, rule: RuleName) -> usize {
        /// This system looks at tests before it looks at commands, and at the swarm before both.
        const ATTOCODE: [RuleName; 6] = [
            RuleName::ExactRepeat,
            RuleName::NearRepeat,
            RuleName::SwarmLoop,
            RuleName::TestFixCycle,
            RuleName::FailureCascade,
            RuleName::SummaryLoop,
        ];
        let table = rule as usize;
        match self {
            Self::Attocode => ATTOCODE
                .iter()
                .position(|known| *known == rule)
                .unwrap_or(ATTOCODE.len() + table),
            _ => table,
        }
    }

    pub(super) fn settings(self) -> Settings {
        let mut settings = Settings {
            preset: self,
            mode: Mode::Enforce,
            attendance: Attendance::Unattended,
            secret: String::new(),
            rules: standard_rules(),
            policy: PolicySettings {
                nudges: Nudges::WhenGrown,
                relapse: Relapse::Climb,
                denials_before_halt: Rung::at(10),
                on_user: OnUser::RestartStreaks,
            },
            memory: MemorySettings::default(),
            tools: Vec::new(),
            texts: Texts::of(self),
        };
        if self != Self::Standard {
            settings.rules.disable_all();
            settings.policy = PolicySettings {
                nudges: Nudges::EveryTime,
                relapse: Relapse::Forget,
                denials_before_halt: Rung::Never,
                on_user: OnUser::Keep,
            };
        }
        match self {
            Self::Standard => {}
            Self::Ironcurtain => ironcurtain(&mut settings),
            Self::Attractor => attractor(&mut settings),
            Self::Attocode => attocode(&mut settings),
            Self::ToolLoopDetector => tool_loop_detector(&mut settings),
        }
        settings
    }
}

fn standard_rules() -> Rules {
    Rules {
        exact_repeat: ExactRepeat::with(true, Ladder::new(3, 6, 9), CountCalls::Outcomes, 20),
        near_repeat: NearRepeat::with(true, Ladder::new(4, 6, 10), CountCalls::Outcomes, 20),
        cycle: Cycle::with(true, Ladder::new(3, 6, 8), CycleOf::Steps, 2, 16),
        stagnation: Stagnation::with(true, Ladder::new(3, 0, 5), JudgeSteps::StepsAndCalls, 1_024),
        stuck_outcome: StuckOutcome::with(
            true,
            Ladder::new(5, 7, 8),
            JudgeSteps::StepsAndCalls,
            1_024,
        ),
        failure_cascade: FailureCascade::with(
            true,
            Ladder::new(3, 6, 10),
            CountFailures::SameError,
        ),
        test_fix_cycle: TestFixCycle::with(true, Ladder::new(3, 0, 0), CountTests::SameFailure),
        unknown_tool: UnknownTool::with(true, Ladder::new(3, 5, 7)),
        invalid_call: InvalidCall::with(true, Ladder::new(4, 7, 10)),
        no_op: NoOp::with(true, Ladder::new(3, 6, 0)),
        edit_revert: EditRevert::with(true, Ladder::new(3, 5, 0)),
        poll: Poll::with(true, Ladder::new(10, 20, 40), 30),
        chant: Chant::with(true, Ladder::new(1, 0, 2)),
        summary_loop: SummaryLoop::with(true, Ladder::new(2, 0, 0), CountTurns::AfterWork),
        call_burst: CallBurst {
            enabled: true,
            limit: 20,
            window_ms: 60_000,
            half_open: true,
            without_time: WithoutTime::Ignore,
            keys: 64,
        },
        aimless: Aimless::with(true, Ladder::new(30, 0, 0)),
        swarm_loop: SwarmLoop::with(true, Ladder::new(10, 0, 0), SwarmCount::Fruitless, 2),
        relay: Relay::with(true, Ladder::new(6, 0, 12)),
        budget: Budget::default(),
    }
}

fn ironcurtain(settings: &mut Settings) {
    let rules = &mut settings.rules;
    rules.stagnation = Stagnation::with(true, Ladder::new(3, 0, 5), JudgeSteps::Steps, 65_536);
    rules.stuck_outcome = StuckOutcome::with(true, Ladder::new(5, 0, 8), JudgeSteps::Steps, 65_536);
    rules.call_burst = CallBurst {
        enabled: true,
        limit: 20,
        window_ms: 60_000,
        half_open: false,
        without_time: WithoutTime::Count,
        keys: 4_096,
    };
}

fn attractor(settings: &mut Settings) {
    let ladder = Ladder {
        nudge: Rung::at(1),
        warning: Rung::at(2),
        halt: Rung::at(3),
        ..Ladder::default()
    };
    settings.rules.cycle = Cycle::with(true, ladder, CycleOf::Calls, 1, 3);
    settings.policy.on_user = OnUser::ClearPatterns;
}

fn attocode(settings: &mut Settings) {
    let rules = &mut settings.rules;
    let exact = Ladder {
        nudge: Rung::at(3),
        warning: Rung::at(4),
        critical: Rung::at(6),
        deny: DenyRung::AfterCritical,
        halt: Rung::Never,
    };
    let near = Ladder {
        warning: Rung::at(4),
        critical: Rung::at(6),
        ..Ladder::default()
    };
    rules.exact_repeat = ExactRepeat::with(true, exact, CountCalls::CallsInARow, 10);
    rules.near_repeat = NearRepeat::with(true, near, CountCalls::CallsInARow, 10);
    rules.swarm_loop = SwarmLoop::with(true, Ladder::new(10, 0, 0), SwarmCount::EveryCall, 2);
    rules.test_fix_cycle = TestFixCycle::with(true, Ladder::new(3, 0, 0), CountTests::AnyFailure);
    rules.failure_cascade = FailureCascade::with(true, Ladder::new(3, 0, 0), CountFailures::Shell);
    rules.summary_loop = SummaryLoop::with(true, Ladder::new(2, 0, 0), CountTurns::Always);
    settings.policy.on_user = OnUser::RestartStreaks;
}

fn tool_loop_detector(settings: &mut Settings) {
    settings.rules.exact_repeat =
        ExactRepeat::with(true, Ladder::new(0, 0, 3), CountCalls::CallsInWindow, 20);
}

impl Rules {
    fn disable_all(&mut self) {
        self.exact_repeat.enabled = false;
        self.near_repeat.enabled = false;
        self.cycle.enabled = false;
        self.stagnation.enabled = false;
        self.stuck_outcome.enabled = false;
        self.failure_cascade.enabled = false;
        self.test_fix_cycle.enabled = false;
        self.unknown_tool.enabled = false;
        self.invalid_call.enabled = false;
        self.no_op.enabled = false;
        self.edit_revert.enabled = false;
        self.poll.enabled = false;
        self.chant.enabled = false;
        self.summary_loop.enabled = false;
        self.call_burst.enabled = false;
        self.aimless.enabled = false;
        self.swarm_loop.enabled = false;
        self.relay.enabled = false;
        self.budget.enabled = false;
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.as_str() == name)
            .ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}
