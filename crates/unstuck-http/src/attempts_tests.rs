use std::net::{IpAddr, Ipv6Addr};

use super::*;

fn address(number: u32) -> Peer {
    Peer::from(IpAddr::from(number.to_be_bytes()))
}

#[test]
fn a_peer_gets_brief_answers_and_is_counted_exactly() {
    let attempts = Attempts::default();
    let start = Instant::now();
    let answers: Vec<Answer> = (0..MOST + 5)
        .map(|_| attempts.count(address(1), start))
        .collect();
    assert!(
        answers[..20]
            .iter()
            .all(|answer| *answer == Answer::Unauthorized)
    );
    assert!(
        answers[20..]
            .iter()
            .all(|answer| *answer == Answer::TooMany)
    );
    assert_eq!(attempts.count(address(2), start), Answer::Unauthorized);
    assert_eq!(
        attempts.report(start),
        [
            "25 requests without the right token from 0.0.0.1",
            "1 request without the right token from 0.0.0.2"
        ]
    );
    attempts.count(address(1), start);
    assert!(attempts.report(start).is_empty());
    assert_eq!(
        attempts.report(start + REPORT),
        ["1 request without the right token from 0.0.0.1"]
    );
    assert_eq!(
        attempts.count(address(1), start + WINDOW),
        Answer::Unauthorized
    );
}

#[test]
fn any_number_of_peers_takes_bounded_memory_and_few_lines() {
    let attempts = Attempts::default();
    let start = Instant::now();
    for number in 0..100_000 {
        attempts.count(address(number), start);
    }
    assert!(lock(&attempts.0).peers.len() <= PEERS + 1);
    let lines = attempts.report(start);
    assert_eq!(lines.len(), 11);
    assert_eq!(
        lines[10],
        "99990 requests without the right token from other addresses"
    );
    attempts.report(start + WINDOW);
    assert!(lock(&attempts.0).peers.is_empty());
}

#[test]
fn a_peer_cannot_fail_more_often_from_other_addresses_of_its_own() {
    let start = Instant::now();
    let last = |addresses: &[IpAddr]| {
        let attempts = Attempts::default();
        let answers = addresses
            .iter()
            .map(|address| attempts.count(Peer::from(*address), start));
        let last = answers.last();
        (last, attempts.report(start))
    };
    let here: Vec<IpAddr> = (1..=21).map(|n| IpAddr::from([127, 0, n, 1])).collect();
    let said = "21 requests without the right token from this machine".to_owned();
    assert_eq!(last(&here), (Some(Answer::TooMany), vec![said]));
    let network = |n| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, n, 0, 0, 1));
    let network: Vec<IpAddr> = (1..=21).map(network).collect();
    let said = "21 requests without the right token from 2001:db8::/64".to_owned();
    assert_eq!(last(&network), (Some(Answer::TooMany), vec![said]));
}
