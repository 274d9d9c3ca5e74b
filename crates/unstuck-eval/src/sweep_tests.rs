use super::*;

#[test]
fn a_number_is_worse_by_two_fifths_of_itself_and_half_a_point() {
    assert!(is_worse(Lower, 0.03, 0.042));
    assert!(!is_worse(Lower, 0.03, 0.041));
    assert!(!is_worse(Lower, 0.001, 0.005));
    assert!(!is_worse(Lower, 0.03, 0.01));
    assert!(is_worse(Higher, 0.5, 0.3));
    assert!(!is_worse(Higher, 0.5, 0.9));
}

#[test]
fn neighbours_of_a_threshold_are_one_apart() {
    let settings = Settings::default();
    let names = |asked: &str| {
        let found = neighbours(&[asked.to_owned()], &settings, &[], None);
        found.map(|all| all.into_iter().map(|one| one.name).collect::<Vec<_>>())
    };
    assert_eq!(
        names("exact-repeat.nudge").unwrap(),
        ["exact-repeat.nudge = 2", "exact-repeat.nudge = 4"]
    );
    // Zero is off, which is not a neighbour.
    assert_eq!(names("chant.nudge").unwrap(), ["chant.nudge = 2"]);
    assert!(matches!(names("nothing"), Err(SweepError::Rule(_))));
    assert!(matches!(names("chant.nothing"), Err(SweepError::Option(_))));
}
