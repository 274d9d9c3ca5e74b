use super::*;

#[test]
fn the_audit_is_counted() {
    let log = concat!(
        r#"{"line":1,"event":"forward","call":1}"#,
        "\n",
        r#"{"line":2,"event":"call","call":1,"outcome":"ok"}"#,
        "\n",
        r#"{"line":3,"event":"call","call":2,"outcome":"denied"}"#,
        "\n",
    );
    let counted = Audit {
        calls: 2,
        forwarded: 1,
        denied: 1,
    };
    assert_eq!(audit(log).unwrap(), counted);
    assert!(audit("no log").is_err());
}

#[test]
fn a_loop_that_goes_on_or_is_not_recorded_is_not_good() {
    let good = || Looping {
        nudged: Some(3),
        denied: Some(6),
        calls: 40,
        audit: Audit {
            calls: 40,
            forwarded: 5,
            denied: 35,
        },
    };
    assert!(good().is_good());
    let bad: [fn(&mut Looping); 5] = [
        |seen| seen.nudged = None,
        |seen| seen.denied = None,
        |seen| seen.audit.calls = 39,
        |seen| (seen.audit.forwarded, seen.audit.denied) = (30, 10),
        |seen| seen.calls = 41,
    ];
    for spoil in bad {
        let mut seen = good();
        spoil(&mut seen);
        assert!(!seen.is_good(), "{seen:?}");
    }
}
