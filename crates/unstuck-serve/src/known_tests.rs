use unstuck::Json;

use super::*;

#[test]
fn failures_are_alike_if_only_numbers_differ() {
    let how = |text: &str| likeness(&Outcome::error("1", Json::string(text)));
    let refused = "connect to 10.0.0.1:443 refused at 12:33:01";
    assert_eq!(
        how(refused),
        how("connect to 10.0.0.2:443 refused at 12:35:59")
    );
    assert_ne!(
        how(refused),
        how("connect to 10.0.0.1:443 timed out at 12:33:01")
    );
}
