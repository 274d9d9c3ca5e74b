//! Two workers with engines of their own share tallies in files, as two processes would.
//!
//! ```text
//! cargo run -p unstuck-swarm --example two_processes
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{error::Error, path::Path};

use unstuck::{Begun, Call, Decision, Engine, Event, Json, Outcome, Preset, RuleName, Settings};
use unstuck_swarm::{
    Answer, FileTallies, Keys, SharedOptions, SharedTallies, TallyError, TallyLimits,
};

/// One process: an engine, and a handle of the shared store.
struct Process {
    engine: Engine,
    tallies: SharedTallies<FileTallies>,
}

impl Process {
    fn start(directory: &Path) -> Result<Self, TallyError> {
        let store = FileTallies::open(directory, TallyLimits::default())?;
        let mut options = SharedOptions::default();
        // Files of a busy machine may take longer than a server.
        options.within = std::time::Duration::from_secs(10);
        Ok(Self {
            engine: Engine::new(Settings::of(Preset::Standard)),
            tallies: SharedTallies::new(store, Keys::new(b"secret of the team"), options)?,
        })
    }

    fn observe(&mut self, event: Event) -> Decision {
        match self.engine.begin(event) {
            Begun::Decided(decision) => decision,
            Begun::Asks(question) => {
                let answer = self.tallies.apply(question.delta());
                assert!(matches!(answer, Answer::Shared(_)));
                self.engine.finish(question, Some(answer.tally()))
            }
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let mut processes = [
        Process::start(&home.path().join("swarms"))?,
        Process::start(&home.path().join("swarms"))?,
    ];
    let mut reported = Vec::new();
    // Five workers try the same dead address twice. None of them repeats itself often enough to be noticed alone.
    for worker in 0..5 {
        for n in 0..2 {
            let args = Json::parse(r#"{"url":"https://api.example/dead"}"#)?;
            let call = Call::new(n.to_string(), "web_fetch", args);
            let result = Outcome::error(n.to_string(), Json::string("connection refused"));
            for event in [Event::call(call), Event::result(result), Event::turn()] {
                let event = event
                    .in_session(format!("worker-{worker}"))
                    .of_swarm("crew");
                reported.push(processes[worker % 2].observe(event));
            }
        }
    }
    reported.retain(|decision| decision.rule() == Some(RuleName::SwarmLoop));
    assert_eq!(reported.len(), 1);
    let message = reported[0].message().unwrap_or_default();
    assert!(message.contains("5 workers of this swarm"), "{message}");
    println!("{}: {message}", reported[0].session);
    Ok(())
}
