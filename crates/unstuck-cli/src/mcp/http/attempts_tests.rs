use super::*;

fn address(number: u32) -> IpAddr {
    IpAddr::from(number.to_be_bytes())
}

#[test]
fn a_peer_is_slowed_down_and_counted_exactly() {
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
