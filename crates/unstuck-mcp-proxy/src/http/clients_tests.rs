use std::sync::Arc;

use super::*;

fn visitor(name: &str) -> Visitor {
    Visitor {
        name: name.into(),
        owner: "here".into(),
    }
}

#[test]
fn sessions_of_one_client_at_several_servers_have_one_name() {
    let clients = Arc::default();
    let join = |server, id| Clients::join(&clients, server, &visitor("v"), id);
    let [first, second, third] = [("a", "1"), ("b", "2"), ("c", "3")].map(|(at, id)| join(at, id));
    assert_eq!((second.name(), third.name()), (first.name(), first.name()));
    // A second window of the same program.
    let [other, its] = [("a", "4"), ("b", "5")].map(|(at, id)| join(at, id));
    assert_ne!(other.name(), first.name());
    assert_eq!(its.name(), other.name());
}

#[test]
fn another_visitor_is_another_client() {
    let clients = Arc::default();
    let a = Clients::join(&clients, "a", &visitor("v"), "1");
    let b = Clients::join(&clients, "b", &visitor("w"), "2");
    assert_ne!(a.name(), b.name());
}

#[test]
fn a_session_that_may_be_either_clients_is_counted_alone() {
    let clients = Arc::default();
    let join = |server, id| Clients::join(&clients, server, &visitor("v"), id);
    let (one, two) = (join("a", "1"), join("a", "2"));
    let doubtful = join("b", "3");
    assert!(![one.name(), two.name()].contains(&doubtful.name()));
    // It is not a candidate for others either.
    let third = join("a", "4");
    assert_ne!(third.name(), doubtful.name());
}

#[test]
fn a_session_that_begins_anew_stays_with_its_client_as_long_as_another_is_open() {
    let clients = Arc::default();
    let join = |server, id| Clients::join(&clients, server, &visitor("v"), id);
    let (a, b) = (join("a", "1"), join("b", "2"));
    let name = a.name().to_owned();
    drop(a);
    let again = join("a", "3");
    assert_eq!(again.name(), name);
    drop((again, b));
    assert_ne!(join("a", "4").name(), name);
    assert!(lock(&clients.known).is_empty());
}
