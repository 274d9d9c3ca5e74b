use super::*;

fn close(interval: Option<Interval>, low: f64, high: f64) -> bool {
    interval.is_some_and(|found| (found.low - low).abs() < 5e-4 && (found.high - high).abs() < 5e-4)
}

#[test]
fn shares_of_counts_have_wilsons_interval() {
    assert!(close(wilson(0, 371), 0.0, 0.0102));
    assert!(close(wilson(14, 433), 0.0194, 0.0535));
    assert!(close(wilson(5, 5), 0.5655, 1.0));
    assert_eq!(wilson(0, 0), None);
}

#[test]
fn a_share_of_sums_is_between_the_bounds_of_its_bootstrap() {
    let groups: Vec<[f64; 2]> = (0..200).map(|n| [f64::from(n % 4), 4.0]).collect();
    let share = |sums: &[f64; 2]| Some(sums[0] / sums[1]);
    let interval = bootstrap(&groups, share).unwrap();
    assert!(interval.low > 0.33 && interval.low < 0.375, "{interval:?}");
    assert!(
        interval.high > 0.375 && interval.high < 0.42,
        "{interval:?}"
    );
    assert_eq!(bootstrap(&groups, share), Some(interval));
    assert_eq!(bootstrap(&groups[..1], share), None);
}
