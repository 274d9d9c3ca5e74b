//! What a decision costs, side by side with what it cannot cost less than, in one run.
//!
//! ```text
//! cargo bench -p unstuck --bench cost                  the whole table
//! cargo bench -p unstuck --bench cost -- only floor stream    one pass of one contender, for counting instructions
//! ```
//!
//! Machines are noisy: every contender runs in turn, several times over, and the best time counts. Read the ratios.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "what may fail here fails the bench"
)]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench measures time, takes arguments and prints a report; the engine does none of that"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use support::stream::Stream;
use unstuck::{
    Call, Engine, Event, EventKind, EventReader, Json, Outcome, Preset, Settings, Verdict,
    fingerprint::{Domain, Fingerprinter},
    settings::Bounded,
};

/// Counts what is allocated, to see what a session holds.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "there is no other way to count allocations")]
// SAFETY: every call goes to the system's allocator unchanged; only sizes are added up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

const ROWS: usize = 4_000;
const PASSES: usize = 7;

/// Everything that is measured on the stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Contender {
    SerdeJson,
    Floor,
    Decide(Preset),
}

impl Contender {
    fn all() -> Vec<Self> {
        let presets = Preset::ALL.into_iter().map(Self::Decide);
        [Self::SerdeJson, Self::Floor]
            .into_iter()
            .chain(presets)
            .collect()
    }

    fn name(self) -> String {
        match self {
            Self::SerdeJson => "serde_json parse alone".into(),
            Self::Floor => "floor".into(),
            Self::Decide(preset) => preset.to_string(),
        }
    }

    /// Nanoseconds for all lines.
    fn run(self, lines: &[String]) -> u128 {
        let mut reader = EventReader::default();
        match self {
            Self::SerdeJson => timed(|| {
                for line in lines {
                    black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
                }
            }),
            Self::Floor => {
                let prints = Fingerprinter::default();
                timed(|| {
                    for line in lines {
                        match reader.read(line.as_bytes()).unwrap().kind {
                            EventKind::Call(call) => {
                                black_box(prints.action(&call.tool, &call.args));
                            }
                            EventKind::Result(outcome) => {
                                let output = outcome.output.unwrap();
                                black_box(
                                    prints.canonical(Domain::Outcome, output.as_str().as_bytes()),
                                );
                            }
                            _ => {}
                        }
                    }
                })
            }
            Self::Decide(preset) => {
                let mut engine = Engine::new(Settings::of(preset));
                timed(|| {
                    for line in lines {
                        decide(&mut engine, reader.read(line.as_bytes()).unwrap());
                    }
                })
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    if let [only, name, lines] = arguments.as_slice()
        && only == "only"
    {
        let lines = if lines == "small" {
            small_calls()
        } else {
            stream(ROWS / 4)
        };
        let contenders = Contender::all().into_iter();
        for contender in contenders.filter(|known| known.name() == *name) {
            contender.run(&lines);
        }
        return;
    }
    on_the_stream();
    on_small_calls();
    along_history();
    in_memory();
    across_processes();
}

/// A halted session answers without looking, which would make it look cheap: let it go on.
fn decide(engine: &mut Engine, event: Event) {
    if black_box(engine.observe(event)).verdict == Verdict::Halt {
        engine.observe(Event::new(EventKind::Reset));
    }
}

fn stream(rows: usize) -> Vec<String> {
    let rows = Stream::new(1).take(rows);
    rows.flat_map(|row| [row.call, row.result, row.turn])
        .collect()
}

fn timed(work: impl FnOnce()) -> u128 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos()
}

/// The best of several passes, the contenders in turn.
fn best(contenders: &[Contender], lines: &[String]) -> Vec<f64> {
    let mut best = vec![u128::MAX; contenders.len()];
    for _ in 0..PASSES {
        for (at, contender) in contenders.iter().enumerate() {
            best[at] = best[at].min(contender.run(lines));
        }
    }
    best.iter()
        .map(|time| *time as f64 / lines.len() as f64)
        .collect()
}

fn on_the_stream() {
    let lines = stream(ROWS);
    let bytes: usize = lines.iter().map(String::len).sum();
    println!(
        "reference stream: {} lines, {} B a line; call, result and turn in equal parts",
        lines.len(),
        bytes / lines.len()
    );
    let contenders = Contender::all();
    let times = best(&contenders, &lines);
    let floor = times[1];
    println!(
        "{:<26}{:>12}{:>12}{:>10}",
        "", "ns a line", "x floor", "GB/s"
    );
    for (contender, time) in contenders.iter().zip(&times) {
        let rate = bytes as f64 / lines.len() as f64 / time;
        println!(
            "{:<26}{time:>12.0}{:>12.2}{rate:>10.2}",
            contender.name(),
            time / floor
        );
    }
}

fn small_calls() -> Vec<String> {
    let calls = Stream::new(2).map(|row| row.call);
    calls.filter(|call| call.len() < 280).take(ROWS).collect()
}

fn on_small_calls() {
    let calls = small_calls();
    let contenders = [
        Contender::SerdeJson,
        Contender::Floor,
        Contender::Decide(Preset::Standard),
    ];
    let times = best(&contenders, &calls);
    println!("\ncall lines with arguments up to 200 B");
    for (contender, time) in contenders.iter().zip(&times) {
        println!(
            "{:<26}{time:>12.0} ns{:>9.2} x floor",
            contender.name(),
            time / times[1]
        );
    }
}

/// Distinct calls, so that nothing ever repeats and every bound is reached.
fn distinct(engine: &mut Engine, calls: std::ops::Range<u64>) {
    for call in calls {
        let args = Json::from_serialize(
            &serde_json::json!({"path": format!("src/file_{call}.rs"), "offset": call}),
        );
        let id = call.to_string();
        engine.observe(Event::call(Call::new(
            id.clone(),
            "read_file",
            args.unwrap(),
        )));
        engine.observe(Event::result(Outcome::ok(
            id,
            Json::string(&format!(
                "this is the content of file number {call}, in full and unabridged"
            )),
        )));
        engine.observe(Event::turn());
    }
}

fn along_history() {
    println!("\ncost along history (standard, distinct calls; call, result and turn together)");
    let mut at_1k = f64::MAX;
    let mut at_100k = f64::MAX;
    for _ in 0..PASSES {
        let mut engine = Engine::new(Settings::of(Preset::Standard));
        distinct(&mut engine, 0..1_000);
        at_1k = at_1k.min(timed(|| distinct(&mut engine, 1_000..3_000)) as f64 / 2_000.0);
        distinct(&mut engine, 3_000..100_000);
        at_100k = at_100k.min(timed(|| distinct(&mut engine, 100_000..102_000)) as f64 / 2_000.0);
    }
    println!(
        "at 1,000 calls {at_1k:.0} ns, at 100,000 calls {at_100k:.0} ns: {:.2} x",
        at_100k / at_1k
    );
}

fn in_memory() {
    println!("\nmemory of one session after 100,000 distinct calls");
    for preset in Preset::ALL {
        let held = held_with(Settings::of(preset));
        println!("{:<26}{:>12.1} KiB", preset.as_str(), held as f64 / 1_024.0);
    }
    let with_tallies = Settings::of(Preset::Attocode);
    let tallies = with_tallies.memory.swarm.get() as usize;
    let mut without = with_tallies.clone();
    without.memory.swarm = Bounded::of::<1>();
    let (all, session) = (held_with(with_tallies), held_with(without));
    println!(
        "{:<26}{:>12.1} KiB, and {:.1} B for each of {tallies} tallies",
        "attocode without tallies",
        session as f64 / 1_024.0,
        (all - session) as f64 / tallies as f64
    );
}

/// Bytes that an engine holds after 100,000 distinct calls.
fn held_with(settings: Settings) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    let mut engine = Engine::new(settings);
    distinct(&mut engine, 0..100_000);
    HELD.load(Ordering::Relaxed) - before
}

fn across_processes() {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    distinct(&mut engine, 0..5_000);
    let mut other = Engine::new(Settings::of(Preset::Standard));
    let mut size = 0;
    let mut time = u128::MAX;
    for _ in 0..200 {
        time = time.min(timed(|| {
            let snapshot = engine.snapshot("default", "main").unwrap();
            size = snapshot.len();
            other.restore("default", "main", &snapshot).unwrap();
        }));
    }
    println!(
        "\nsnapshot and restore of a full session: {:.1} µs, {:.1} KiB",
        time as f64 / 1e3,
        size as f64 / 1_024.0
    );
}
