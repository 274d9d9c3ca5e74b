//! Wall-clock cost of the engine, with divan. Ratios and memory are in the bench `cost`.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "what may fail here fails the bench"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use divan::{Bencher, counter::ItemsCount};
use support::stream::Stream;
use unstuck::{
    Engine, Event, EventKind, EventReader, Preset, Settings, Verdict,
    fingerprint::{Domain, Fingerprinter},
};

const ROWS: usize = 2_000;

fn main() {
    divan::main();
}

fn lines() -> Vec<String> {
    let rows = Stream::new(1).take(ROWS);
    rows.flat_map(|row| [row.call, row.result, row.turn])
        .collect()
}

/// Only reading: what any program pays that parses the line with the usual library.
#[divan::bench]
fn serde_json_parse(bencher: Bencher<'_, '_>) {
    let lines = lines();
    bencher.counter(ItemsCount::new(lines.len())).bench(|| {
        for line in &lines {
            divan::black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
        }
    });
}

/// Reading, canonicalising and hashing by the engine's own parser and writer: what no detector can do without.
#[divan::bench]
fn floor(bencher: Bencher<'_, '_>) {
    let lines = lines();
    let prints = Fingerprinter::default();
    bencher.counter(ItemsCount::new(lines.len())).bench(|| {
        let mut reader = EventReader::default();
        for line in &lines {
            match reader.read(line.as_bytes()).unwrap().kind {
                EventKind::Call(call) => {
                    divan::black_box(prints.action(&call.tool, &call.args));
                }
                EventKind::Result(outcome) => {
                    let output = outcome.output.unwrap();
                    divan::black_box(prints.canonical(Domain::Outcome, output.as_str().as_bytes()));
                }
                _ => {}
            }
        }
    });
}

/// The whole way from the line to the decision.
#[divan::bench(args = Preset::ALL)]
fn decide(bencher: Bencher<'_, '_>, preset: Preset) {
    let lines = lines();
    bencher
        .counter(ItemsCount::new(lines.len()))
        .with_inputs(|| Engine::new(Settings::of(preset)))
        .bench_local_values(|mut engine| {
            let mut reader = EventReader::default();
            for line in &lines {
                let decision =
                    divan::black_box(engine.observe(reader.read(line.as_bytes()).unwrap()));
                // A halted session answers without looking: let it go on.
                if decision.verdict == Verdict::Halt {
                    engine.observe(Event::new(EventKind::Reset));
                }
            }
        });
}

/// Storing a full session and going on with it, as a hook does at every call.
#[divan::bench]
fn snapshot_and_restore(bencher: Bencher<'_, '_>) {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut reader = EventReader::default();
    for line in lines() {
        engine.observe(reader.read(line.as_bytes()).unwrap());
    }
    let mut other = Engine::new(Settings::of(Preset::Standard));
    bencher.bench_local(|| {
        let snapshot = engine.snapshot("default", "main").unwrap();
        other.restore("default", "main", &snapshot).unwrap();
    });
}
