use super::*;

#[test]
fn counts_stop_and_never_run_into_each_other() {
    for length in [0, 1, 126, 127, 128, 254, 255, 256, 5_000] {
        let text = "1A-: $é".repeat(length);
        let counts = Counts::of(&text);
        for kind in [DIGIT, UPPER, DASH, COLON, SPACE, SIGN, DOLLAR, FOREIGN] {
            for least in 0..128 {
                let holds = length * if kind == FOREIGN { 2 } else { 1 };
                let reaches = least <= holds.min(MOST);
                assert_eq!(
                    counts.reach(kind.times(least as u64)),
                    reaches,
                    "{kind:?} {length} {least}"
                );
            }
        }
    }
}

#[test]
fn every_need_has_to_be_met() {
    let needs = DIGIT.times(2).and(SIGN);
    for (text, met) in [
        ("a12#", true),
        ("12", false),
        ("1#", false),
        ("1#2$3", true),
        ("", false),
    ] {
        assert_eq!(Counts::of(text).reach(needs), met, "{text}");
    }
    assert!(Counts::of("").reach(NOTHING));
}
