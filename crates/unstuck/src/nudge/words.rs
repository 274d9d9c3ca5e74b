//! The built-in texts.
//!
//! A standard message is put together from what a rule saw, what to do about it, and what the verdict means. The
//! founding systems have texts of their own: our words, their facts, and the fixed phrases that others look for.

use super::Occasion;
use crate::{
    rules::{RuleName, Wording},
    settings::Preset,
};

/// A message in up to four parts, each a template.
pub(super) struct Words([&'static str; 4]);

impl Words {
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.0.into_iter().filter(|part| !part.is_empty())
    }
}

pub(super) fn built_in(
    preset: Preset,
    rule: RuleName,
    occasion: Occasion,
    wording: Wording,
) -> Words {
    let own = match preset {
        Preset::Ironcurtain => ironcurtain(rule, occasion),
        Preset::Attractor => attractor(rule, occasion),
        Preset::Attocode => attocode(rule, occasion, wording),
        Preset::ToolLoopDetector | Preset::Standard => None,
    };
    match own {
        Some(text) => Words([text, "", "", ""]),
        None => standard(rule, occasion, wording),
    }
}

fn standard(rule: RuleName, occasion: Occasion, wording: Wording) -> Words {
    let (facts, advice) = match rule {
        RuleName::FailureCascade if wording == Wording::MostFail => (
            "{count} of the last 20 calls failed.",
            " Stop and take stock: what do you know for certain, and which of the failures do you understand? Settle the first one before you go on.",
        ),
        RuleName::ExactRepeat => (
            "{what} was called {count} times with the same arguments, and what came back did not change.",
            " Calling it again will not tell you more. Re-read the last result; then use other arguments, another tool, or say what you are missing.",
        ),
        RuleName::NearRepeat => (
            "Calls like {what} were made {count} times; they differ only in details, and what came back did not change.",
            " Changing details will not change the answer. Use what you already have, or try something of another kind.",
        ),
        RuleName::Cycle => (
            "The same {period} calls have gone round {laps} times with the same results:{pattern}\n",
            "Nothing in the lap changes, so the next lap will not either. Leave the cycle: pick one step you have not tried, or report what blocks you.",
        ),
        RuleName::Stagnation => (
            "The last {count} steps repeated earlier approaches and earlier results.",
            " Nothing new is being learned. Write down what is known, and take an approach you have not tried.",
        ),
        RuleName::StuckOutcome => (
            "{count} attempts ended in the same way, the last one {what}.",
            " They share an assumption that does not hold. Find it before you try another variation: look at what the message is about, not at how you put the call.",
        ),
        RuleName::FailureCascade => (
            "{count} calls in a row failed with the same error, the last one {what}.",
            " Read the error: what it complains about does not depend on what you vary. Check the precondition it names, use another tool, or ask.",
        ),
        RuleName::TestFixCycle => (
            "The tests failed {count} times in a row in the same way.",
            " The edits in between did not touch the cause. Read the failure again, find out where the failing value comes from, and only then change code.",
        ),
        RuleName::UnknownTool => (
            "{count} calls named a tool that does not exist, the last one {tool}.",
            " Other arguments or another spelling will not make it exist. Look at the tools you were given, and use one of those or do without.",
        ),
        RuleName::InvalidCall => (
            "{count} calls of {tool} were refused with the same complaint about their arguments; none of them ran.",
            " Read the complaint: it names what is missing or wrong. Look at the tool's parameters, give every required one, or use another tool.",
        ),
        RuleName::NoOp => (
            "{count} calls were to change something and changed nothing, the last one {what}.",
            " Whatever you test after them is what was there before. Read the file as it is now, say what should be different, and make that edit.",
        ),
        RuleName::EditRevert => (
            "{what} put a file back into a state it had before, {count} times in a row.",
            " Neither of the versions solves it. Decide why each of them fails, and look for the cause elsewhere before you edit it again.",
        ),
        RuleName::Poll => (
            "{what} was looked at {laps} times, and the answer is still the same.",
            " Looking more often does not make it faster. Wait longer between looks, do something else in the meantime, or report that it hangs.",
        ),
        RuleName::Chant => (
            "Your text repeats itself: {what}, {laps} times over.",
            " Saying it again settles nothing. Stop here, state the open question in one sentence, and then act on it or ask.",
        ),
        RuleName::SummaryLoop => (
            "{count} turns in a row had words but no tool call.",
            " Pick the next concrete step and do it with a tool, or say plainly that the task is done or blocked.",
        ),
        RuleName::CallBurst => (
            "{what} is called in a burst: more than {limit} times within {seconds} seconds.",
            " If this is a loop in code you wrote, end it. To wait for something, wait longer between looks.",
        ),
        RuleName::Aimless => (
            "The last {count} calls only read, and nothing was made of it.",
            " Say what you are looking for and what you have found so far; then act on it, or ask.",
        ),
        RuleName::SwarmLoop => (
            "{workers} workers of this swarm made the same fruitless call {count} times: {what}.",
            " It does not work for anyone. Do not retry it; take another way, or report that this is blocked.",
        ),
        RuleName::Relay => (
            "The same message has gone round between agents {count} times: {what}.",
            " Sending it once more will not bring another answer. Say what is missing and who can get it another way, or finish with what there is.",
        ),
        RuleName::Budget => (
            "{used} of {limit} are used up.",
            " Finish what is in hand, and report what is done and what is left.",
        ),
    };
    let (before, after) = match (occasion, rule) {
        (Occasion::Notice, _) => ("", ""),
        (Occasion::Warning, _) => ("This is the second warning. ", ""),
        (Occasion::Critical, _) => ("This is the last warning. ", ""),
        (Occasion::Deny, _) => ("This call was not run. ", ""),
        (Occasion::Halt, RuleName::Budget) => ("The run is stopped. ", ""),
        (Occasion::Halt, _) => (
            "The run is stopped: LOOP_DETECTED. ",
            " No further call will be run. Summarise what was tried, what came of it and what blocks you, and stop.",
        ),
    };
    let advice = if occasion == Occasion::Halt {
        ""
    } else {
        advice
    };
    Words([before, facts, advice, after])
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
            Wording::Usual | Wording::MostFail => {
                "{count} shell commands in a row have failed. Stop and read the errors: check that the program, the path and the permissions are what you think, or reach the goal without the shell."
            }
        },
        (RuleName::SummaryLoop, _) => {
            "{count} turns in a row without a single tool call. Summaries do not move the task: pick one open item and start on it with a tool now, or state that everything is done."
        }
        _ => return None,
    })
}
