//! Many hooks of one session at once.

use std::{
    io::Write as _,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    hook::{hook, post, pre},
    run::Place,
};

/// What is known of the only session.
fn session(place: &Place) -> Value {
    let ran = place.run(&["sessions", "--format", "json"]);
    let sessions: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(sessions.as_array().map(Vec::len), Some(1), "{sessions}");
    sessions[0].clone()
}

#[test]
fn sixteen_at_once_lose_and_double_nothing() {
    const PROCESSES: usize = 16;
    const CALLS: usize = 1_000;
    let place = Place::new("hook-parallel");
    thread::scope(|scope| {
        for process in 0..PROCESSES {
            let place = &place;
            scope.spawn(move || {
                for number in (process..CALLS).step_by(PROCESSES) {
                    let (id, command) = (format!("c{number}"), format!("echo {number}"));
                    let output = format!("line {number}");
                    for input in [pre(&id, &command), post(&id, &command, &output)] {
                        let ran = hook(place, "claude-code", &input);
                        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""));
                    }
                }
            });
        }
    });
    let gave_up = gave_up(&place);
    let session = session(&place);
    let count = |name: &str| session[name].as_u64().expect("a number") as usize;
    assert_eq!(count("hooks") + gave_up, 2 * CALLS);
    let calls = count("calls");
    assert!(calls <= CALLS && calls + gave_up >= CALLS, "{session}");
}

/// How many hooks gave up waiting for the others and said so: on a machine that is too slow for so many. Nothing else
/// is in the log.
fn gave_up(place: &Place) -> usize {
    let log = place.read("state/hook.log");
    let waited = |line: &&str| line.contains("was locked by another process");
    assert!(log.lines().all(|line| waited(&line)), "{log}");
    log.lines().count()
}

/// All of them at once find no state directory, no key and no lock.
#[test]
fn sixty_four_at_once_begin_a_session() {
    const PROCESSES: usize = 64;
    const CALLS: usize = 10;
    let place = Place::new("hook-parallel-first");
    thread::scope(|scope| {
        for process in 0..PROCESSES {
            let place = &place;
            scope.spawn(move || {
                for number in 0..CALLS {
                    let name = format!("{process}-{number}");
                    let ran = hook(place, "claude-code", &pre(&name, &format!("echo {name}")));
                    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""));
                }
            });
        }
    });
    let counted = session(&place)["calls"].as_u64().expect("a number") as usize;
    assert_eq!(counted + gave_up(&place), PROCESSES * CALLS);
}

/// Registered four times over, every hook fires four times at once.
#[test]
fn hooks_that_fire_several_times_at_once_count_once() {
    const TIMES: usize = 4;
    let place = Place::new("hook-parallel-twice");
    let fire = |input: &Value| {
        thread::scope(|scope| {
            let fired: Vec<_> = (0..TIMES)
                .map(|_| scope.spawn(|| hook(&place, "claude-code", input).out))
                .collect();
            let outputs = fired.into_iter().map(|one| one.join().expect("it ends"));
            outputs.filter(|output| !output.is_empty()).count()
        })
    };
    let mut answers = Vec::new();
    for round in 0..6 {
        let id = format!("c{round}");
        let before = fire(&pre(&id, "make"));
        let after = if before == 0 {
            fire(&post(&id, "make", "nothing to be done"))
        } else {
            0
        };
        answers.push((before, after));
    }
    // A nudge is said once, a denial by all: which answer the host takes is the host's affair.
    assert_eq!(
        answers,
        [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (TIMES, 0)]
    );
    assert_eq!(session(&place)["calls"], 6);
}

#[test]
fn a_hook_that_is_killed_leaves_whole_state() {
    const HOOKS: u64 = 150;
    let place = Place::new("hook-killed");
    let mut random: u64 = 7;
    let mut finished = 0;
    for number in 0..HOOKS {
        let input = pre(&format!("c{number}"), &format!("echo {number}")).to_string();
        let mut child = place
            .command(&["hook", "claude-code"])
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let until = Instant::now() + Duration::from_micros((random >> 33) % 8_000);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        let ended = child.wait_with_output().expect("the command ends");
        finished += u64::from(ended.status.success());
    }
    // One more, so that there is state even if all were killed early.
    assert_eq!(
        hook(&place, "claude-code", &pre("last", "ls")).code,
        Some(0)
    );
    finished += 1;
    let session = session(&place);
    let counted = session["calls"].as_u64().expect("a number");
    // All that finished are counted; of those that were killed some had got that far.
    assert!(
        (finished..=HOOKS + 1).contains(&counted),
        "{finished} {counted}"
    );
    let log = place.read("state/hook.log");
    assert!(
        !log.contains("starts afresh") && !log.contains("allowed"),
        "{log}"
    );
}
