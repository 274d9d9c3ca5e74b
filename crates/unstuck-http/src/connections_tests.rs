use super::*;

fn known(connections: &Arc<Connections>) -> Arc<Connection> {
    let connection = connections.admit().unwrap();
    assert!(connection.answers());
    connection.set_known();
    connection
}

fn is_closed(connection: &Connection) -> bool {
    !connection.answers()
}

#[test]
fn strangers_have_half_of_the_places_and_the_oldest_goes_first() {
    let all = Connections::new(4);
    let first = all.admit().unwrap();
    let second = all.admit().unwrap();
    let third = all.admit().unwrap();
    assert!(is_closed(&first));
    assert!(!is_closed(&second) && !is_closed(&third));
    // Both are being answered now, so they have no place among the strangers.
    let fourth = all.admit().unwrap();
    let fifth = all.admit().unwrap();
    let sixth = all.admit().unwrap();
    assert!(is_closed(&fourth) && !is_closed(&fifth) && !is_closed(&sixth));
    assert!(all.admit().is_none());
    drop(first);
    drop(fourth);
    assert!(all.admit().is_none());
    drop(fifth);
    assert!(all.admit().is_some());
}

#[test]
fn known_connections_make_room_only_when_idle_and_behind_strangers() {
    let all = Connections::new(2);
    let idle = known(&all);
    drop(Answering(Arc::clone(&idle)));
    let stranger = all.admit().unwrap();
    let busy = known(&all);
    assert!(is_closed(&stranger) && !is_closed(&idle));
    drop(Answering(Arc::clone(&idle)));
    let other = known(&all);
    assert!(is_closed(&idle));
    // A body that has just begun is not closed.
    other.reads_body();
    assert!(all.admit().is_none());
    assert!(other.answers() && busy.answers());
}

#[test]
fn any_number_of_strangers_leaves_the_count_right() {
    let all = Connections::new(8);
    let mut open = Vec::new();
    for _ in 0..1_000 {
        open.push(all.admit().unwrap());
    }
    drop(open);
    let state = lock(&all.open);
    assert_eq!(
        (state.count, state.strangers, state.waiting.len()),
        (0, 0, 0)
    );
}
