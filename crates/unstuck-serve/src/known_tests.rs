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

#[test]
fn calls_that_ended_push_no_call_out() {
    let place = || {
        let keys = Keys::new(b"");
        let print = Fingerprinter::default().action("fetch", &Json::string("a"));
        (keys.swarm("crew"), keys.call(&print))
    };
    let name = |id: &str| -> Name { ("s".into(), "main".into(), id.into()) };
    let mut open = OpenCalls::default();
    open.begin(name("slow"), place());
    for number in 0..5 * MOST {
        let name = name(&number.to_string());
        open.begin(name.clone(), place());
        assert!(open.end(&name).is_some());
    }
    assert!(open.order.len() <= 2 * MOST);
    assert!(open.end(&name("slow")).is_some());
    // The oldest goes where too many are open.
    for number in 0..=MOST {
        open.begin(name(&number.to_string()), place());
    }
    assert!(open.end(&name("0")).is_none());
    assert!(open.end(&name("1")).is_some());
}

#[test]
fn a_name_that_is_given_again_is_the_newer_call() {
    let name = |id: &str| -> Name { ("s".into(), "main".into(), id.into()) };
    let place = {
        let keys = Keys::new(b"");
        let print = Fingerprinter::default().action("fetch", &Json::string("a"));
        (keys.swarm("crew"), keys.call(&print))
    };
    let mut open = OpenCalls::default();
    open.begin(name("again"), place);
    assert!(open.end(&name("again")).is_some());
    for number in 0..MOST - 1 {
        open.begin(name(&number.to_string()), place);
    }
    open.begin(name("again"), place);
    open.begin(name("more"), place);
    assert!(open.end(&name("again")).is_some());
}
