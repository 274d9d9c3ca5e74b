use super::*;
use crate::{memory::MemoryTallies, store::TallyLimits};

const WITHIN: Duration = Duration::from_secs(30);

fn swarm(name: u8) -> SwarmKey {
    SwarmKey::from_bytes([name; 16])
}

/// Five hundred calls, each by two workers.
fn filled() -> MemoryTallies {
    let store = MemoryTallies::new(TallyLimits::default());
    for number in 1..=1_000_u16 {
        let mut call = [0; 16];
        call[..2].copy_from_slice(&(number / 2).to_be_bytes());
        let entry = Entry {
            number: number.into(),
            call: CallKey::from_bytes(call),
            worker: Worker::from_bits(u64::from(number % 2)),
            calls: number.into(),
        };
        let batch = Batch {
            swarm: swarm(1),
            writer: Writer::from_bits(1),
            entries: &[entry],
        };
        store.apply(&batch, WITHIN).unwrap();
    }
    store
}

#[test]
fn a_checkpoint_makes_the_round_trip_through_json_to_another_store() {
    let store = filled();
    let checkpoint = Checkpoint::take(&store, swarm(1), WITHIN).unwrap();
    let json = serde_json::to_string(&checkpoint).unwrap();
    let read: Checkpoint = serde_json::from_str(&json).unwrap();
    assert_eq!(read, checkpoint);
    assert_eq!(read.calls(), 501);
    let other = MemoryTallies::new(TallyLimits::default());
    for _ in 0..2 {
        // A second time replaces the first.
        read.restore(&other, swarm(2), WITHIN).unwrap();
        assert_eq!(
            other.tallies(swarm(2), WITHIN).unwrap(),
            store.tallies(swarm(1), WITHIN).unwrap()
        );
    }
}

#[test]
fn the_form_of_a_checkpoint_stays() {
    let json =
        r#"{"version":1,"calls":{"000102030405060708090a0b0c0d0e0f":{"00000000000000ff":3}}}"#;
    let checkpoint: Checkpoint = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&checkpoint).unwrap(), json);
    let float: Checkpoint = serde_json::from_str(&json.replace(":3}", ":3.0}")).unwrap();
    assert_eq!(float, checkpoint);
    for other in [
        r#"{"version":2,"calls":{}}"#,
        r#"{"calls":{}}"#,
        r#"{"version":1,"calls":{"00":{}}}"#,
        r#"{"version":1,"calls":{"+00102030405060708090a0b0c0d0e0f":{}}}"#,
        r#"{"version":1,"calls":{},"more":1}"#,
        r#"{"version":1,"calls":{"000102030405060708090a0b0c0d0e0f":{"00000000000000ff":0.5}}}"#,
        r#"{"version":1,"calls":{"000102030405060708090a0b0c0d0e0f":{"00000000000000ff":-1}}}"#,
        r#"{"version":1,"calls":{"000102030405060708090a0b0c0d0e0f":{"00000000000000ff":4294967296}}}"#,
    ] {
        assert!(
            serde_json::from_str::<Checkpoint>(other).is_err(),
            "{other}"
        );
    }
}
