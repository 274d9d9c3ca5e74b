use super::*;

fn timed(name: &'static str, times: &[u64]) -> Contender {
    Contender {
        times: times.iter().copied().map(Duration::from_micros).collect(),
        ..contender(name, PathBuf::new(), &[])
    }
}

#[test]
fn everything_is_compared_with_the_first_and_with_true() {
    let mut contenders = [
        timed("empty", &[500, 400, 600]),
        timed("hook", &[1_500, 1_000, 3_000]),
        timed("true", &[1_000, 1_000, 1_000]),
    ];
    assert_eq!(
        table(&mut contenders),
        "| | p50 | p99 | p50, x empty | p99, x empty | p50, x `true` |\n|---|---|---|---|---|---|\n\
         | empty | 0.50 ms | 0.60 ms | 1.0 | 1.0 | 0.5 |\n\
         | hook | 1.50 ms | 3.00 ms | 3.0 | 5.0 | 1.5 |\n\
         | true | 1.00 ms | 1.00 ms | 2.0 | 1.7 | 1.0 |\n"
    );
}

#[test]
fn inputs_are_json() {
    for input in [before("s", 1), after("s", 1)] {
        let value: serde_json::Value = serde_json::from_str(&input).unwrap();
        assert_eq!(value["session_id"], "s");
    }
}

#[test]
fn options_are_read() {
    let parse = crate::parsed::<Options>;
    assert_eq!(parse(&["--rounds", "7"]).unwrap().rounds.get(), 7);
    assert_eq!(parse(&[]).unwrap().rounds.get(), 400);
    assert_eq!(parse(&[]).unwrap().sessions, 10_000);
    assert!(parse(&["--rounds", "0"]).is_err());
    assert!(parse(&["fast"]).is_err());
}
