//! The test suite of stores of tallies.

use std::{
    collections::BTreeSet,
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

use unstuck::swarm::{Tally, Worker};

use crate::{
    batch::{Batch, Entry, Writer},
    dead::{CallNews, DeadCallStore, DeadLimits},
    error::TallyError,
    keys::{CallKey, SwarmKey},
    store::{TallyLimits, TallyStore},
};

const WITHIN: Duration = Duration::from_secs(30);

/// A window that does not end during a test. It starts at a multiple of its length since 1970.
const LONG: Duration = Duration::from_secs(100 * 365 * 24 * 3_600);

/// Checks that a store does what [`TallyStore`] promises.
///
/// `open` returns a handle of one and the same store with these limits. It is called several times, also from several threads.
/// `space` distinguishes the swarms of this run from those of other runs on the same store.
///
/// # Panics
///
/// Panics at the first promise that is not kept.
pub fn tally_store<S: TallyStore>(space: u64, open: impl Fn(TallyLimits) -> S + Sync) {
    let long = TallyLimits {
        window: LONG,
        ..TallyLimits::default()
    };
    let in_swarm = |name: u64| Client::new(open(long), space, name, 1);
    the_first_call_is_alone(in_swarm(1));
    workers_are_counted_apart(in_swarm(2));
    swarms_and_calls_are_counted_apart(in_swarm(3), in_swarm(4));
    a_repeated_batch_is_counted_once(in_swarm(5), Client::new(open(long), space, 5, 2));
    a_batch_of_many_calls_is_counted_as_a_whole(in_swarm(6));
    an_empty_batch_changes_nothing(in_swarm(7));
    counts_stay_at_their_largest(in_swarm(8));
    workers_beyond_the_most_are_counted_together(in_swarm(9));
    all_bytes_are_kept_apart(in_swarm(10));
    tallies_are_listed_and_cleared(in_swarm(11), Client::new(open(long), space, 11, 2));
    no_count_is_lost_between_threads(&|writer| Client::new(open(long), space, 12, writer));
    let mut small = long;
    small.most = NonZeroU32::MIN.saturating_add(3);
    a_full_swarm_takes_no_new_call(Client::new(open(small), space, 13, 1));
    let mut short = long;
    short.window = Duration::from_millis(400);
    calls_count_for_a_window_and_not_for_two(&mut Client::new(open(short), space, 14, 1));
}

/// Checks that a store does what [`DeadCallStore`] promises. The parameters are those of [`tally_store`].
///
/// # Panics
///
/// Panics at the first promise that is not kept.
pub fn dead_call_store<S: DeadCallStore>(space: u64, open: impl Fn(DeadLimits) -> S + Sync) {
    let limits = DeadLimits::default();
    a_call_is_dead_once_it_failed_the_same_way_for_enough_workers(
        &open(limits),
        swarm_of(space, 1),
    );
    other_failures_and_a_success_begin_afresh(&open(limits), swarm_of(space, 2));
    few_of_many_workers_try_a_dead_call(&open, swarm_of(space, 3));
    let short = DeadLimits {
        keep: Duration::from_secs(2),
        probe: Duration::from_millis(600),
        ..limits
    };
    one_worker_at_a_time_is_let_through(&open(short), swarm_of(space, 4));
}

fn tell(
    store: &impl DeadCallStore,
    (swarm, name, worker): (SwarmKey, u8, u64),
    news: &CallNews<'_>,
) -> Option<Vec<Box<str>>> {
    let place = (swarm, call(name));
    let dead = check(store.news(place, Worker::from_bits(worker), news, WITHIN))?;
    Some(
        dead.failures
            .into_iter()
            .map(|failure| failure.name)
            .collect(),
    )
}

fn failed(how: u64, name: &str) -> CallNews<'_> {
    CallNews::Failed { how, name }
}

fn a_call_is_dead_once_it_failed_the_same_way_for_enough_workers(
    store: &impl DeadCallStore,
    swarm: SwarmKey,
) {
    let plan = |name, worker| tell(store, (swarm, name, worker), &CallNews::Planned);
    assert_eq!(plan(1, 1), None, "a new call");
    for _ in 0..5 {
        // One worker alone is for other rules.
        assert_eq!(tell(store, (swarm, 1, 1), &failed(7, "ann")), None);
    }
    assert_eq!(tell(store, (swarm, 1, 2), &failed(7, "bob")), None);
    assert_eq!(plan(1, 9), None, "two of three workers");
    let long = "\u{1b}[31m\r\n, and a name that is much longer than thirty-two bytes";
    assert!(tell(store, (swarm, 1, 3), &failed(7, long)).is_some());
    let known = plan(1, 9).unwrap_or_default();
    assert_eq!(known.len(), 3);
    assert_eq!((&*known[0], &*known[1]), ("ann", "bob"));
    assert!(known[2].len() <= DeadLimits::LONGEST_NAME && !known[2].contains(['\n', '\u{1b}']));
    assert_eq!(plan(2, 9), None, "another call");
}

fn other_failures_and_a_success_begin_afresh(store: &impl DeadCallStore, swarm: SwarmKey) {
    let plan = || tell(store, (swarm, 1, 9), &CallNews::Planned);
    for (worker, how) in [(1, 7), (2, 7), (3, 8), (4, 8)] {
        assert_eq!(tell(store, (swarm, 1, worker), &failed(how, "w")), None);
    }
    assert_eq!(plan(), None, "two failures of two kinds");
    assert!(tell(store, (swarm, 1, 5), &failed(8, "w")).is_some());
    assert!(plan().is_some());
    assert_eq!(tell(store, (swarm, 1, 6), &CallNews::Worked), None);
    assert_eq!(plan(), None, "it works");
    assert_eq!(tell(store, (swarm, 1, 5), &failed(8, "w")), None);
    assert_eq!(plan(), None, "it failed once since then");
}

/// 64 workers that would each try three times, in eight threads; and a call that works, which every worker makes.
fn few_of_many_workers_try_a_dead_call<S: DeadCallStore>(
    open: &(impl Fn(DeadLimits) -> S + Sync),
    swarm: SwarmKey,
) {
    const THREADS: u64 = 8;
    let tried = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let tried = &tried;
            scope.spawn(move || {
                let store = open(DeadLimits::default());
                for worker in (thread..64).step_by(THREADS as usize) {
                    for _ in 0..3 {
                        if tell(&store, (swarm, 1, worker), &CallNews::Planned).is_none() {
                            tried.fetch_add(1, Relaxed);
                            tell(&store, (swarm, 1, worker), &failed(7, "w"));
                        }
                        let readme = (swarm, 2, worker);
                        assert_eq!(tell(&store, readme, &CallNews::Planned), None);
                        assert_eq!(tell(&store, readme, &CallNews::Worked), None);
                    }
                }
            });
        }
    });
    // Workers that began before the third failure was known try once more.
    let tried = tried.into_inner();
    assert!(
        (3..=3 * THREADS).contains(&tried),
        "{tried} of 192 tries were made"
    );
}

fn one_worker_at_a_time_is_let_through(store: &impl DeadCallStore, swarm: SwarmKey) {
    let plan = |worker| tell(store, (swarm, 1, worker), &CallNews::Planned);
    for worker in 1..=3 {
        tell(store, (swarm, 1, worker), &failed(7, "w"));
    }
    assert!(plan(9).is_some());
    thread::sleep(Duration::from_millis(700));
    assert_eq!(plan(9), None, "one worker may try");
    assert!(plan(8).is_some(), "and the others wait for it");
    thread::sleep(Duration::from_secs(2));
    assert_eq!(plan(8), None, "failures are forgotten");
    assert_eq!(plan(7), None);
}

/// A writer of one swarm.
struct Client<S> {
    store: S,
    swarm: SwarmKey,
    writer: Writer,
    number: u64,
}

impl<S: TallyStore> Client<S> {
    fn new(store: S, space: u64, name: u64, writer: u64) -> Self {
        Self {
            store,
            swarm: swarm_of(space, name),
            writer: Writer::from_bits(writer),
            number: 0,
        }
    }

    fn count(&mut self, name: u8, by: u64) -> Tally {
        let entry = self.entry(call(name), by, 1);
        check(self.send(&[entry]))
    }

    fn entry(&mut self, call: CallKey, worker: u64, calls: u32) -> Entry {
        self.number += 1;
        Entry {
            number: self.number,
            call,
            worker: Worker::from_bits(worker),
            calls,
        }
    }

    fn send(&self, entries: &[Entry]) -> Result<Tally, TallyError> {
        let batch = Batch {
            swarm: self.swarm,
            writer: self.writer,
            entries,
        };
        self.store.apply(&batch, WITHIN)
    }
}

fn the_first_call_is_alone(mut client: Client<impl TallyStore>) {
    assert_eq!(check(client.store.tallies(client.swarm, WITHIN)), []);
    assert_eq!(client.count(1, 7), tally(&[(7, 1)]));
}

fn workers_are_counted_apart(mut client: Client<impl TallyStore>) {
    client.count(1, 7);
    client.count(1, 9);
    assert_eq!(client.count(1, 7), tally(&[(7, 2), (9, 1)]));
}

fn swarms_and_calls_are_counted_apart(
    mut one: Client<impl TallyStore>,
    mut other: Client<impl TallyStore>,
) {
    one.count(1, 1);
    assert_eq!(one.count(2, 1).calls(), 1);
    assert_eq!(other.count(1, 1).calls(), 1);
    assert_eq!(one.count(1, 1).calls(), 2);
}

fn a_repeated_batch_is_counted_once(
    mut one: Client<impl TallyStore>,
    mut other: Client<impl TallyStore>,
) {
    let first = one.entry(call(1), 1, 1);
    let second = one.entry(call(1), 1, 1);
    let third = one.entry(call(1), 1, 1);
    assert_eq!(check(one.send(&[first])).calls(), 1);
    assert_eq!(check(one.send(&[first])).calls(), 1);
    assert_eq!(check(one.send(&[first, second])).calls(), 2);
    assert_eq!(check(one.send(&[second, third])).calls(), 3);
    // One that was sent first and arrives last.
    assert_eq!(check(one.send(&[first])).calls(), 3);
    // Each writer has its own numbers.
    assert_eq!(other.count(1, 2).calls(), 4);
    assert_eq!(check(one.send(&[first, second, third])).calls(), 4);
}

fn a_batch_of_many_calls_is_counted_as_a_whole(mut client: Client<impl TallyStore>) {
    let entries: Vec<_> = (0..Batch::MOST)
        .map(|at| client.entry(call(at as u8 % 100), 1 + at as u64 % 2, 2))
        .collect();
    let last = check(client.send(&entries));
    let name = (Batch::MOST - 1) as u8 % 100;
    let of_last = entries.iter().filter(|entry| entry.call == call(name));
    assert_eq!(last.calls(), 2 * of_last.count() as u64);
    let all = check(client.store.tallies(client.swarm, WITHIN));
    assert_eq!(all.len(), 100);
    let calls: u64 = all.iter().map(|counted| counted.tally.calls()).sum();
    assert_eq!(calls, 2 * Batch::MOST as u64);
}

fn an_empty_batch_changes_nothing(mut client: Client<impl TallyStore>) {
    assert_eq!(check(client.send(&[])), Tally::default());
    assert_eq!(client.count(1, 1).calls(), 1);
    assert_eq!(check(client.send(&[])), Tally::default());
}

fn counts_stay_at_their_largest(mut client: Client<impl TallyStore>) {
    let most = client.entry(call(1), 1, u32::MAX);
    check(client.send(&[most]));
    // A store may count further than 32 bits, and never wraps around.
    assert!(client.count(1, 1).calls() >= u64::from(u32::MAX));
}

fn workers_beyond_the_most_are_counted_together(mut client: Client<impl TallyStore>) {
    let workers = Tally::MAX_WORKERS as u64 + 10;
    let mut last = Tally::default();
    for worker in 0..workers {
        last = client.count(1, worker);
    }
    assert_eq!(last.workers(), Tally::MAX_WORKERS);
    assert_eq!(last.calls(), workers);
    assert_eq!(client.count(1, 3).calls(), workers + 1);
}

/// Bytes that mean something to a protocol or to a pattern, and numbers whose bytes overlap.
fn all_bytes_are_kept_apart(mut client: Client<impl TallyStore>) {
    let mut keys: Vec<_> = (0..=u8::MAX).map(call).collect();
    keys.push(CallKey::from_bytes(*b"\r\n$1\r\nx%*[].()-^"));
    keys.push(CallKey::from_bytes([
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    ]));
    let distinct: BTreeSet<_> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
    for key in &keys {
        let entry = client.entry(*key, 5, 1);
        assert_eq!(check(client.send(&[entry])).calls(), 1, "{key}");
    }
    // Parts of one record look like another worker.
    let workers = [
        0,
        u64::MAX,
        0x0000_0001_0000_0000,
        0x0000_0000_0000_0001,
        0x0100_0000_0100_0000,
        0x0000_0100_0000_0100,
        u64::from_be_bytes(*b"%a%d.*[^"),
        u64::from_be_bytes(*b"\r\n\0\r\n\0\0\0"),
    ];
    for round in 1..=3 {
        for worker in workers {
            client.count(200, worker);
        }
        let tally = client.count(200, 1);
        let expected: Vec<_> = workers.map(|worker| (worker, round)).into();
        let mut expected = self::tally(&expected);
        // Its own call of this and earlier rounds, and the one of the first loop.
        expected.add(Worker::from_bits(1), round);
        expected.add(Worker::from_bits(5), 1);
        assert_eq!(tally, expected);
    }
}

fn tallies_are_listed_and_cleared(
    mut one: Client<impl TallyStore>,
    mut other: Client<impl TallyStore>,
) {
    one.count(2, 1);
    other.count(1, 2);
    other.count(2, 2);
    let listed = check(one.store.tallies(one.swarm, WITHIN));
    let listed: Vec<_> = listed
        .iter()
        .map(|each| (each.call, each.tally.clone()))
        .collect();
    let expected = [
        (call(1), tally(&[(2, 1)])),
        (call(2), tally(&[(1, 1), (2, 1)])),
    ];
    assert_eq!(listed, expected);
    check(other.store.clear(one.swarm, WITHIN));
    assert_eq!(check(one.store.tallies(one.swarm, WITHIN)), []);
    // What was applied before stays known as applied.
    let old = Entry {
        number: 1,
        ..one.entry(call(2), 1, 1)
    };
    assert_eq!(check(one.send(&[old])), Tally::default());
    assert_eq!(one.count(2, 1).calls(), 1);
}

fn no_count_is_lost_between_threads<S: TallyStore>(open: &(impl Fn(u64) -> Client<S> + Sync)) {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 50;
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            scope.spawn(move || {
                let mut client = open(thread);
                for _ in 0..ROUNDS {
                    client.count(1, thread);
                    client.count(2, 0);
                }
            });
        }
    });
    let mut client = open(THREADS + 1);
    let expected: Vec<_> = (1..=THREADS).map(|thread| (thread, ROUNDS)).collect();
    let mut expected = tally(&expected);
    expected.add(Worker::from_bits(0), 1);
    assert_eq!(client.count(1, 0), expected);
    assert_eq!(client.count(2, 0), tally(&[(0, THREADS * ROUNDS + 1)]));
}

/// Room for four: the writer and three calls. A store of several parts has them in the same one.
fn a_full_swarm_takes_no_new_call(mut client: Client<impl TallyStore>) {
    for name in [0x10, 0x20, 0x30] {
        client.count(name, 1);
    }
    let two = [0x30, 0x40].map(|name| client.entry(call(name), 1, 1));
    assert!(matches!(client.send(&two), Err(TallyError::Full)));
    // Nothing of the batch was applied, and known calls are counted on.
    assert_eq!(client.count(0x30, 1).calls(), 2);
}

fn calls_count_for_a_window_and_not_for_two(client: &mut Client<impl TallyStore>) {
    let window = client.store.limits().window;
    // The sum grows while the first call is younger than a window.
    let start = std::time::Instant::now();
    let mut sent = 1;
    client.count(1, 1);
    loop {
        thread::sleep(window / 8);
        let counted = client.count(1, 1).calls();
        sent += 1;
        if start.elapsed() >= window {
            break;
        }
        assert_eq!(counted, sent, "after {:?}", start.elapsed());
    }
    thread::sleep(window * 2);
    assert_eq!(client.count(1, 1).calls(), 1, "after two windows");
}

fn swarm_of(space: u64, name: u64) -> SwarmKey {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&space.to_be_bytes());
    bytes[8..].copy_from_slice(&name.to_be_bytes());
    SwarmKey::from_bytes(bytes)
}

fn call(name: u8) -> CallKey {
    CallKey::from_bytes([name; 16])
}

fn tally(counts: &[(u64, u64)]) -> Tally {
    let mut tally = Tally::default();
    for (worker, calls) in counts {
        tally.add(Worker::from_bits(*worker), *calls);
    }
    tally
}

fn check<T>(result: Result<T, TallyError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
