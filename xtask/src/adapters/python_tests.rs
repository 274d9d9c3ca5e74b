use super::*;

#[test]
fn only_passed_tests_count() {
    assert_eq!(passed("....\n16 passed, 1 skipped in 3.10s").unwrap(), 16);
    assert_eq!(passed("16 passed in 3.10s").unwrap(), 16);
    for bad in [
        "1 failed, 15 passed in 3s",
        "2 errors in 1s",
        "16 passed, 1 error in 1s",
        "no tests ran in 0.1s",
        "",
    ] {
        assert!(passed(bad).is_err(), "{bad}");
    }
}
