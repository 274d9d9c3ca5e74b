use super::*;

fn calling(number: u64, about: usize) -> Calling {
    Calling {
        about: "x".repeat(about).into(),
        number,
        event_id: "1".into(),
        judged: Judged::default(),
        began: Micros(0),
        fingerprint: unstuck::fingerprint::Fingerprinter::new(b"")
            .action("t", &Json::empty_object()),
        era: Era::Handshake,
        round: 0,
        nudge: None,
        tool: "t".into(),
        session: "s".into(),
        agent: "a".into(),
        ring: Ring::Private { owner: None },
    }
}

fn add(waiting: &mut Waiting, number: u64, about: usize) -> Vec<u64> {
    let calling = calling(number, about);
    let old = waiting.old_calls(calling.cost());
    let id = number.to_string();
    waiting.add_call(&Id::of(&id).expect("an id"), calling);
    old.iter().map(|calling| calling.number).collect()
}

#[test]
fn calls_that_wait_are_bounded_in_bytes_and_the_oldest_are_given_up() {
    let mut waiting = Waiting::default();
    let mut given_up = Vec::new();
    for number in 0..400 {
        given_up.extend(add(&mut waiting, number, 1 << 20));
        assert!(waiting.bytes <= MOST_BYTES);
    }
    assert!(given_up.len() > 300);
    assert!(given_up.iter().copied().eq(0..given_up.len() as u64));
    assert_eq!(waiting.calls() + given_up.len(), 400);
    // One that takes more than all may take waits alone.
    let rest = add(&mut waiting, 400, MOST_BYTES + 1);
    assert_eq!((rest.len() + given_up.len(), waiting.calls()), (400, 1));
    assert_eq!(add(&mut waiting, 401, 1), [400]);
}

#[test]
fn what_waits_no_longer_takes_no_bytes() {
    let mut waiting = Waiting::default();
    for number in 0..6 {
        add(&mut waiting, number, 100);
    }
    let key = |id: &str| Id::of(id).expect("an id").key;
    waiting.add(&Id::of("6").expect("an id"), Pending::Other);
    waiting.take(&key("0")).expect("it waits");
    waiting.cancel(&key("1")).expect("it waits");
    waiting.revoke(2).expect("it waits");
    // An id that is used again replaces the call before.
    add(&mut waiting, 3, 100);
    assert_eq!(waiting.bytes, 3 * calling(0, 100).cost());
    waiting.drain();
    assert_eq!((waiting.bytes, waiting.calls, waiting.others), (0, 0, 0));
}
