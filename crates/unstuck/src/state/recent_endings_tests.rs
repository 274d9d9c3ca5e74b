use super::*;

#[test]
fn shares_are_of_the_calls_there_were() {
    let mut endings = RecentEndings::default();
    assert_eq!(endings.failed(20), Share { count: 0, of: 0 });
    endings.record(Ending::Failure, Novelty::New);
    endings.record(Ending::Neither, Novelty::Known);
    endings.record(Ending::Success, Novelty::Known);
    assert_eq!(endings.failed(20), Share { count: 1, of: 3 });
    assert_eq!(endings.known(20), Share { count: 1, of: 3 });
    assert_eq!(endings.fruitless(20), Share { count: 2, of: 3 });
    assert_eq!(endings.fruitless(2), Share { count: 1, of: 2 });
    for _ in 0..40 {
        endings.record(Ending::Failure, Novelty::New);
    }
    assert_eq!(endings.failed(32), Share { count: 32, of: 32 });
    assert_eq!(endings.failed(40), Share { count: 32, of: 32 });
}
