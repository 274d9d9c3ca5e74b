//! The store of files passes the test suite of stores.

use unstuck_store::{Store, testing};

#[test]
fn files_are_a_session_store() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("sessions"));
    testing::session_store(|| store.unlock().unwrap());
}
