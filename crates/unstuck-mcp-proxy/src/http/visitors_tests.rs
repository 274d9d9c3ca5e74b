use std::net::IpAddr;

use super::*;

fn peer(address: &str) -> Peer {
    Peer::from(address.parse::<IpAddr>().unwrap())
}

fn agent(name: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::try_from(name).unwrap());
    headers
}

#[test]
fn names_are_distinguished_up_to_a_number() {
    let names = Names::new(Credentials::Keep).unwrap();
    let of = |name: &str| names.visitor(Peer::Here, &agent(name), None);
    let first = of("a");
    assert_eq!(&*first.owner, "default");
    assert_eq!(first, of("a"));
    assert_ne!(first, of("b"));
    let visitors: std::collections::BTreeSet<_> =
        (0..100).map(|n| of(&n.to_string()).name).collect();
    // The two above have their places.
    assert_eq!(visitors.len(), MOST_NAMES - 2 + 1);
    assert!(visitors.contains("default"));
    assert_eq!(first, of("a"));
    // Another peer has names of its own.
    let other = names.visitor(peer("192.0.2.7"), &agent("z"), None);
    assert_eq!(&*other.owner, "peer-192.0.2.7");
    let silent = names.visitor(Peer::Here, &HeaderMap::new(), None);
    assert_eq!(silent, Visitor::unnamed(Peer::Here));
}

#[test]
fn the_name_of_a_client_confirms_no_guess_in_another_process() {
    let name = || {
        let names = Names::new(Credentials::Forward).unwrap();
        let mut headers = agent("a");
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer secret"));
        let name = names.visitor(Peer::Here, &headers, None).name;
        assert_eq!(name, names.visitor(Peer::Here, &headers, None).name);
        name
    };
    // Two of these are equal by chance once in four thousand million times; three of them never.
    let all = [name(), name(), name()];
    assert!(all[0] != all[1] || all[1] != all[2]);
}
