use super::*;

#[test]
fn every_step_is_in_one_lane() {
    for (step, lane) in [
        ("clippy", Lane::Development),
        ("wasm", Lane::Development),
        ("release", Lane::Optimised),
        ("action", Lane::Optimised),
    ] {
        let lanes = [Lane::Development, Lane::Optimised].map(|each| each.has(step));
        assert_eq!(lanes, [lane == Lane::Development, lane == Lane::Optimised]);
    }
}
