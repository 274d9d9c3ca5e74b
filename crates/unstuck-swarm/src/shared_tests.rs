use std::sync::Arc;

use unstuck::{
    Json,
    fingerprint::{Fingerprint, Fingerprinter},
    swarm::Worker,
};

use super::*;
use crate::{
    memory::MemoryTallies,
    store::{CallTally, TallyLimits},
};

/// What a store does with the next batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// The batch does not arrive.
    Before,
    /// The batch is applied, and the acknowledgement does not arrive.
    After,
    Full,
}

#[derive(Debug)]
struct Faulty {
    inner: MemoryTallies,
    fault: Mutex<Fault>,
    batches: AtomicU64,
}

impl Faulty {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryTallies::new(TallyLimits::default()),
            fault: Mutex::new(Fault::None),
            batches: AtomicU64::new(0),
        })
    }

    fn set(&self, fault: Fault) {
        *lock(&self.fault) = fault;
    }

    fn batches(&self) -> u64 {
        self.batches.load(Relaxed)
    }
}

impl TallyStore for Faulty {
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        self.batches.fetch_add(1, Relaxed);
        let fault = *lock(&self.fault);
        match fault {
            Fault::None => self.inner.apply(batch, within),
            Fault::Before => Err(TallyError::Away("test".into())),
            Fault::After => {
                self.inner.apply(batch, within)?;
                Err(TallyError::Away("test".into()))
            }
            Fault::Full => Err(TallyError::Full),
        }
    }

    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError> {
        self.inner.tallies(swarm, within)
    }

    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError> {
        self.inner.clear(swarm, within)
    }

    fn limits(&self) -> TallyLimits {
        self.inner.limits()
    }
}

const LONG: Duration = Duration::from_secs(30);

/// Enough for a pause of the health to end.
const PAUSE: Duration = Duration::from_millis(60);

fn shared(store: &Arc<Faulty>, spool: Option<PathBuf>) -> SharedTallies<Arc<Faulty>> {
    let options = SharedOptions {
        within: LONG,
        spool,
        ..SharedOptions::default()
    };
    SharedTallies::new(Arc::clone(store), Keys::new(b"s"), options).unwrap()
}

fn fingerprint(name: &str) -> Fingerprint {
    Fingerprinter::new(b"").action("web_fetch", &Json::string(name))
}

fn delta(swarm: &str, worker: &str) -> Delta {
    Delta::new(swarm, fingerprint("dead"), Worker::new("s", worker))
}

fn calls(answer: &Answer) -> (bool, u64) {
    (matches!(answer, Answer::Shared(_)), answer.tally().calls())
}

fn total(tallies: &SharedTallies<Arc<Faulty>>, swarm: &str) -> u64 {
    let swarm = tallies.keys().swarm(swarm);
    let all = tallies.store().tallies(swarm, LONG).unwrap();
    all.iter().map(|each| each.tally.calls()).sum()
}

#[test]
fn two_processes_see_the_calls_of_each_other() {
    let store = Faulty::new();
    let (one, other) = (shared(&store, None), shared(&store, None));
    assert_eq!(calls(&one.apply(&delta("crew", "a"))), (true, 1));
    assert_eq!(calls(&other.apply(&delta("crew", "b"))), (true, 2));
    assert_eq!(store.batches(), 2, "one round trip for each call");
}

#[test]
fn calls_during_an_outage_are_answered_locally_and_merged_once() {
    for fault in [Fault::Before, Fault::After] {
        let store = Faulty::new();
        let tallies = shared(&store, None);
        assert_eq!(calls(&tallies.apply(&delta("crew", "a"))), (true, 1));
        store.set(fault);
        for n in 2..=300 {
            let swarm = if n % 3 == 0 { "other" } else { "crew" };
            let (is_shared, _) = calls(&tallies.apply(&delta(swarm, "a")));
            assert!(!is_shared);
        }
        assert!(
            store.batches() < 20,
            "calls do not wait for a store that is away"
        );
        assert_eq!(tallies.counters().kept, 299);
        store.set(Fault::None);
        std::thread::sleep(PAUSE * 40);
        assert_eq!(calls(&tallies.apply(&delta("crew", "a"))), (true, 201));
        assert_eq!(tallies.flush(LONG), 0);
        assert_eq!(
            (total(&tallies, "crew"), total(&tallies, "other")),
            (201, 100)
        );
        let counters = tallies.counters();
        assert_eq!((counters.merged, counters.dropped), (299, 0));
        assert_eq!((counters.shared, counters.local), (2, 299));
    }
}

#[test]
fn threads_that_find_the_store_away_now_and_then_count_exactly() {
    let store = Faulty::new();
    let tallies = shared(&store, None);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let tallies = &tallies;
            scope.spawn(move || {
                for _ in 0..500 {
                    tallies.apply(&delta("crew", &worker.to_string()));
                }
            });
        }
        for fault in [Fault::Before, Fault::After, Fault::None].repeat(10) {
            store.set(fault);
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    assert_eq!(tallies.flush(LONG), 0);
    assert_eq!(total(&tallies, "crew"), 2_000);
}

#[test]
fn waiting_calls_are_bounded() {
    let store = Faulty::new();
    let mut tallies = shared(&store, None);
    tallies.options.most_kept = 10;
    store.set(Fault::Before);
    for _ in 0..25 {
        tallies.apply(&delta("crew", "a"));
    }
    let counters = tallies.counters();
    assert_eq!((counters.kept, counters.dropped), (10, 15));
    store.set(Fault::None);
    assert_eq!(tallies.flush(LONG), 0);
    assert_eq!(total(&tallies, "crew"), 10);
}

#[test]
fn calls_of_a_full_swarm_are_answered_locally_and_do_not_wait() {
    let store = Faulty::new();
    let tallies = shared(&store, None);
    store.set(Fault::Full);
    assert_eq!(calls(&tallies.apply(&delta("crew", "a"))), (false, 1));
    assert_eq!(calls(&tallies.apply(&delta("crew", "a"))), (false, 2));
    let counters = tallies.counters();
    assert_eq!((counters.kept, counters.dropped), (0, 2));
    assert_eq!(store.batches(), 2, "the store answers, so it is asked");
}

#[test]
fn waiting_calls_outlive_their_process_and_are_merged_once() {
    let directory = tempfile::tempdir().unwrap();
    let spool = directory.path().join("spool");
    for fault in [Fault::Before, Fault::After] {
        let store = Faulty::new();
        let first = shared(&store, Some(spool.clone()));
        first.apply(&delta("crew", "a"));
        store.set(fault);
        for _ in 0..5 {
            first.apply(&delta("crew", "a"));
        }
        assert_eq!(first.counters().without_copy, 0);
        // As if it were killed: the copies stay.
        drop(first);
        // The next process sends them, and is killed before it knows that they arrived.
        let second = shared(&store, Some(spool.clone()));
        assert_eq!(second.counters().kept, 5);
        store.set(Fault::After);
        assert_eq!(second.flush(Duration::from_millis(1)), 5);
        drop(second);
        store.set(Fault::None);
        let third = shared(&store, Some(spool.clone()));
        assert_eq!(third.flush(LONG), 0);
        assert_eq!(total(&third, "crew"), 6);
        drop(third);
        assert_eq!(std::fs::read_dir(&spool).unwrap().count(), 0);
    }
}

#[test]
fn what_waited_for_too_long_is_dropped() {
    let store = Arc::new(Faulty {
        inner: MemoryTallies::new(TallyLimits {
            window: Duration::from_millis(100),
            ..TallyLimits::default()
        }),
        fault: Mutex::new(Fault::Before),
        batches: AtomicU64::new(0),
    });
    let tallies = shared(&store, None);
    tallies.apply(&delta("crew", "a"));
    std::thread::sleep(PAUSE);
    store.set(Fault::None);
    assert_eq!(tallies.flush(LONG), 0);
    let counters = tallies.counters();
    assert_eq!((counters.merged, counters.dropped), (0, 1));
}
