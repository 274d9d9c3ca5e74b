use super::*;
use crate::http::queue::{Receiver, queue};

fn route() -> (Route, Receiver) {
    let (to, heard) = queue(1_000);
    let route = Route {
        to,
        id: "1".into(),
        token: None,
        whose: ClientScope::of_session("a"),
        number: 0,
    };
    (route, heard)
}

#[test]
fn requests_that_wait_are_limited_and_those_without_a_client_make_room() {
    let mut routes = Routes::default();
    let mut clients = Vec::new();
    for key in 0..MOST_WAITING {
        let (route, heard) = route();
        assert_eq!(routes.add(key.to_string(), route), Ok(()));
        clients.push(heard);
    }
    assert_eq!(routes.add("0".into(), route().0), Err(NotAdded::IdInUse));
    assert_eq!(routes.add("more".into(), route().0), Err(NotAdded::Full));
    clients.truncate(10);
    let (last, _client) = route();
    assert_eq!(routes.add("more".into(), last), Ok(()));
    assert_eq!(routes.waiting.len(), 11);
    routes.ended = true;
    assert_eq!(routes.add("end".into(), route().0), Err(NotAdded::Ended));
}
