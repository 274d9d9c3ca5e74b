use unstuck::{Event, EventKind};

use super::*;

/// A text of so many bytes.
fn text(run: usize, number: u64, bytes: usize) -> KeptEvent {
    let kind = EventKind::Text(unstuck::Text::new(
        "x".repeat(bytes),
        unstuck::Role::Assistant,
    ));
    let seen = Seen::of(&Event::new(kind), Excerpts::Raw).expect("a text is shown");
    KeptEvent { run, number, seen }
}

#[test]
fn the_oldest_events_are_dropped_when_the_room_is_used_up() {
    let mut kept = Kept::new(Excerpts::Raw);
    let one = text(0, 1, 4_000).bytes();
    let fits = MOST / one;
    for number in 1..=fits as u64 {
        kept.keep(text(0, number, 4_000));
    }
    assert_eq!(kept.dropped(0).event, 0);
    kept.keep(text(1, 1, 4_000));
    assert_eq!((kept.dropped(0).event, kept.dropped(1).event), (1, 0));
    assert_eq!(kept.events.len(), fits);
    assert!(kept.bytes <= MOST);
    assert_eq!(kept.dropped(0).calls, 0);
}
