//! Two halves: one to tune on, one to look at in the end.

use crate::trajectory::Trajectory;

/// A half of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// To tune on.
    Tune,
    /// Only looked at in the end.
    Holdout,
}

impl Half {
    /// The half a run belongs to. All runs of a task are in the same one.
    pub fn of(run: &Trajectory) -> Self {
        if mixed(fnv1a(task(run).as_bytes())).is_multiple_of(2) {
            Self::Tune
        } else {
            Self::Holdout
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tune => "tune",
            Self::Holdout => "holdout",
        }
    }
}

/// What tells the task. The same task is worded differently for different agents, so a benchmark's name for it in the
/// id comes before the words, and without either the id stands for it, less the number of the trial.
pub(crate) fn task(run: &Trajectory) -> &str {
    // An injected case belongs to the task of the run that it was made of.
    let id = run.id.split("//").next().unwrap_or_default();
    let last = id.rsplit('/').next().unwrap_or_default();
    let last = last.split('.').next().unwrap_or_default();
    if is_instance(last) {
        return last;
    }
    match run.task.as_deref() {
        Some(task) if !task.is_empty() => task,
        _ => without_trial(id),
    }
}

/// `owner__project-123`.
fn is_instance(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once("__").is_some_and(|(owner, rest)| {
        let issue = rest.rsplit_once('-');
        !owner.is_empty() && issue.is_some_and(|(project, n)| !project.is_empty() && number(n))
    })
}

/// `suite/TASK` of `suite/TASK/TRIAL`, where both are numbers.
fn without_trial(id: &str) -> &str {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match id.rsplit_once('/') {
        Some((rest, trial))
            if number(trial)
                && rest.rsplit('/').next().is_some_and(number)
                && rest.contains('/') =>
        {
            rest
        }
        _ => id,
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The low bit of FNV-1a is no more than the parity of the bytes; this spreads the rest over it.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 32)
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
