//! The founding classes behind one method: a name and texts in, JSON out.

use serde::Deserialize;
use serde_json::{Value, json};
use unstuck::Json;
use unstuck_classic::{
    BreakerConfig, CallCircuitBreaker, CallVerdict, CycleAction, CycleDetector, CycleWarning,
    GlobalThresholds, LoopDetector, LoopStatus, SharedEconomicsState, SpecWindow, StepLoopDetector,
    StepThresholds, StepVerdict, ToolLoopDetector,
};

use crate::error::{Error, guarded};

/// One object of a founding class.
#[derive(Debug)]
pub struct Classic(Box<Class>);

#[derive(Debug)]
enum Class {
    Steps(StepLoopDetector),
    Breaker(CallCircuitBreaker),
    Cycles(CycleDetector),
    Window(SpecWindow),
    Loops(LoopDetector),
    Swarm(SharedEconomicsState),
    Tools(ToolLoopDetector),
}

/// Numbers that a constructor takes; those that a class does not have are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Numbers {
    stagnation: Streak,
    stuck: Streak,
    window_ms: Option<u64>,
    threshold: Option<u32>,
    worker_count: Option<u32>,
    fuzzy_threshold: Option<u32>,
    window: Option<u32>,
    repeat_threshold: Option<u32>,
    history_size: Option<u32>,
    calls: Option<u64>,
    workers: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Streak {
    warn: Option<u32>,
    block: Option<u32>,
}

/// What [`LoopDetector`] compares similar calls by.
pub fn fingerprint(tool: &str, args: &str) -> Result<String, Error> {
    guarded(|| Ok(LoopDetector::fingerprint(tool, &read(args)?)))
}

impl Classic {
    /// Creates an object of the class of this name, with its numbers as a JSON object.
    pub fn new(class: &str, numbers: &str) -> Result<Self, Error> {
        guarded(|| {
            let numbers: Numbers = serde_json::from_str(numbers)
                .map_err(|error| Error::Settings(error.to_string()))?;
            let class = match class {
                "StepLoopDetector" => Class::Steps(steps(&numbers)),
                "CallCircuitBreaker" => Class::Breaker(breaker(&numbers)),
                "CycleDetector" => Class::Cycles(CycleDetector::new()),
                "SpecWindow" => Class::Window(SpecWindow::new(numbers.window.unwrap_or(10))),
                "LoopDetector" => Class::Loops(loops(&numbers)),
                "SharedEconomicsState" => Class::Swarm(swarm(&numbers)),
                "ToolLoopDetector" => Class::Tools(ToolLoopDetector::with(
                    numbers.repeat_threshold.unwrap_or(3),
                    numbers.history_size.unwrap_or(20),
                )),
                unknown => return Err(unknown_name("class", unknown)),
            };
            Ok(Self(Box::new(class)))
        })
    }

    /// Calls a method. `None` stands for null: there is nothing to report.
    pub fn invoke(
        &mut self,
        method: &str,
        first: Option<&str>,
        second: Option<&str>,
        now_ms: f64,
    ) -> Result<Option<String>, Error> {
        let first = first.unwrap_or_default();
        guarded(|| {
            if method == "reset" {
                self.0.reset();
                return Ok(None);
            }
            let value = match &mut *self.0 {
                Class::Steps(class) => on_steps(class, method, first, second)?,
                Class::Breaker(class) => on_breaker(class, method, (first, second), now_ms)?,
                Class::Cycles(class) => on_cycles(class, method, first, second)?,
                Class::Window(class) => on_window(class, method, first, second)?,
                Class::Loops(class) => on_loops(class, method, first, second)?,
                Class::Swarm(class) => on_swarm(class, method, first, second)?,
                Class::Tools(class) => on_tools(class, method, first, second)?,
            };
            Ok((!value.is_null()).then(|| value.to_string()))
        })
    }
}

impl Class {
    fn reset(&mut self) {
        match self {
            Self::Steps(class) => class.reset(),
            Self::Breaker(class) => class.reset(),
            Self::Cycles(class) => class.reset(),
            Self::Window(class) => class.reset(),
            Self::Loops(class) => class.reset(),
            Self::Swarm(class) => class.clear(),
            Self::Tools(class) => class.reset(),
        }
    }
}

fn on_steps(
    class: &mut StepLoopDetector,
    method: &str,
    code: &str,
    result: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "analyzeStep" => {
            let result = result.map(read).transpose()?;
            Ok(step_verdict(&class.analyze_step(code, result.as_ref())))
        }
        "isBlocked" => Ok(class.is_blocked().map_or(Value::Null, step_verdict)),
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_breaker(
    class: &mut CallCircuitBreaker,
    method: &str,
    (tool, args): (&str, Option<&str>),
    now_ms: f64,
) -> Result<Value, Error> {
    match method {
        "check" => match class.check(tool, &arguments(args)?, now_ms as i64) {
            CallVerdict::Allowed => Ok(Value::Null),
            CallVerdict::Denied { reason } => Ok(json!({ "allowed": false, "reason": reason })),
        },
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_cycles(
    class: &mut CycleDetector,
    method: &str,
    tool: &str,
    args: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "record" => {
            let warning = class.record(tool, &arguments(args)?);
            Ok(warning.as_ref().map_or(Value::Null, cycle_warning))
        }
        "userMessage" => {
            class.user_message();
            Ok(Value::Null)
        }
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_window(
    class: &mut SpecWindow,
    method: &str,
    tool: &str,
    args: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "record" => {
            class.record(tool, &arguments(args)?);
            Ok(Value::Null)
        }
        "windowIsLoop" => Ok(class.window_is_loop().into()),
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_loops(
    class: &mut LoopDetector,
    method: &str,
    first: &str,
    second: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "recordToolCall" => Ok(match class.record_tool_call(first, &arguments(second)?) {
            LoopStatus::Clear => Value::Null,
            LoopStatus::Detected => "detected".into(),
            LoopStatus::Ongoing => "ongoing".into(),
        }),
        "recordResult" => {
            let status = first.parse()?;
            let output = second.map(read).transpose()?;
            Ok(class.record_result(status, output.as_ref()).into())
        }
        "recordTextOnlyTurn" => Ok(class.record_text_only_turn().into()),
        "getState" => {
            let state = class.state();
            Ok(json!({
                "doomLoopDetected": state.doom_loop_detected,
                "lastTool": state.last_tool,
                "consecutiveCount": state.consecutive_count,
                "threshold": state.threshold,
                "fuzzyThreshold": state.fuzzy_threshold,
                "lastWarningTime": state.last_warning_time,
            }))
        }
        "counters" => Ok(json!({
            "testFailures": class.test_failures(),
            "bashFailures": class.bash_failures(),
            "textOnlyTurns": class.text_only_turns(),
        })),
        "prompt" => Ok(class.prompt().into()),
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_swarm(
    class: &mut SharedEconomicsState,
    method: &str,
    first: &str,
    second: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "record" => {
            class.record_fingerprint(first, second.unwrap_or_default());
            Ok(Value::Null)
        }
        "isGlobalDoomLoop" => Ok(class.is_global_doom_loop(first).into()),
        "getGlobalLoopInfo" => Ok(class.global_loop_info(first).map_or(
            Value::Null,
            |info| json!({ "count": info.count, "workerCount": info.worker_count }),
        )),
        "getGlobalLoops" => Ok(class.global_loops().collect::<Vec<_>>().into()),
        "getStats" => {
            let stats = class.stats();
            Ok(json!({
                "fingerprints": stats.fingerprints,
                "globalLoops": stats.global_loops,
            }))
        }
        "prompt" => Ok(class.prompt(first).into()),
        "toJSON" => serde_json::from_str(class.to_json().as_str())
            .map_err(|error| Error::Fault(error.to_string())),
        "restoreFrom" => class
            .restore_from(&read(first)?)
            .map(Value::from)
            .map_err(|error| Error::Snapshot(error.to_string())),
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn on_tools(
    class: &mut ToolLoopDetector,
    method: &str,
    tool: &str,
    args: Option<&str>,
) -> Result<Value, Error> {
    match method {
        "record" => {
            class.record(tool, &arguments(args)?);
            Ok(Value::Null)
        }
        "isStuck" => Ok(class.is_stuck().into()),
        unknown => Err(unknown_name("method", unknown)),
    }
}

fn read(text: &str) -> Result<Json, Error> {
    Ok(Json::lossy(text.as_bytes())?)
}

fn arguments(text: Option<&str>) -> Result<Json, Error> {
    text.map_or_else(|| Ok(Json::empty_object()), read)
}

fn unknown_name(kind: &str, name: &str) -> Error {
    Error::Settings(format!("unknown {kind} `{name}`"))
}

fn step_verdict(verdict: &StepVerdict) -> Value {
    let (action, message, category) = match verdict {
        StepVerdict::Allow => return Value::Null,
        StepVerdict::Warn { message, category } => ("warn", message, category),
        StepVerdict::Block { message, category } => ("block", message, category),
    };
    json!({ "action": action, "category": category.as_str(), "message": message })
}

fn cycle_warning(warning: &CycleWarning) -> Value {
    let action = match warning.action {
        CycleAction::Warn => "warn",
        CycleAction::WarnStrongly => "warn_strongly",
        CycleAction::ForceStop => "force_stop",
    };
    json!({
        "action": action,
        "status": warning.status(),
        "period": warning.period,
        "pattern": warning.pattern,
        "occurrence": warning.occurrence,
        "count": warning.count,
        "message": warning.message,
    })
}

fn steps(numbers: &Numbers) -> StepLoopDetector {
    let mut thresholds = StepThresholds::default();
    let groups = [
        (&mut thresholds.stagnation, &numbers.stagnation),
        (&mut thresholds.stuck, &numbers.stuck),
    ];
    for (group, given) in groups {
        group.warn = given.warn.unwrap_or(group.warn);
        group.block = given.block.unwrap_or(group.block);
    }
    StepLoopDetector::with_thresholds(thresholds)
}

fn breaker(numbers: &Numbers) -> CallCircuitBreaker {
    let default = BreakerConfig::default();
    CallCircuitBreaker::with_config(BreakerConfig {
        window_ms: numbers.window_ms.unwrap_or(default.window_ms),
        threshold: numbers.threshold.unwrap_or(default.threshold),
        worker_count: numbers.worker_count.unwrap_or(default.worker_count),
    })
}

fn loops(numbers: &Numbers) -> LoopDetector {
    match (numbers.threshold, numbers.fuzzy_threshold) {
        (None, None) => LoopDetector::new(),
        (Some(threshold), None) => LoopDetector::with_threshold(threshold),
        (threshold, Some(fuzzy)) => LoopDetector::with_thresholds(threshold.unwrap_or(3), fuzzy),
    }
}

fn swarm(numbers: &Numbers) -> SharedEconomicsState {
    let default = GlobalThresholds::default();
    SharedEconomicsState::with_thresholds(GlobalThresholds {
        calls: numbers.calls.unwrap_or(default.calls),
        workers: numbers.workers.unwrap_or(default.workers),
    })
}

#[cfg(test)]
#[path = "classic_tests.rs"]
mod tests;
