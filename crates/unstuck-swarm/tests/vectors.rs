//! The vectors of the founding swarm, decided by two processes that share tallies: each agent by one of them.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use unstuck::{Begun, Engine, Event, Preset, Settings};
use unstuck_conformance::Vectors;
use unstuck_swarm::{FileTallies, Keys, SharedOptions, SharedTallies, TallyLimits};

/// The directory of the tallies, for the processes of this test.
const DIRECTORY: &str = "UNSTUCK_TEST_TALLIES";

#[test]
fn two_processes_decide_the_founding_vectors_as_one() {
    let directory = tempfile::tempdir().unwrap();
    let mut processes = [0, 1].map(|_| Process::start(directory.path()));
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../conformance/attocode.jsonl"
    );
    let text = std::fs::read_to_string(file).unwrap();
    let Vectors::Preset(cases) = Vectors::parse(&text).unwrap() else {
        panic!("these are not cases of a preset");
    };
    let mut swarm_loops = 0;
    let mut failures = Vec::new();
    for case in &cases {
        let mut agents: BTreeMap<(String, String), usize> = BTreeMap::new();
        let decisions: Vec<Value> = case
            .lines()
            .map(|line| {
                let event = Event::parse(line.as_bytes()).unwrap();
                let next = agents.len();
                let agent = (event.session.into(), event.agent.into());
                let process = *agents.entry(agent).or_insert(next) % 2;
                serde_json::from_str(&processes[process].decide(&line)).unwrap()
            })
            .collect();
        let is_swarm = |decision: &Value| decision["rule"] == "swarm-loop";
        if agents.len() > 1 {
            swarm_loops += decisions.iter().filter(|each| is_swarm(each)).count();
        }
        if let Err(why) = unstuck_conformance::preset(case, &decisions) {
            failures.push(format!("{}: {why}", case.id));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases.len() > 100 && swarm_loops > 5, "{swarm_loops} loops");
}

/// A process that decides events.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(directory: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "worker", "--ignored", "--nocapture"])
            .env(DIRECTORY, directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn decide(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        let mut answer = String::new();
        // The test harness of the process prints lines of its own.
        while !answer.starts_with('{') {
            answer.clear();
            assert!(
                self.output.read_line(&mut answer).unwrap() > 0,
                "the process ended"
            );
        }
        answer
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Not a test: the other end of [`Process`].
#[test]
#[ignore = "started by another test"]
fn worker() {
    let Some(directory) = env::var_os(DIRECTORY) else {
        return;
    };
    let store = FileTallies::open(directory, TallyLimits::default()).unwrap();
    let mut options = SharedOptions::default();
    options.within = Duration::from_secs(60);
    let tallies = SharedTallies::new(store, Keys::new(b"test"), options).unwrap();
    let mut engine = Engine::new(Settings::of(Preset::Attocode));
    for line in std::io::stdin().lines() {
        let decision = match engine.begin(Event::parse(line.unwrap().as_bytes()).unwrap()) {
            Begun::Decided(decision) => decision,
            Begun::Asks(question) => {
                let answer = tallies.apply(question.delta());
                engine.finish(question, Some(answer.tally()))
            }
        };
        println!("\n{}", serde_json::to_string(&decision).unwrap());
    }
}
