use super::*;

#[test]
fn a_rollback_restores_the_committed_value() {
    let mut value = PerTurn::<Vec<u32>>::default();
    value.push(1);
    value.commit();
    value.push(2);
    assert_eq!(*value, [1, 2]);
    value.rollback();
    assert_eq!(*value, [1]);
    value.rollback();
    assert_eq!(*value, [1]);
}

#[test]
fn without_a_commit_a_rollback_restores_the_default() {
    let mut value = PerTurn::<u32>::default();
    *value = 7;
    value.rollback();
    assert_eq!(*value, 0);
}

#[test]
fn a_restart_is_undone_by_a_rollback_until_it_is_committed() {
    let mut value = PerTurn::<u32>::default();
    *value = 7;
    value.commit();
    value.restart();
    assert_eq!(*value, 0);
    value.rollback();
    assert_eq!(*value, 7);
    value.restart();
    value.commit();
    value.rollback();
    assert_eq!(*value, 0);
}

#[test]
fn both_values_are_stored() {
    let mut value = PerTurn::<u32>::default();
    *value = 7;
    value.commit();
    *value = 8;
    let stored = postcard::to_allocvec(&value).unwrap();
    let mut read: PerTurn<u32> = postcard::from_bytes(&stored).unwrap();
    assert_eq!(*read, 8);
    read.rollback();
    assert_eq!(*read, 7);
}
