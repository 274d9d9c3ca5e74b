//! What the sidecar does while something that it needs is broken.

use std::time::{Duration, Instant};

use unstuck::{Preset, Settings, swarm::Tally};
use unstuck_serve::{SidecarOptions, Tokens};
use unstuck_swarm::{
    Batch, CallTally, Keys, SharedOptions, SharedTallies, SwarmKey, TallyError, TallyLimits,
    TallyStore,
};

use super::{memory, same_again, serve, verdicts};

/// A store of tallies that is away, or answers after a while.
#[derive(Debug)]
struct Broken {
    delay: Duration,
}

impl TallyStore for Broken {
    fn apply(&self, _: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        std::thread::sleep(self.delay.min(within));
        Err(TallyError::Away("test".into()))
    }

    fn tallies(&self, _: SwarmKey, _: Duration) -> Result<Vec<CallTally>, TallyError> {
        Err(TallyError::Away("test".into()))
    }

    fn clear(&self, _: SwarmKey, _: Duration) -> Result<(), TallyError> {
        Err(TallyError::Away("test".into()))
    }

    fn limits(&self) -> TallyLimits {
        TallyLimits::default()
    }
}

/// The preset counts every call for the swarm.
#[test]
fn while_the_store_is_away_or_slow_calls_are_judged_alone_unless_it_fails_closed() {
    for delay in [Duration::ZERO, Duration::from_secs(30)] {
        for closed in [false, true] {
            let store: Box<dyn TallyStore> = Box::new(Broken { delay });
            let mut shared = SharedOptions::default();
            shared.within = Duration::from_millis(20);
            let tallies = SharedTallies::new(store, Keys::new(b"test"), shared).unwrap();
            let settings = Settings::of(Preset::Attocode);
            let mut options = SidecarOptions::new(settings, tallies);
            options.closed = closed;
            let served = serve(options, Tokens::new(None, Some("o".into())));
            let start = Instant::now();
            for id in 0..2 {
                let decisions = served.observe(&same_again("a", id));
                let call = if closed { "deny" } else { "allow" };
                assert_eq!(verdicts(&decisions), [call, "allow"], "closed: {closed}");
                assert_eq!(decisions[0]["error"].is_string(), closed);
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{delay:?}");
            assert_eq!(served.request("GET", "/v1/swarms/crew", "o", "").0, 503);
            let (_, text) = served.request("GET", "/metrics", "", "");
            assert!(text.contains("unstuck_tallies_waiting 2"), "{text}");
        }
    }
}

/// A directory in the place of the journal: nothing can be written to it.
#[test]
fn where_the_state_cannot_be_written_events_are_judged_unless_it_fails_closed() {
    for closed in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        let mut options = memory();
        options.state = Some(state.clone());
        options.closed = closed;
        // Every request writes the state as a whole.
        options.journal = 0;
        let served = serve(options, Tokens::default());
        assert_eq!(served.request("GET", "/readyz", "", "").0, 200);
        std::fs::remove_dir_all(&state).unwrap();
        std::fs::write(&state, "").unwrap();
        let event = r#"{"event":"turn"}"#;
        let expected = if closed { 503 } else { 200 };
        assert_eq!(served.request("POST", "/v1/events", "", event).0, expected);
        assert_eq!(served.request("GET", "/readyz", "", "").0, 503);
        let (_, text) = served.request("GET", "/metrics", "", "");
        assert!(!text.contains("unstuck_write_failures_total 0"), "{text}");
    }
}
