use super::*;

#[test]
fn precision_and_recall_need_something_to_divide_by() {
    let nothing = Prf::new(0, 0, 0);
    assert_eq!(
        (nothing.precision, nothing.recall, nothing.f1),
        (None, None, None)
    );
    let silent = Prf::new(0, 0, 3);
    assert_eq!(
        (silent.precision, silent.recall, silent.f1),
        (None, Some(0.0), Some(0.0))
    );
    let wrong = Prf::new(0, 2, 3);
    assert_eq!(
        (wrong.precision, wrong.recall, wrong.f1),
        (Some(0.0), Some(0.0), Some(0.0))
    );
    let only_wrong = Prf::new(0, 2, 0);
    assert_eq!(
        (only_wrong.precision, only_wrong.recall, only_wrong.f1),
        (Some(0.0), None, None)
    );
    let some = Prf::new(3, 1, 2);
    assert_eq!((some.precision, some.recall), (Some(0.75), Some(0.6)));
    assert_eq!(some.f1, Some(2.0 * 0.75 * 0.6 / (0.75 + 0.6)));
}
