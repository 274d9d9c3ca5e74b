//! Compares both parsers on commands of your own: one JSON string a line on standard input.
//!
//! ```text
//! cargo run --release -p unstuck-shell-oracle --example compare < commands.jsonl
//! ```

#![allow(clippy::print_stdout, reason = "it prints a report")]
#![allow(clippy::unwrap_used, reason = "what may fail here fails the run")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::{
    hint::black_box,
    io::{BufRead, stdin},
    time::Instant,
};

use unstuck_shell_oracle::{Oracle, ours};

fn main() {
    let show = std::env::args().any(|argument| argument == "--show");
    let commands: Vec<String> = stdin()
        .lock()
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    let mut oracle = Oracle::new();
    let (mut both, mut agree, mut only_ours, mut only_theirs, mut neither) = (0, 0, 0, 0, 0);
    for command in &commands {
        match (ours(command), oracle.pieces(command)) {
            (Some(ours), Some(theirs)) => {
                both += 1;
                if ours == theirs {
                    agree += 1;
                } else if show {
                    println!("{command:?}\n  ours   {ours:?}\n  theirs {theirs:?}");
                }
            }
            (Some(_), None) => only_ours += 1,
            (None, Some(theirs)) => {
                only_theirs += 1;
                if show {
                    println!("{command:?}\n  only theirs {theirs:?}");
                }
            }
            (None, None) => neither += 1,
        }
    }
    let count = commands.len();
    println!(
        "{count} commands: both {both}, of which {agree} agree; only ours {only_ours}; only theirs {only_theirs}; neither {neither}"
    );
    let bytes: usize = commands.iter().map(String::len).sum();
    println!("{} bytes a command", bytes / count.max(1));
    let timed = |name: &str, work: &mut dyn FnMut(&str)| {
        let best = (0..5)
            .map(|_| {
                let start = Instant::now();
                for command in &commands {
                    work(command);
                }
                start.elapsed().as_nanos()
            })
            .min();
        println!(
            "{name}: {:.0} ns a command",
            best.unwrap_or(0) as f64 / count as f64
        );
    };
    timed("Script::parse", &mut |command| {
        black_box(unstuck_shell::Script::parse(command));
    });
    timed("understand", &mut |command| {
        black_box(unstuck_shell::understand(command, None));
    });
    timed("tree-sitter-bash, parse alone", &mut |command| {
        black_box(oracle.parse(command));
    });
}
