//! Five workers on five threads, each with an engine of its own, and one tally that they share.
//!
//! ```text
//! cargo run -p unstuck --example 04_swarm_of_threads
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]
#![allow(
    clippy::disallowed_types,
    reason = "the engine neither locks nor spawns; its callers may"
)]

use std::{
    error::Error,
    sync::{Mutex, PoisonError},
    thread,
};

use unstuck::{
    Call, Decision, Engine, Event, Json, JsonError, Outcome, Preset, RuleName, Settings,
    swarm::{Delta, SwarmBook, SwarmStore, Tally},
};

/// A store that many threads may use: adding and reading the tally are one step under the lock.
struct Shared<'a>(&'a Mutex<SwarmBook>);

impl SwarmStore for Shared<'_> {
    fn apply(&mut self, delta: &Delta) -> Tally {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        book.apply(delta)
    }
}

/// A worker that tries a dead address twice. Alone, nobody would say anything about that.
fn work(worker: usize, book: &Mutex<SwarmBook>) -> Result<Vec<Decision>, JsonError> {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut store = Shared(book);
    let mut answers = Vec::new();
    for n in 0..2 {
        let args = Json::parse(r#"{"url":"https://api.example/dead"}"#)?;
        let call = Call::new(n.to_string(), "web_fetch", args);
        let result = Outcome::error(n.to_string(), Json::string("connection refused"));
        for event in [Event::call(call), Event::result(result), Event::turn()] {
            let event = event
                .in_session(format!("worker-{worker}"))
                .of_swarm("crew");
            answers.push(engine.observe_with(event, &mut store));
        }
    }
    Ok(answers)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let book = Mutex::new(SwarmBook::new(1_024));
    let mut answers = Vec::new();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let book = &book;
        let workers = (0..5).map(|worker| scope.spawn(move || work(worker, book)));
        for worker in workers.collect::<Vec<_>>() {
            answers.extend(worker.join().map_err(|_| "a worker panicked")??);
        }
        Ok(())
    })?;

    // Whichever thread makes the tenth fruitless call is the one that is told.
    answers.retain(|answer| answer.rule() == Some(RuleName::SwarmLoop));
    assert_eq!(answers.len(), 1);
    for answer in answers {
        let message = answer.message().unwrap_or_default();
        println!("{} is told: {message}", answer.session);
    }
    Ok(())
}
