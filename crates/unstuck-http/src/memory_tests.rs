use super::*;

fn hold(memory: &Memory, bytes: usize) -> Option<Held> {
    let mut held = memory.nothing();
    held.grow(bytes).then_some(held)
}

#[test]
fn what_is_held_never_exceeds_the_limit_and_comes_back() {
    let memory = Memory::new(1 << 20);
    let mut large = hold(&memory, 700 << 10).unwrap();
    assert!(hold(&memory, 300 << 10).is_none());
    // The last eighth is for small messages.
    assert!(large.grow(196 << 10));
    assert!(!large.grow(1));
    let small: Vec<Held> = (0..2).filter_map(|_| hold(&memory, 64 << 10)).collect();
    assert_eq!(small.len(), 2);
    assert!(hold(&memory, 1).is_none());
    let part = large.split(100 << 10);
    drop(large);
    assert_eq!(part.bytes(), 100 << 10);
    drop((part, small));
    assert!(hold(&memory, 896 << 10).is_some());
    assert_eq!(memory.0.held.load(Ordering::Relaxed), 0);
}

#[test]
fn a_message_gives_its_memory_back_when_it_is_written() {
    let memory = Memory::new(1 << 20);
    let loaded = Loaded::own(vec![1; 1_000], &memory);
    let mut bytes = loaded.into_bytes();
    let last = bytes.split_off(999);
    drop(bytes);
    assert_eq!(memory.0.held.load(Ordering::Relaxed), 1_000);
    drop(last);
    assert_eq!(memory.0.held.load(Ordering::Relaxed), 0);
}

#[test]
fn the_least_memory_is_enough_for_one_message() {
    for longest in [1, 999, 1 << 20, 64 << 20] {
        let memory = Memory::new(least(longest));
        assert!(hold(&memory, longest * 2).is_some(), "{longest}");
    }
    assert!(least(64 << 20) <= 192 << 20);
}
