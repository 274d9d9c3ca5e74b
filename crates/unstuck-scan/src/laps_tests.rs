use super::*;

#[test]
fn calls_are_in_laps_of_the_period() {
    let laps = Laps::new(vec![3, 5, 8, 9, 12], 2);
    let of: Vec<_> = (2..=12).map(|call| laps.of(call)).collect();
    assert_eq!(of, [0, 1, 0, 1, 0, 0, 2, 2, 0, 0, 3]);
    let ends: Vec<_> = (0..=4).map(|lap| laps.end(lap)).collect();
    assert_eq!(ends, [None, Some(5), Some(9), Some(12), None]);
}

#[test]
fn a_loop_without_calls_has_no_laps() {
    let laps = Laps::default();
    assert!(laps.is_empty());
    assert_eq!((laps.of(1), laps.end(1)), (0, None));
}
