use super::*;

fn peer(address: &str) -> Peer {
    Peer::from(address.parse::<IpAddr>().unwrap())
}

#[test]
fn addresses_that_a_client_can_vary_are_one_peer() {
    for here in ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"] {
        assert_eq!(peer(here), Peer::Here);
    }
    assert_eq!(peer("::ffff:192.0.2.7"), peer("192.0.2.7"));
    assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
    assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
    assert_eq!(peer("2001:db8::1").to_string(), "peer-2001:db8::/64");
}
