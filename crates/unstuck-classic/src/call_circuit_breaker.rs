//! Identical calls in a short time, as IronCurtain limits them.

use std::num::{NonZeroU32, NonZeroU64};

use unstuck::{Engine, Json, Preset, Settings, Verdict};

use crate::{call, engine_for_one_agent, reset};

/// Allows a number of identical calls within a sliding window, and denies the next one.
///
/// Calls are identical if their tools and arguments are equal; the order of the arguments does not matter. A call that is
/// exactly as old as the window has left it. Denied calls are not counted, so the breaker allows calls again as soon as
/// old ones have left the window.
///
/// The caller passes the time in, in milliseconds on any clock. Only differences matter.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::{CallCircuitBreaker, CallVerdict};
///
/// let mut breaker = CallCircuitBreaker::new();
/// let args = Json::parse(r#"{"path":"queue.json"}"#)?;
/// for now_ms in 0..20 {
///     assert_eq!(breaker.check("fs__read_file", &args, now_ms), CallVerdict::Allowed);
/// }
/// let CallVerdict::Denied { reason } = breaker.check("fs__read_file", &args, 20) else {
///     panic!("the 21st call within a minute is denied");
/// };
/// assert!(reason.contains("CIRCUIT BREAKER"));
/// assert_eq!(breaker.check("fs__read_file", &args, 60_000), CallVerdict::Allowed);
/// # Ok::<(), unstuck::JsonError>(())
/// ```
///
/// It runs the rule `call-burst` of the preset `ironcurtain`.
///
/// It differs from the original in two ways. It keeps the windows of the 4,096 different calls that were allowed last; the
/// original keeps all windows, so its memory grows with every new call. And a time earlier than the last one is replaced
/// by the last one; the original then misjudges which calls are in the window.
#[derive(Clone, Debug)]
pub struct CallCircuitBreaker {
    engine: Engine,
}

/// How many identical calls are allowed, and in what time.
///
/// ```
/// use unstuck_classic::BreakerConfig;
///
/// let strict = BreakerConfig { threshold: 5, ..BreakerConfig::default() };
/// assert_eq!((strict.window_ms, strict.worker_count), (60_000, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerConfig {
    /// The window, in milliseconds. 60,000 by default; a window of 0 holds no call, so nothing is denied.
    pub window_ms: u64,
    /// Identical calls that are allowed within the window, for each worker. 20 by default; 0 counts as 1.
    pub threshold: u32,
    /// Number of workers that share the breaker. 1 by default; 0 counts as 1.
    ///
    /// A window belongs to a call, not to a worker: one of three workers alone may use up the share of all three.
    pub worker_count: u32,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallVerdict {
    /// The call may run, and is counted.
    Allowed,
    /// The call must not run.
    Denied {
        /// Message for the code or the model that made the call.
        reason: String,
    },
}

impl CallCircuitBreaker {
    /// Creates a breaker for 20 identical calls per minute.
    pub fn new() -> Self {
        Self::with_config(BreakerConfig::default())
    }

    /// Creates a breaker with this configuration.
    pub fn with_config(config: BreakerConfig) -> Self {
        let mut settings = Settings::of(Preset::Ironcurtain);
        let burst = &mut settings.rules.call_burst;
        let limit = config
            .threshold
            .max(1)
            .saturating_mul(config.worker_count.max(1));
        // Nothing is within a window of no length.
        (burst.limit, burst.window_ms) = match NonZeroU64::new(config.window_ms) {
            Some(window) => (NonZeroU32::new(limit).unwrap_or(NonZeroU32::MIN), window),
            None => (NonZeroU32::MAX, NonZeroU64::MIN),
        };
        Self {
            engine: engine_for_one_agent(settings),
        }
    }

    /// Returns whether this call may be made now, and counts it if so.
    pub fn check(&mut self, tool: &str, args: &Json, now_ms: i64) -> CallVerdict {
        let decision = self.engine.observe(call(tool, args).at(now_ms));
        match (decision.verdict, decision.message()) {
            (Verdict::Deny | Verdict::Halt, Some(message)) => CallVerdict::Denied {
                reason: message.to_owned(),
            },
            _ => CallVerdict::Allowed,
        }
    }

    /// Empties all windows.
    pub fn reset(&mut self) {
        reset(&mut self.engine);
    }
}

impl Default for CallCircuitBreaker {
    fn default() -> Self {
        Self::new()
    }
}

impl Default for BreakerConfig {
    fn default() -> Self {
        Self {
            window_ms: 60_000,
            threshold: 20,
            worker_count: 1,
        }
    }
}

impl CallVerdict {
    /// Whether the call may run.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

#[cfg(test)]
#[path = "call_circuit_breaker_tests.rs"]
mod tests;
