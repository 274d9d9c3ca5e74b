use super::*;

#[test]
fn the_count_is_found_in_what_valgrind_says() {
    let said = "==1== Events    : Ir\n==1== Collected : 261002442\n==1== \n==1== I   refs:      261,002,442\n";
    assert_eq!(collected(said), Some(261_002_442));
    assert_eq!(collected("valgrind: no such file"), None);
}

#[test]
fn ratios_are_to_the_floor_and_without_the_making_of_lines() {
    let table = table(&[("nothing", 100), ("floor", 300), ("standard", 450)]);
    assert_eq!(
        table,
        "floor                                  200       1.00 x floor\n\
         standard                               350       1.75 x floor\n"
    );
}
