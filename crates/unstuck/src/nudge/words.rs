//! The built-in texts.
//!
//! A standard message is put together from the urgency, the facts, what the calls returned, and what to do. The
//! founding systems have texts of their own: our words, their facts, and the fixed phrases that others look for.
//!
//! A number in a text is a fact of the run, and a text claims no more than was seen: what a call that has not run yet
//! would do is "would", and a result is mentioned where there was one.

use super::Occasion;
use crate::{
    rules::{Compared, Facts, RuleName, Wording},
    settings::Preset,
};

/// A message in up to five parts, each a template.
pub(super) struct Words([&'static str; 5]);

impl Words {
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.0.into_iter().filter(|part| !part.is_empty())
    }
}

/// What is known of the results of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// There was output, and its beginning is known.
    Shown,
    /// The last call returned no output.
    Empty,
    /// There was output, and it was not the same.
    Different,
    Unknown,
}

/// The texts for a finding. `may_deny` says whether the rule can deny a call.
pub(super) fn built_in(
    preset: Preset,
    rule: RuleName,
    occasion: Occasion,
    facts: &Facts,
    may_deny: bool,
) -> Words {
    let own = match preset {
        Preset::Ironcurtain => ironcurtain(rule, occasion),
        Preset::Attractor => attractor(rule, occasion),
        Preset::Attocode => attocode(rule, occasion, facts.wording),
        Preset::ToolLoopDetector | Preset::Standard => None,
    };
    match own {
        Some(text) => Words([text, "", "", "", ""]),
        None => standard(rule, occasion, facts, may_deny),
    }
}

fn standard(rule: RuleName, occasion: Occasion, facts: &Facts, may_deny: bool) -> Words {
    let results = match facts.outcome.as_deref() {
        _ if facts.compared != Compared::Same => Results::Different,
        Some("") => Results::Empty,
        Some(_) => Results::Shown,
        None => Results::Unknown,
    };
    let before = match (occasion, rule) {
        (Occasion::Notice, _) => "",
        (Occasion::Warning, _) => "Warning: ",
        (Occasion::Critical, _) => "Urgent warning: ",
        (Occasion::Deny, _) => "This call was not run. ",
        (Occasion::Halt, RuleName::Budget) => "The run is stopped. ",
        (Occasion::Halt, _) => "The run is stopped: LOOP_DETECTED. ",
    };
    let advice = if occasion == Occasion::Halt {
        ""
    } else {
        advice(rule, facts.wording, results)
    };
    let after = match (occasion, rule) {
        (Occasion::Critical, _) if may_deny => " The next such call may be denied.",
        (Occasion::Halt, RuleName::Budget) => "",
        (Occasion::Halt, _) => {
            " No further call will be run. Summarise what you tried, what you found and what blocks you, and stop."
        }
        _ => "",
    };
    let seen = seen(rule, facts, results);
    Words([before, seen, returned(rule, facts, results), advice, after])
}

/// What happened.
fn seen(rule: RuleName, facts: &Facts, results: Results) -> &'static str {
    let (ahead, missing) = (facts.ahead, facts.results_missing);
    match (rule, facts.wording) {
        (RuleName::ExactRepeat | RuleName::Poll, _) => match (ahead, results) {
            (true, Results::Shown) if missing => {
                "{count} equal calls of {what} were made, this one included, and every result that arrived was the same: {outcome}."
            }
            (true, Results::Shown) => {
                "{count} equal calls of {what} were made, this one included, and every result was the same: {outcome}."
            }
            (true, Results::Empty) if missing => {
                "{count} equal calls of {what} were made, this one included, and no output arrived."
            }
            (true, Results::Empty) => {
                "{count} equal calls of {what} were made, this one included, and none returned any output."
            }
            (true, Results::Different) if facts.compared == Compared::DifferInARow => {
                "{count} equal calls of {what} were made one after another, this one included."
            }
            (true, Results::Different | Results::Unknown) => {
                "{count} equal calls of {what} were made, this one included."
            }
            (false, Results::Shown) if missing => {
                "{count} equal calls of {what} were made, and every result that arrived was the same: {outcome}."
            }
            (false, Results::Shown) => "{what} returned the same result {count} times: {outcome}.",
            (false, Results::Empty) if missing => {
                "{count} equal calls of {what} were made, and no output arrived."
            }
            (false, Results::Empty) => {
                "{count} equal calls of {what} were made, and none returned any output."
            }
            (false, Results::Different) if facts.compared == Compared::DifferInARow => {
                "{count} equal calls of {what} were made one after another."
            }
            (false, Results::Different | Results::Unknown) => {
                "{count} equal calls of {what} were made."
            }
        },
        (RuleName::NearRepeat, _) => match (ahead, results) {
            (true, Results::Shown) if missing => {
                "{count} calls like {what} were made, this one included, and every result that arrived was the same: {outcome}."
            }
            (true, Results::Shown) => {
                "{count} calls like {what} were made, this one included, and every result was the same: {outcome}."
            }
            (true, Results::Empty) if missing => {
                "{count} calls like {what} were made, this one included, and no output arrived."
            }
            (true, Results::Empty) => {
                "{count} calls like {what} were made, this one included, and none returned any output."
            }
            (false, Results::Shown) if missing => {
                "{count} calls like {what} were made, and every result that arrived was the same: {outcome}."
            }
            (false, Results::Shown) => {
                "{count} calls like {what} returned the same result: {outcome}."
            }
            (false, Results::Empty) if missing => {
                "{count} calls like {what} were made, and no output arrived."
            }
            (false, Results::Empty) => "{count} calls like {what} returned no output.",
            (true, Results::Different | Results::Unknown) => {
                "{count} calls like {what} were made, this one included."
            }
            (false, Results::Different | Results::Unknown) => {
                "{count} calls like {what} were made."
            }
        },
        (RuleName::Cycle, _) => match (ahead, results) {
            (true, _) => "The call belongs to round {count} of the same {period} calls:{pattern}\n",
            (false, Results::Shown) => {
                "The same {period} calls were made in turn {count} times, with the same results:{pattern}\n"
            }
            (false, _) => "The same {period} calls were made in turn {count} times:{pattern}\n",
        },
        (RuleName::Stagnation, Wording::Steps) => {
            "The last {count} steps repeated earlier steps and their results."
        }
        (RuleName::Stagnation, _) => {
            "{count} of the last {window} calls repeated an earlier call and returned nothing new, the last one {what}."
        }
        (RuleName::StuckOutcome, Wording::Steps) => {
            "The last {count} steps took a new approach each and ended with a result seen before."
        }
        (RuleName::StuckOutcome, Wording::KnownResults) => {
            "{count} different calls returned results that were known already, the last one {what}."
        }
        (RuleName::StuckOutcome, _) if ahead => {
            "{count} recent calls failed in the same way, and {what} is another of their kind."
        }
        (RuleName::StuckOutcome, _) => {
            "{count} recent calls failed in the same way, the last one {what}."
        }
        (RuleName::FailureCascade, Wording::Fruitless) => {
            "{count} of the last {window} calls failed or returned nothing new, and {what} is one that you made before."
        }
        (RuleName::FailureCascade, Wording::MostFail) => {
            "{count} of the last {window} calls failed, the last one {what}."
        }
        (RuleName::FailureCascade, Wording::Shell | Wording::FileOperation) => {
            "{count} shell commands in a row failed, the last one {what}."
        }
        (RuleName::FailureCascade, Wording::SeveralErrors) if ahead => {
            "{count} calls in a row failed with errors that recur, and {what} is another of their kind."
        }
        (RuleName::FailureCascade, Wording::SeveralErrors) => {
            "{count} calls in a row failed with errors that recur, the last one {what}."
        }
        (RuleName::FailureCascade, _) if ahead => {
            "{count} calls in a row failed with the same error, and {what} is another of their kind."
        }
        (RuleName::FailureCascade, _) => {
            "{count} calls in a row failed with the same error, the last one {what}."
        }
        (RuleName::TestFixCycle, Wording::AnyFailure) => {
            "{count} test runs in a row failed, the last one {what}."
        }
        (RuleName::TestFixCycle, _) => {
            "{count} test runs in a row failed in the same way, the last one {what}."
        }
        (RuleName::UnknownTool, _) if ahead => {
            "{count} calls named a tool that does not exist, this one included: {what}."
        }
        (RuleName::UnknownTool, _) => {
            "{count} calls named a tool that does not exist, the last one {what}."
        }
        (RuleName::InvalidCall, _) if ahead => {
            "{count} calls of {tool} were refused with the same error, and attempt {laps}, {what}, has the form of one of them."
        }
        (RuleName::InvalidCall, _) => {
            "{count} calls of {tool} were refused with the same error about their arguments, the last one {what}. None of them ran."
        }
        (RuleName::NoOp, _) if ahead => {
            "{count} calls that change nothing were made, this one included: {what}."
        }
        (RuleName::NoOp, _) => {
            "{count} calls were meant to change something and changed nothing, the last one {what}."
        }
        (RuleName::EditRevert, _) if ahead => {
            "{what} would put a file back into a state it had before. With this call, that would have happened {count} times in a row."
        }
        (RuleName::EditRevert, _) => {
            "A file was put back into a state it had before, {count} times in a row, the last time by {what}."
        }
        (RuleName::Chant, _) => "Your text repeats itself: {what}, {count} times over.",
        (RuleName::SummaryLoop, _) => "{count} turns in a row ended without a tool call.",
        (RuleName::CallBurst, Wording::AfterBurst) => {
            "{what} was stopped as a burst before, and {count} calls of it were made within {seconds} seconds, this one included."
        }
        (RuleName::CallBurst, _) => {
            "{count} equal calls of {what} were made within {seconds} seconds, this one included."
        }
        (RuleName::Aimless, _) => {
            "The last {count} calls only read, and nothing was written or run. The last one was {what}."
        }
        (RuleName::SwarmLoop, _) => match results {
            Results::Different | Results::Unknown => {
                "{workers} workers of this swarm made the same call {count} times: {what}."
            }
            Results::Shown | Results::Empty => {
                "{workers} workers of this swarm made the same call {count} times, and it failed or returned nothing new each time: {what}."
            }
        },
        (RuleName::Relay, Wording::Requests) => {
            "{count} messages to one agent asked for the same, the last one {what}."
        }
        (RuleName::Relay, _) => {
            "The same message was passed between {workers} agents {count} times: {what}."
        }
        (RuleName::Budget, _) => "The run has used {used} of {limit}.",
    }
}

/// What the calls returned, where it is not part of the facts.
fn returned(rule: RuleName, facts: &Facts, results: Results) -> &'static str {
    if results != Results::Shown {
        return "";
    }
    match (rule, facts.wording) {
        // What is quoted with a denial is from the last warning, other calls may have followed.
        (RuleName::NoOp, _) if facts.ahead => " One of the results: {outcome}.",
        (RuleName::StuckOutcome | RuleName::UnknownTool, _)
        | (RuleName::FailureCascade, Wording::SeveralErrors)
            if facts.ahead =>
        {
            " One of the errors: {outcome}."
        }
        (RuleName::FailureCascade, Wording::Usual)
        | (RuleName::UnknownTool | RuleName::InvalidCall, _) => " The error: {outcome}.",
        (RuleName::FailureCascade, Wording::MostFail | Wording::Fruitless) => "",
        (RuleName::StuckOutcome, Wording::KnownResults)
        | (RuleName::SwarmLoop | RuleName::NoOp, _) => " The last result: {outcome}.",
        (RuleName::FailureCascade | RuleName::StuckOutcome, _) => " The last error: {outcome}.",
        (RuleName::TestFixCycle, Wording::Usual) => " The output did not change: {outcome}.",
        _ => "",
    }
}

/// What to do.
fn advice(rule: RuleName, wording: Wording, results: Results) -> &'static str {
    match (rule, wording) {
        (RuleName::FailureCascade, Wording::Fruitless) => {
            " Stop and take stock: what do you know for certain, what did you try, and what is left? The next call is judged afresh."
        }
        (RuleName::FailureCascade, Wording::MostFail) => {
            " Stop and take stock: what do you know for certain, and which of the failures do you understand? Settle the first one before you go on."
        }
        (RuleName::ExactRepeat, _) if results != Results::Shown => {
            " Another equal call will not bring more. Use other arguments or another tool, or state what is missing."
        }
        (RuleName::ExactRepeat, _) => {
            " Another equal call will not bring more. Use the result you have; then use other arguments or another tool, or state what is missing."
        }
        (RuleName::NearRepeat, _) if results != Results::Shown => {
            " They differ in details only. Try something of another kind."
        }
        (RuleName::NearRepeat, _) => {
            " They differ in details only. Use the result you have, or try something of another kind."
        }
        (RuleName::Cycle, _) => {
            "Another round will not change that. Leave the cycle: take a step you have not tried, or report what blocks you."
        }
        (RuleName::Stagnation, _) => {
            " Write down what is known, and take an approach you have not tried."
        }
        (RuleName::StuckOutcome, Wording::KnownResults | Wording::Steps) => {
            " They may share an assumption that does not hold. Look for it before you try another variation."
        }
        (RuleName::StuckOutcome, _) => {
            " They may share an assumption that does not hold. Look for it before you try another variation: read what the error is about, not how the call was written."
        }
        (
            RuleName::FailureCascade,
            Wording::Shell | Wording::FileOperation | Wording::SeveralErrors,
        ) => {
            " Read the errors: check that the programs, paths and permissions are what you think, use another tool, or ask."
        }
        (RuleName::FailureCascade, _) => {
            " Read the error: its cause does not depend on what you vary. Check the precondition it names, use another tool, or ask."
        }
        (RuleName::TestFixCycle, _) => {
            " Read the failure again, find out where the failing value comes from, and only then change code."
        }
        (RuleName::UnknownTool, _) => {
            " Other arguments or another spelling will not make it exist. Look at the tools you were given, and use one of those or do without."
        }
        (RuleName::InvalidCall, _) => {
            " Read the error: it names what is missing or wrong. Look at the tool's parameters, give every required one, or use another tool."
        }
        (RuleName::NoOp, _) => {
            " A test after them tests the old state. Read the file as it is now, state what should be different, and make that edit."
        }
        (RuleName::EditRevert, _) => {
            " Find out why each version fails, and look for the cause elsewhere before you edit it again."
        }
        (RuleName::Poll, _) => {
            " Asking more often does not make it faster. Wait longer between calls, do something else in the meantime, or report that it hangs."
        }
        (RuleName::Chant, _) => {
            " Repeating it settles nothing. Stop here, state the open question in one sentence, and then act on it or ask."
        }
        (RuleName::SummaryLoop, _) => {
            " Pick the next concrete step and do it with a tool, or state plainly that the task is done or blocked."
        }
        (RuleName::CallBurst, Wording::AfterBurst) => {
            " If this is a loop in code you wrote, end it. To wait for something, wait longer between calls."
        }
        (RuleName::CallBurst, _) => {
            " The limit is {limit}. If this is a loop in code you wrote, end it. To wait for something, wait longer between calls."
        }
        (RuleName::Aimless, _) => {
            " State what you are looking for and what you have found so far; then act on it, or ask."
        }
        (RuleName::SwarmLoop, _) => {
            " Do not retry it; take another way, or report that this is blocked."
        }
        (RuleName::Relay, _) => {
            " Sending it once more will not bring another answer. State what is missing and who can get it another way, or finish with what there is."
        }
        (RuleName::Budget, _) => {
            " Finish what is in hand, and report what is done and what is left."
        }
    }
}

fn ironcurtain(rule: RuleName, occasion: Occasion) -> Option<&'static str> {
    Some(match (rule, occasion) {
        (RuleName::Stagnation, Occasion::Halt) => {
            "LOOP DETECTED: you keep repeating the same code with the same result. Execution is now blocked. Summarize what was tried, what came of it and what is missing, and stop."
        }
        (RuleName::Stagnation, _) => {
            "WARNING: the same code keeps giving the same result. Take a fundamentally different approach now ({count}/{block} before block)."
        }
        (RuleName::StuckOutcome, Occasion::Halt) => {
            "LOOP DETECTED: you are trying different approaches but getting the same result. Execution is now blocked. Summarize what was tried, what came of it and what is missing, and stop."
        }
        (RuleName::StuckOutcome, _) => {
            "WARNING: the approaches change, the result does not. Re-examine your assumptions before the next attempt ({count}/{block} before block)."
        }
        (RuleName::CallBurst, _) => {
            "CIRCUIT BREAKER: '{tool}' was called {limit} times with identical arguments within {seconds}s window. This call was not run. Try a different approach."
        }
        _ => return None,
    })
}

fn attractor(rule: RuleName, occasion: Occasion) -> Option<&'static str> {
    if rule != RuleName::Cycle {
        return None;
    }
    Some(match occasion {
        Occasion::Notice => {
            "Loop detected: this sequence of tool calls has now run {laps} times without visible progress:{pattern}\nTry a different approach: read the last error closely, choose another strategy, or split the problem into smaller steps."
        }
        Occasion::Halt => {
            "LOOP_DETECTED: this sequence of tool calls came round again after two warnings:{pattern}\nThe session is stopped. Report what was tried and what blocks the task."
        }
        Occasion::Warning | Occasion::Critical | Occasion::Deny => {
            "Loop detected again: the sequence you were warned about is back, now {laps} laps:{pattern}\nDo one of these instead: (1) read the file or the error output you have not looked at yet; (2) use another tool for the same goal; (3) test one smaller part alone; (4) tell the user what blocks you and ask. Once more, and the session is stopped."
        }
    })
}

fn attocode(rule: RuleName, occasion: Occasion, wording: Wording) -> Option<&'static str> {
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
        (RuleName::FailureCascade, _) => match wording {
            Wording::FileOperation => {
                "{count} shell commands in a row have failed, and the last one handles a file. Use the file tools for that: read_file to read, write_file to create, edit_file to change."
            }
            _ => {
                "{count} shell commands in a row have failed. Stop and read the errors: check that the program, the path and the permissions are what you think, or reach the goal without the shell."
            }
        },
        (RuleName::SummaryLoop, _) => {
            "{count} turns in a row without a single tool call. Summaries do not move the task: pick one open item and start on it with a tool now, or state that everything is done."
        }
        _ => return None,
    })
}
