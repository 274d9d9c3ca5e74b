use super::is_unique;

#[test]
fn ids_of_providers_are_unique_and_counters_are_not() {
    for id in [
        "toolu_01A09q90qw90lq917835lq9",
        "call_mRVZTxlHSwJ5TU2kkkOBmzIK4",
        "0d6b1b4e-53cb-4bbf-8aef-5f1f1a6f5f3c",
        "run_shell_command-1754398476234-a1b2c3d4",
    ] {
        assert!(is_unique(id), "{id}");
    }
    for id in [
        "",
        "1",
        "call_1",
        "unnamed-12",
        "functions.execute_command:12",
        "step-1234",
        "call_00000000000000000001",
    ] {
        assert!(!is_unique(id), "{id}");
    }
}
