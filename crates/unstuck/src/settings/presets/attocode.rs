//! `attocode`: doom loops, failing tests and commands, turns without calls, swarms.

use super::founding;
use crate::{
    options::{Bounded, nonzero},
    rules::{RuleName, TextFacts},
    settings::{
        CompareCalls, CountCalls, CountFailures, CountSimilar, CountTests, CountTurns, DenyRung,
        ExactRepeat, FailureCascade, Ladder, NearRepeat, Occasion, OnUser, Preset, Rung, Settings,
        SummaryLoop, SwarmCount, SwarmLoop, TestFixCycle, TextSet,
    },
};

pub(in crate::settings) fn settings() -> Settings {
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
    let mut settings = founding(Preset::Attocode);
    settings.text_set = TextSet::Attocode;
    settings.identity.calls = CompareCalls::Primary;
    settings.policy.on_user = OnUser::RestartStreaks;
    // This system looks at the swarm before it looks at tests, and at tests before commands.
    settings.precedence = vec![
        RuleName::ExactRepeat,
        RuleName::NearRepeat,
        RuleName::SwarmLoop,
        RuleName::TestFixCycle,
        RuleName::FailureCascade,
        RuleName::SummaryLoop,
    ];
    let rules = &mut settings.rules;
    rules.exact_repeat = ExactRepeat::with(exact, CountCalls::CallsInARow, nonzero!(10));
    rules.near_repeat = NearRepeat::with(near, CountSimilar::CallsInARow, nonzero!(10));
    rules.swarm_loop = SwarmLoop::with(
        Ladder::new(10, 0, 0),
        SwarmCount::EveryCall,
        Bounded::of::<2>(),
    );
    rules.test_fix_cycle = TestFixCycle::with(Ladder::new(3, 0, 0), CountTests::AnyFailure);
    rules.failure_cascade = FailureCascade::with(Ladder::new(3, 0, 0), CountFailures::Shell);
    rules.summary_loop = SummaryLoop::with(Ladder::new(2, 0, 0), CountTurns::Always);
    settings
}

/// The texts of this system, where it has its own.
pub(in crate::settings) fn text(
    rule: RuleName,
    occasion: Occasion,
    facts: &TextFacts,
) -> Option<&'static str> {
    Some(match (rule, occasion) {
        (RuleName::ExactRepeat | RuleName::NearRepeat, Occasion::Notice) => {
            "{tool} has been called {count} times with the same arguments: a stuck state. Use a different tool or approach; if something blocks you, say what; if the task is done, say so."
        }
        (RuleName::ExactRepeat | RuleName::NearRepeat, Occasion::Warning) => {
            "WARNING: {count} calls of {tool} with the same arguments in a row. This is a stuck state. Change the approach or the tool, or explain what blocks you."
        }
        (RuleName::ExactRepeat | RuleName::NearRepeat, Occasion::Critical) => {
            "CRITICAL: {count} calls of {tool} with the same arguments in a row. This is a doom loop. Stop calling {tool}, explain what you are stuck on, and take a completely different approach. Further identical calls will be rejected."
        }
        (RuleName::ExactRepeat, Occasion::Deny) => {
            "Rejected: {tool} with these arguments is a doom loop, and this call was not run. Explain what you are stuck on, and take a completely different approach."
        }
        (RuleName::SwarmLoop, _) => {
            "GLOBAL DOOM LOOP: {count} calls to {tool} across {workers} workers. The whole swarm is stuck on this. Choose another strategy, do not retry the same call, and ask whether the goal itself is right."
        }
        (RuleName::TestFixCycle, _) => {
            "{count} test runs in a row have failed. Step back: read the errors again, ask whether the approach itself is wrong, and try a DIFFERENT fix strategy. Do not retry the same fix with small changes."
        }
        (RuleName::FailureCascade, _) if facts.file_operation => {
            "{count} shell commands in a row have failed, and the last one handles a file. Use the file tools for that: read_file to read, write_file to create, edit_file to change."
        }
        (RuleName::FailureCascade, _) => {
            "{count} shell commands in a row have failed. Stop and read the errors: check that the program, the path and the permissions are what you think, or reach the goal without the shell."
        }
        (RuleName::SummaryLoop, _) => {
            "{count} turns in a row without a single tool call. Summaries do not move the task: pick one open item and start on it with a tool now, or state that everything is done."
        }
        _ => return None,
    })
}
