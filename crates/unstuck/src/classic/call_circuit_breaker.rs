//! Identical calls in a short time, as IronCurtain limits them.

use super::Watch;
use crate::{
    decision::Verdict,
    event::Timestamp,
    json::Json,
    rules::{Moment, RuleName},
    settings::{Preset, Settings},
};

/// Lets so many identical calls through within a sliding window, and denies the next.
///
/// Calls are identical when tool and arguments are, in whatever order the arguments are written. A call that is exactly
/// as old as the window has left it. Denied calls are not counted, so the breaker lets calls through again as soon as
/// old ones have left the window.
///
/// Time is passed in: milliseconds on any clock, of which only differences matter.
///
/// ```
/// use unstuck::{Json, classic::{CallCircuitBreaker, CallVerdict}};
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
/// Differs from the original in two ways. The windows of the 4,096 calls that passed last are kept; the original keeps
/// all for ever, so its memory grows with every new call. And a clock that goes back stands still until it has
/// caught up; the original then misjudges what is in the window.
#[derive(Clone, Debug)]
pub struct CallCircuitBreaker {
    watch: Watch,
}

/// How many identical calls pass, and in what time.
///
/// ```
/// use unstuck::classic::BreakerConfig;
///
/// let strict = BreakerConfig { threshold: 5, ..BreakerConfig::default() };
/// assert_eq!((strict.window_ms, strict.worker_count), (60_000, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerConfig {
    /// The window, in milliseconds. 60,000 by default; a window of 0 holds no call, so nothing is denied.
    pub window_ms: u64,
    /// Identical calls that pass within it, for each worker. 20 by default; 0 is taken as 1.
    pub threshold: u32,
    /// Workers that share the breaker. 1 by default; 0 is taken as 1.
    ///
    /// A window belongs to a call, not to a worker: with 3 workers, one of them alone may use up the share of all.
    pub worker_count: u32,
}

/// What the breaker says to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallVerdict {
    /// It passes, and is counted.
    Allowed,
    /// It must not run.
    Denied {
        /// Words for the code or the model that made the call.
        reason: String,
    },
}

impl CallCircuitBreaker {
    /// A breaker for 20 identical calls a minute.
    pub fn new() -> Self {
        Self::with_config(BreakerConfig::default())
    }

    /// A breaker with a configuration of one's own.
    pub fn with_config(config: BreakerConfig) -> Self {
        let mut settings = Settings::of(Preset::Ironcurtain);
        let burst = &mut settings.rules.call_burst;
        burst.limit = config
            .threshold
            .max(1)
            .saturating_mul(config.worker_count.max(1));
        burst.window_ms = config.window_ms;
        Self {
            watch: Watch::new(settings),
        }
    }

    /// May this call be made now? It is counted if so.
    pub fn check(&mut self, tool: &str, args: &Json, now_ms: i64) -> CallVerdict {
        self.watch.timeline.tick(Some(Timestamp(now_ms)));
        let action = self.watch.action(tool, args);
        if let Some(burst) = self.watch.spot(RuleName::CallBurst, &Moment::Call(&action)) {
            return CallVerdict::Denied {
                reason: self.watch.write(&burst, Verdict::Deny, None),
            };
        }
        self.watch.record(action);
        CallVerdict::Allowed
    }

    /// Empties all windows.
    pub fn reset(&mut self) {
        self.watch.reset();
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
    /// May the call be made?
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

#[cfg(test)]
#[path = "call_circuit_breaker_tests.rs"]
mod tests;
