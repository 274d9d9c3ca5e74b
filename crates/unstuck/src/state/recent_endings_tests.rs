use super::*;

#[test]
fn shares_are_of_the_calls_there_were() {
    let mut lately = Lately::default();
    assert_eq!(lately.failed(20), Share { count: 0, of: 0 });
    lately.record(Ending::Failure, Novelty::New);
    lately.record(Ending::Neither, Novelty::Known);
    lately.record(Ending::Success, Novelty::Known);
    assert_eq!(lately.failed(20), Share { count: 1, of: 3 });
    assert_eq!(lately.known(20), Share { count: 1, of: 3 });
    assert_eq!(lately.fruitless(20), Share { count: 2, of: 3 });
    assert_eq!(lately.fruitless(2), Share { count: 1, of: 2 });
    for _ in 0..40 {
        lately.record(Ending::Failure, Novelty::New);
    }
    assert_eq!(lately.failed(32), Share { count: 32, of: 32 });
    assert_eq!(lately.failed(40), Share { count: 32, of: 32 });
}
