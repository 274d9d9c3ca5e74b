//! One notice on standard error that a peer can cause as often as it likes.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use unstuck_session::sync::lock;

/// So many are printed one by one, until there are none for a whole period.
const LINES: u32 = 20;

/// The others are counted, and their number is printed this often.
const PERIOD: Duration = Duration::from_secs(10);

/// Prints a notice, and counts it where there are many.
pub(super) struct Notices {
    text: &'static str,
    state: Mutex<State>,
}

struct State {
    lines_left: u32,
    since: Instant,
    in_period: u64,
    counted: u64,
}

impl Notices {
    pub(super) fn new(text: &'static str) -> Self {
        Self {
            text,
            state: Mutex::new(State {
                lines_left: LINES,
                since: Instant::now(),
                in_period: 0,
                counted: 0,
            }),
        }
    }

    pub(super) fn add(&self) {
        let mut state = lock(&self.state);
        state.in_period += 1;
        if state.lines_left == 0 {
            state.counted += 1;
            return;
        }
        state.lines_left -= 1;
        anstream::eprintln!("unstuck: {}", self.text);
    }

    /// Prints the number of those that were counted, if a period is over.
    pub(super) fn tick(&self) {
        let mut state = lock(&self.state);
        if state.since.elapsed() < PERIOD {
            return;
        }
        if state.in_period == 0 {
            state.lines_left = LINES;
        }
        state.in_period = 0;
        state.since = Instant::now();
        self.print(&mut state);
    }

    /// Prints the number of those that were counted.
    pub(super) fn end(&self) {
        self.print(&mut lock(&self.state));
    }

    fn print(&self, state: &mut State) {
        let counted = std::mem::take(&mut state.counted);
        if counted > 0 {
            anstream::eprintln!("unstuck: {} ({counted} more times)", self.text);
        }
    }
}
