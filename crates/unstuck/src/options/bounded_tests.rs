use super::*;

type Percent = Bounded<1, 100>;

#[test]
fn it_is_written_and_read_as_a_number() {
    let percent = Percent::of::<60>();
    assert_eq!(serde_json::to_string(&percent).unwrap(), "60");
    assert_eq!(serde_json::from_str::<Percent>("60").unwrap(), percent);
    assert_eq!(serde_json::from_str::<Percent>("1").unwrap().get(), 1);
    assert_eq!(serde_json::from_str::<Percent>("100").unwrap().get(), 100);
}

#[test]
fn a_number_out_of_bounds_is_told_the_bounds() {
    for number in ["0", "101"] {
        let error = serde_json::from_str::<Percent>(number).unwrap_err();
        let expected = format!("{number} is not a whole number from 1 to 100");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
