//! The worst inputs that were found for each part of the engine, at 10 KB, 100 KB and 1 MB.
//!
//! ```text
//! cargo bench -p unstuck --bench worst                    the table, as Markdown
//! cargo bench -p unstuck --bench worst -- --check         the same; fails where an input grows more than twofold
//! cargo bench -p unstuck --bench worst -- --check --instructions    by instructions, counted by valgrind, not by the clock
//! cargo bench -p unstuck --bench worst -- --instructions shell      the inputs of one part alone
//! cargo bench -p unstuck --bench worst -- only PART INPUT BYTES     one pass; prints the number of bytes
//! ```
//!
//! An input costs time in proportion to its size if a byte of it costs as much in a large text as in a small one.
//! Growth is the cost of a byte at 100 KB or 1 MB, whichever is higher, divided by that at 10 KB: some parts do not look
//! at more than 16 KiB or 128 KiB, so that 1 MB alone would hide what happens below. Inputs of many events begin with
//! memories that are full already. By the clock, the minimum of several passes counts; instructions are the same in each.
//!
//! Agents with colliding names are also measured with an engine whose index key is known to be zeros: that is what
//! `Engine::with_index_key` is for.

#![allow(
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what may fail here fails the bench"
)]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench measures time, takes arguments and prints a report; the engine does none of that"
)]

mod inputs;
mod instructions;

use std::{fmt::Write as _, hint::black_box, process::ExitCode, time::Instant};

use inputs::{Input, Load};
use unstuck::{Engine, EventReader, Json, Mode, Settings};

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Different inputs at each size: as many bytes in all at every size. A processor that sees one small input again and
/// again learns its branches, which makes it look cheaper than it is.
const INPUTS: [usize; 3] = [50, 5, 1];

const PASSES: usize = 5;

/// How much more a byte of a large input may cost than one of a small input.
const MOST_GROWTH: f64 = 2.0;

/// What cost is measured in.
#[derive(Clone, Copy)]
enum Unit {
    Nanoseconds,
    Instructions,
}

/// What an input costs.
struct Cost {
    part: &'static str,
    input: &'static str,
    /// Cost of a byte at each size.
    per_byte: [f64; 3],
}

impl Cost {
    fn of(input: &Input, unit: Unit) -> Self {
        let per_byte = match unit {
            Unit::Nanoseconds => Self::nanoseconds(input),
            Unit::Instructions => SIZES.map(|size| instructions::per_byte(input, size)),
        };
        Self {
            part: input.part,
            input: input.name,
            per_byte,
        }
    }

    fn nanoseconds(input: &Input) -> [f64; 3] {
        let mut per_byte = [f64::MAX; 3];
        for (at, size) in SIZES.into_iter().enumerate() {
            let mut loads = vec![(input.make)(size)];
            // To fill memories takes long, and inputs that do so are of many different events.
            if !loads[0].is_prepared() {
                loads.extend((1..INPUTS[at]).map(|number| {
                    inputs::vary(number);
                    (input.make)(size)
                }));
                inputs::vary(0);
            }
            for _ in 0..PASSES {
                let all: f64 = loads.iter().map(|load| pass(load) / load.bytes()).sum();
                per_byte[at] = per_byte[at].min(all / loads.len() as f64);
            }
        }
        per_byte
    }

    fn growth(&self) -> f64 {
        let [small, medium, large] = self.per_byte;
        medium.max(large) / small
    }

    fn worst(&self) -> f64 {
        self.per_byte.into_iter().fold(0.0, f64::max)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let unit = if has("--instructions") {
        Unit::Instructions
    } else {
        Unit::Nanoseconds
    };
    let words: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with("--"))
        .collect();
    if let ["only", part, name, bytes] = words[..] {
        let wanted = |input: &&Input| input.part == part && input.name == name;
        let load = (inputs::all().iter().find(wanted).unwrap().make)(bytes.parse().unwrap());
        pass(&load);
        println!("{}", load.bytes());
        return ExitCode::SUCCESS;
    }
    let inputs = inputs::all();
    let wanted = inputs
        .iter()
        .filter(|input| words.is_empty() || words.contains(&input.part));
    let costs: Vec<Cost> = wanted.map(|input| Cost::of(input, unit)).collect();
    print!("{}", table(&costs, unit));
    let failed = costs.iter().any(|cost| cost.growth() > MOST_GROWTH);
    if has("--check") && failed {
        println!(
            "\na byte of a large input costs more than {MOST_GROWTH:.0} times one of a small input"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Rows of input and cost; the most expensive input of each part is in bold.
fn table(costs: &[Cost], unit: Unit) -> String {
    let unit = match unit {
        Unit::Nanoseconds => "ns",
        Unit::Instructions => "instructions",
    };
    let mut table = format!(
        "| part | input | {unit}/byte at 10 KB | at 100 KB | at 1 MB | growth |\n|---|---|--:|--:|--:|--:|\n",
    );
    for cost in costs {
        let of_part = costs.iter().filter(|other| other.part == cost.part);
        let bold = if of_part.map(Cost::worst).all(|other| other <= cost.worst()) {
            "**"
        } else {
            ""
        };
        let [small, medium, large] = cost.per_byte;
        let marker = if cost.growth() > MOST_GROWTH {
            " !"
        } else {
            ""
        };
        let _ = writeln!(
            table,
            "| {} | {bold}{}{bold} | {small:.1} | {medium:.1} | {large:.1} | {:.2}{marker} |",
            cost.part,
            cost.input,
            cost.growth(),
        );
    }
    table
}

/// Nanoseconds of one pass.
fn pass(load: &Load) -> f64 {
    match load {
        Load::Json(text) => measured(|| black_box(Json::parse(text)).is_ok()),
        Load::Command(text) => {
            measured(|| black_box(unstuck_shell::understand(text, None)).is_some())
        }
        Load::Redact(text) => measured(|| black_box(unstuck_text::redact(text)).is_empty()),
        Load::Events {
            key,
            preset,
            before,
            lines,
        } => {
            let mut settings = Settings::of(*preset);
            // A session that is halted answers without looking.
            settings.mode = Mode::Observe;
            let mut engine = Engine::with_index_key(settings, *key);
            let mut reader = EventReader::default();
            observe(&mut engine, &mut reader, before);
            measured(|| observe(&mut engine, &mut reader, lines))
        }
    }
}

fn observe(engine: &mut Engine, reader: &mut EventReader, lines: &[String]) -> bool {
    for line in lines {
        black_box(engine.observe(reader.read(line.as_bytes()).unwrap()));
    }
    true
}

/// Nanoseconds that the work takes.
#[inline(never)]
fn measured(work: impl FnOnce() -> bool) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_nanos() as f64
}
