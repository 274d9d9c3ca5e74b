//! Inputs of the part `index`: calls and agents that are looked up.

use std::hash::Hasher as _;

use serde_json::json;
use siphasher::sip::SipHasher13;
use unstuck::Preset;

use super::{Input, Load, call_line, of, streamed, with, word};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "index";
    const RANDOM: [u8; 16] = *b"\x8f\x1c\xa2\x77\x03\xd9\x5e\x40\xbb\x61\x9a\x2d\xe7\x14\xc8\x36";
    vec![
        of(PART, "distinct-calls", |size| {
            streamed(size, 1_000, |at| {
                call_line(at, "read_file", &json!({"path": word(at)}))
            })
        }),
        of(PART, "distinct-calls-ironcurtain", |size| {
            with(
                Preset::Ironcurtain,
                RANDOM,
                streamed(size, 70_000, |at| {
                    call_line(at, "read_file", &json!({"path": word(at)}))
                }),
            )
        }),
        of(PART, "distinct-calls-attocode", |size| {
            with(
                Preset::Attocode,
                RANDOM,
                streamed(size, 20_000, |at| {
                    call_line(at, "read_file", &json!({"path": word(at)}))
                }),
            )
        }),
        of(PART, "many-agents", |size| agents(size, [0; 16], word)),
        of(PART, "many-agents-random-key", |size| {
            agents(size, RANDOM, word)
        }),
        of(PART, "colliding-agents", |size| {
            agents(size, [0; 16], colliding)
        }),
        of(PART, "colliding-agents-random-key", |size| {
            agents(size, RANDOM, colliding)
        }),
        of(PART, "long-names", |size| {
            agents(size, RANDOM, |at| format!("{}{at}", "a".repeat(400)))
        }),
        of(PART, "waiting-calls", |size| {
            streamed(size, 1_000, |at| {
                json!({"event": "call", "id": format!("aaaaaaaaaaaaaaaa{at}"), "tool": "read", "args": {}}).to_string()
            })
        }),
    ]
}

/// Events of many agents in turn, all of which are known already or have been forgotten.
fn agents(size: usize, key: [u8; 16], name: fn(u64) -> String) -> Load {
    /// More than an engine watches at a time.
    const AGENTS: u64 = 9_000;
    thread_local! {
        static NAMES: std::cell::RefCell<std::collections::BTreeMap<usize, Vec<String>>> = const { std::cell::RefCell::new(std::collections::BTreeMap::new()) };
    }
    let names = NAMES.with_borrow_mut(|all| {
        all.entry(name as usize)
            .or_insert_with(|| (0..AGENTS).map(name).collect())
            .clone()
    });
    let line = |at: u64| {
        let session = &names[(at % AGENTS) as usize];
        json!({"event": "turn", "session": session}).to_string()
    };
    with(Preset::Standard, key, streamed(size, AGENTS, line))
}

/// Names that one table looks for in one place, without a key.
fn colliding(at: u64) -> String {
    thread_local! {
        static NEXT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
    if at == 0 {
        NEXT.set(0);
    }
    // 9,000 names in 64 places of 16,384.
    loop {
        let name = NEXT.get();
        NEXT.set(name + 1);
        let name = format!("{name}");
        let mut hasher = SipHasher13::new_with_keys(0, 0);
        hasher.write(name.as_bytes());
        hasher.write_u8(0xff);
        hasher.write(b"main");
        if place_without_key(hasher.finish()) & 16_383 < 64 {
            return name;
        }
    }
}

/// As the engine's tables do it, with a key of zeros.
fn place_without_key(mark: u64) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |one: u64, other: u64| {
        let product = u128::from(one) * u128::from(other);
        (product as u64) ^ ((product >> 64) as u64)
    };
    fold(fold(mark ^ GOLDEN, GOLDEN | 1), GOLDEN)
}
