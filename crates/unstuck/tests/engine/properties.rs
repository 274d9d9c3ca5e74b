//! What holds for any events.

use std::num::NonZeroU32;

use proptest::prelude::*;
use unstuck::{
    Engine, Event, Json, Preset, Settings,
    fingerprint::Fingerprinter,
    swarm::{Delta, SwarmBook, SwarmStore, Tally, Worker},
};

/// Wire lines that meet each other often: few tools, few arguments, few outcomes.
fn line() -> impl Strategy<Value = String> {
    let call = (0..6_u8, 0..3_u8, 0..3_u8).prop_map(|(id, tool, arg)| {
        let tool = ["read_file", "bash", "edit_file"][usize::from(tool)];
        let args = [
            r#"{"path":"a","command":"cat a"}"#,
            r#"{"command":"pytest -q","timeout":1}"#,
            r#"{"path":"a","timeout":2}"#,
        ][usize::from(arg)];
        format!(r#"{{"event":"call","id":{id},"tool":"{tool}","args":{args}}}"#)
    });
    let result = (0..6_u8, 0..4_u8, 0..3_u8).prop_map(|(id, status, output)| {
        let status = ["ok", "ok", "error", "denied"][usize::from(status)];
        let output = [
            r#""3 failed, the others are fine, all of them""#,
            r#""ok""#,
            "null",
        ][usize::from(output)];
        format!(r#"{{"event":"result","id":{id},"status":"{status}","output":{output}}}"#)
    });
    let step = (0..3_u8, 0..3_u8).prop_map(|(code, output)| {
        format!(r#"{{"event":"step","code":"{code}","output":{output}}}"#)
    });
    let text = (0..5_u8, 0..2_u8).prop_map(|(text, role)| {
        let text = [
            "court ".repeat(20),
            "Let me look at the whole situation once more before I go on. ".into(),
            "- item\\n".repeat(3),
            "```\\n".into(),
            "\\n\\n".into(),
        ][usize::from(text)]
        .clone();
        let role = ["assistant", "thinking"][usize::from(role)];
        format!(r#"{{"event":"text","text":"{text}","role":"{role}"}}"#)
    });
    let other = prop_oneof![
        6 => Just("turn"),
        1 => Just("user"),
        2 => Just("retry"),
        1 => Just("compaction"),
        1 => Just("resume"),
        1 => Just("reset"),
    ]
    .prop_map(|event| format!(r#"{{"event":"{event}"}}"#));
    prop_oneof![10 => call, 8 => result, 4 => step, 4 => text, 4 => other]
}

fn timed(lines: Vec<(String, u16)>) -> Vec<String> {
    let mut at = 0;
    let stamp = |(line, wait): (String, u16)| {
        at += u64::from(wait);
        format!("{},\"at\":{at}}}", &line[..line.len() - 1])
    };
    lines.into_iter().map(stamp).collect()
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec((line(), 0..9_000_u16), 0..160).prop_map(timed)
}

fn preset() -> impl Strategy<Value = Preset> {
    proptest::sample::select(Preset::ALL.to_vec())
}

fn observe(engine: &mut Engine, line: &str) -> String {
    let decision = engine.observe(Event::parse(line.as_bytes()).unwrap());
    serde_json::to_string(&decision).unwrap()
}

fn decisions(preset: Preset, lines: &[String]) -> Vec<String> {
    let mut engine = Engine::new(Settings::of(preset));
    lines
        .iter()
        .map(|line| observe(&mut engine, line))
        .collect()
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_run_replays_byte_for_byte(preset in preset(), lines in lines()) {
        prop_assert_eq!(decisions(preset, &lines), decisions(preset, &lines));
    }

    #[test]
    fn restoring_a_snapshot_at_any_point_changes_no_later_decision(preset in preset(), lines in lines(), cut in 0..160_usize) {
        let whole = decisions(preset, &lines);
        let cut = cut.min(lines.len());
        let mut before = Engine::new(Settings::of(preset));
        for line in &lines[..cut] {
            observe(&mut before, line);
        }
        let mut after = Engine::new(Settings::of(preset));
        if let Some(snapshot) = before.snapshot("default", "main") {
            after.restore("default", "main", &snapshot).unwrap();
        }
        // Swarm tallies are kept elsewhere; with one worker they never speak.
        let rest: Vec<String> = lines[cut..].iter().map(|line| observe(&mut after, line)).collect();
        prop_assert_eq!(&whole[cut..], rest);
    }

    #[test]
    fn shuffled_keys_change_no_decision(preset in preset(), lines in lines()) {
        let shuffled: Vec<String> = lines.iter().map(|line| {
            let Ok(serde_json::Value::Object(event)) = serde_json::from_str(line) else { panic!("{line}") };
            let reversed = |object: &serde_json::Map<String, serde_json::Value>| {
                let members: Vec<String> = object.iter().rev().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(", "))
            };
            let members: Vec<String> = event.iter().rev().map(|(name, value)| match value {
                serde_json::Value::Object(inner) => format!("\"{name}\" : {}", reversed(inner)),
                value => format!("\"{name}\" : {value}"),
            }).collect();
            format!("{{{}}}", members.join(" , "))
        }).collect();
        prop_assert_eq!(decisions(preset, &lines), decisions(preset, &shuffled));
    }

    #[test]
    fn interleaved_sessions_decide_as_if_alone(preset in preset(), a in lines(), b in lines(), order in proptest::collection::vec(any::<bool>(), 320)) {
        let alone = |lines: &[String]| -> Vec<serde_json::Value> {
            decisions(preset, lines).iter().map(|decision| bare(decision)).collect()
        };
        let tagged = |lines: &[String], session: &str| -> Vec<String> {
            lines.iter().map(|line| format!("{},\"session\":\"{session}\"}}", &line[..line.len() - 1])).collect()
        };
        let (mut left, mut right) = (tagged(&a, "a").into_iter(), tagged(&b, "b").into_iter());
        let mut engine = Engine::new(Settings::of(preset));
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        for turn in order {
            let (next, decided) = if turn { (left.next(), &mut of_a) } else { (right.next(), &mut of_b) };
            if let Some(line) = next {
                decided.push(bare(&observe(&mut engine, &line)));
            }
        }
        prop_assert_eq!(&of_a[..], &alone(&a)[..of_a.len()]);
        prop_assert_eq!(&of_b[..], &alone(&b)[..of_b.len()]);
    }

    #[test]
    fn any_bytes_are_answered_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut engine = Engine::new(Settings::of(Preset::Standard));
        if let Ok(event) = Event::parse(&bytes) {
            engine.observe(event);
        }
        let _ = engine.restore("s", "a", &bytes);
    }

    #[test]
    fn a_damaged_snapshot_is_refused(lines in lines(), at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let mut engine = Engine::new(Settings::of(Preset::Standard));
        for line in &lines {
            observe(&mut engine, line);
        }
        if let Some(mut snapshot) = engine.snapshot("default", "main") {
            let at = at.index(snapshot.len());
            snapshot[at] ^= flip;
            prop_assert!(engine.restore("default", "main", &snapshot).is_err());
            snapshot[at] ^= flip;
            snapshot.truncate(at);
            prop_assert!(engine.restore("default", "main", &snapshot).is_err());
        }
    }

    #[test]
    fn the_order_of_swarm_deltas_does_not_matter(calls in proptest::collection::vec((0..3_u8, 0..3_u8, 0..70_u16), 0..200), seed in any::<u64>()) {
        let prints = Fingerprinter::default();
        let deltas: Vec<Delta> = calls.iter().map(|(swarm, call, worker)| {
            let print = prints.action("t", &Json::string(&call.to_string()));
            Delta::new(format!("s{swarm}"), print, Worker::new(&worker.to_string(), "main"))
        }).collect();
        let total = |deltas: &[Delta]| {
            let mut book = SwarmBook::new(NonZeroU32::new(64).unwrap());
            deltas.iter().map(|delta| (delta.swarm.clone(), delta.fingerprint, book.apply(delta))).fold(
                std::collections::BTreeMap::new(),
                |mut totals, (swarm, print, tally)| { totals.insert((swarm, print), tally.calls()); totals },
            )
        };
        let mut shuffled = deltas.clone();
        let mut state = seed | 1;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        prop_assert_eq!(total(&deltas), total(&shuffled));
    }

    #[test]
    fn merging_tallies_is_commutative_and_associative(parts in proptest::collection::vec(proptest::collection::vec((0..60_u16, 1..9_u64), 0..20), 3)) {
        let tally = |calls: &[(u16, u64)]| calls.iter().fold(Tally::default(), |mut tally, (worker, calls)| {
            tally.add(Worker::new(&worker.to_string(), "main"), *calls);
            tally
        });
        let [a, b, c] = [tally(&parts[0]), tally(&parts[1]), tally(&parts[2])];
        let merged = |parts: &[&Tally]| parts.iter().fold(Tally::default(), |mut sum, part| { sum.merge(part); sum });
        prop_assert_eq!(merged(&[&a, &b]), merged(&[&b, &a]));
        let left = merged(&[&merged(&[&a, &b]), &c]);
        let right = merged(&[&a, &merged(&[&b, &c])]);
        prop_assert_eq!(left, right);
    }
}

/// A decision without what depends on the other session: line numbers and the session's name.
fn bare(decision: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(decision).unwrap();
    let object = value.as_object_mut().unwrap();
    object.remove("line");
    object.remove("session");
    for finding in object
        .get_mut("findings")
        .and_then(serde_json::Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let finding = finding.as_object_mut().unwrap();
        finding.remove("from");
        finding.remove("to");
    }
    value
}
