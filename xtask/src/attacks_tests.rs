use super::*;

const LOG: &str = "running 3 tests\n\
test attacks::audit::a4_a_removed_log_denies_calls ... ok\n\
test attacks::audit::a10_later ... FAILED\n\
test attacks::trust::s1_doctor_runs_no_command ... ok\n\
test result: FAILED. 2 passed; 1 failed; 0 ignored\n";

#[test]
fn results_are_read_from_the_lines_of_the_test_runner() {
    let results = parse(LOG);
    assert_eq!(results.len(), 3);
    assert_eq!(results["a10_later"], Withstood::No);
    assert_eq!(count(&results, Withstood::Yes), 2);
    assert_eq!(
        complaints(&results, None),
        ["the attack succeeded: a10_later"]
    );
}

#[test]
fn rows_are_sorted_by_group_and_number() {
    let results = parse(LOG);
    let table = table(&results, Some(&parse("test attacks::x::a10_later ... ok")));
    assert_eq!(
        table.lines().skip(2).collect::<Vec<_>>(),
        [
            "| A4 | a removed log denies calls | yes | not run |",
            "| A10 | later | no | yes |",
            "| S1 | doctor runs no command | yes | not run |",
        ]
    );
}

#[test]
fn a_test_that_passes_on_the_weak_binary_proves_nothing() {
    let beside = parse("test attacks::x::a10_later ... ok\ntest attacks::x::held_before ... ok");
    let complaints = complaints(&Results::new(), Some(&beside));
    assert_eq!(
        complaints,
        ["passes beside as well, so it proves nothing: a10_later"]
    );
}

#[test]
fn a_test_that_was_skipped_is_not_run() {
    let log = format!(
        "{LOG}successes:\n\n---- attacks::audit::a4_a_removed_log_denies_calls stdout ----\n\
         skipped: there is no C compiler for this system\n\n\n"
    );
    let results = parse(&log);
    assert_eq!(results["a4_a_removed_log_denies_calls"], Withstood::NotRun);
    assert_eq!(count(&results, Withstood::Yes), 1);
    assert!(table(&results, None).contains("| A4 | a removed log denies calls | not run |"));
    let beside = complaints(&Results::new(), Some(&results));
    assert_eq!(
        beside,
        ["passes beside as well, so it proves nothing: s1_doctor_runs_no_command"]
    );
}
