use std::net::Ipv4Addr;

use super::*;

fn sessions(most: usize, per_peer: Option<usize>) -> Sessions<u32> {
    Sessions::new(SessionLimits {
        most,
        per_peer,
        idle: Duration::from_mins(30),
    })
}

const ONE: Peer = Peer::V4(Ipv4Addr::new(192, 0, 2, 1));
const TWO: Peer = Peer::V4(Ipv4Addr::new(192, 0, 2, 2));

fn place(sessions: &mut Sessions<u32>, id: &str, peer: Peer) -> Option<u32> {
    sessions.session(id, peer).map(|session| session.place)
}

#[test]
fn a_new_session_ends_no_other_and_is_refused() {
    let mut sessions = sessions(2, None);
    sessions.add("a", Peer::Here, 1).expect("room");
    sessions.add("b", Peer::Here, 2).expect("room");
    assert_eq!(sessions.room(Peer::Here), Err(Full::All(2)));
    // Several may have found room before any of them was added.
    assert_eq!(sessions.add("c", Peer::Here, 3), Err(Full::All(2)));
    assert_eq!(sessions.get("c", Peer::Here), None);
    assert_eq!(sessions.add("a", Peer::Here, 3), Ok(()));
    assert_eq!(sessions.get("a", Peer::Here), Some(&1));
}

#[test]
fn another_machine_has_a_share() {
    let mut open = sessions(8, None);
    for id in ["a", "b"] {
        assert_eq!(open.room(ONE), Ok(()));
        open.add(id, ONE, 0).expect("room");
    }
    assert_eq!(open.room(ONE), Err(Full::Share(2)));
    assert_eq!(open.room(TWO), Ok(()));
    let mut open = sessions(8, Some(1));
    open.add("a", Peer::Here, 0).expect("room");
    assert_eq!(open.room(Peer::Here), Err(Full::Share(1)));
}

#[test]
fn a_session_is_used_and_ended_only_from_where_it_was_begun() {
    let mut sessions = sessions(8, None);
    sessions.add("a", ONE, 1).expect("room");
    sessions.add("a", TWO, 2).expect("room");
    assert_eq!(sessions.get("a", TWO), None);
    assert_eq!(sessions.remove("a", TWO), None);
    assert_eq!(sessions.get("a", ONE), Some(&1));
    assert_eq!(sessions.remove("a", ONE), Some(1));
}

#[test]
fn sessions_that_are_over_are_taken_out() {
    let mut sessions = sessions(8, None);
    sessions.add("a", ONE, 1).expect("room");
    sessions.add("b", ONE, 2).expect("room");
    assert_eq!(
        sessions.sweep(|session| session.value == 1),
        [("a".to_owned(), 1)]
    );
    assert_eq!(sessions.drain(), [2]);
}

#[test]
fn a_new_session_takes_the_lowest_place_that_is_free() {
    let mut sessions = sessions(16, None);
    for id in ["a", "b", "c"] {
        sessions.add(id, ONE, 0).expect("room");
    }
    assert_eq!(place(&mut sessions, "c", ONE), Some(2));
    sessions.remove("a", ONE);
    sessions.add("d", ONE, 0).expect("room");
    sessions.add("e", TWO, 0).expect("room");
    assert_eq!(place(&mut sessions, "d", ONE), Some(0));
    assert_eq!(place(&mut sessions, "e", TWO), Some(0));
}
