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
    Begun, Call, Decision, Engine, Event, Json, JsonError, Outcome, Preset, RuleName, Settings,
    swarm::{SwarmBook, SwarmStore as _},
};

/// Judges one event against the shared tally. Adding and reading the tally are one step under the lock, and the engine
/// runs outside of it.
fn observe(engine: &mut Engine, event: Event, book: &Mutex<SwarmBook>) -> Decision {
    match engine.begin(event) {
        Begun::Decided(decision) => decision,
        Begun::Asks(question) => {
            let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
            let tally = book.apply(question.delta());
            drop(book);
            engine.finish(question, Some(&tally))
        }
    }
}

/// A worker that tries a dead address twice. Alone, it would not be warned.
fn work(worker: usize, book: &Mutex<SwarmBook>) -> Result<Vec<Decision>, JsonError> {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut answers = Vec::new();
    for n in 0..2 {
        let args = Json::parse(r#"{"url":"https://api.example/dead"}"#)?;
        let call = Call::new(n.to_string(), "web_fetch", args);
        let result = Outcome::error(n.to_string(), Json::string("connection refused"));
        for event in [Event::call(call), Event::result(result), Event::turn()] {
            let event = event
                .in_session(format!("worker-{worker}"))
                .of_swarm("crew");
            answers.push(observe(&mut engine, event, book));
        }
    }
    Ok(answers)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let book = Mutex::new(SwarmBook::new(Settings::default().memory.swarm.non_zero()));
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
