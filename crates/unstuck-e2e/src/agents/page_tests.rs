use super::*;
use crate::agents::known::ALL;

fn not_seen() -> Seen {
    Seen::not_runnable(ALL[0], "no npm".to_owned())
}

fn good() -> Seen {
    Seen {
        looping: Guarded {
            nudged: Some(3),
            denied: Some(5),
            calls: 8,
            attempts: 4,
            ended: Ending::Stopped,
            trouble: None,
        },
        healthy: Healthy {
            calls: HEALTHY_CALLS,
            disturbed: 0,
            trouble: None,
        },
        why_not: None,
        ..not_seen()
    }
}

#[test]
fn what_was_not_seen_is_not_called_passed() {
    assert_eq!(not_seen().outcome(), Outcome::NotSeen);
    assert!(table(&[not_seen()]).contains("could not be run here"));
    assert_eq!(good().outcome(), Outcome::Passed);
    assert!(
        table(&[good()])
            .contains("| after call 3 | after call 5 | 8, 4 | was ended | left alone |")
    );
    let mut bad = good();
    bad.looping.denied = None;
    assert_eq!(bad.outcome(), Outcome::Failed);
    assert!(table(&[bad]).contains("**no**"));
}

#[test]
fn rows_of_others_stay_in_the_page() {
    let page = format!(
        "# Hosts\n{START}\n| host |\n|---|\n| other | row |\n| claude-code | old |\n{END}\nmore\n"
    );
    let new = replaced(&page, START, &table(&[good()])).unwrap();
    assert!(
        new.contains("| other | row |") && !new.contains("old"),
        "{new}"
    );
    assert!(new.starts_with("# Hosts\n") && new.ends_with("more\n"));
    assert_eq!(replaced(&new, START, &table(&[good()])).unwrap(), new);
    assert_eq!(replaced("no marks", START, &table(&[])), None);
}
