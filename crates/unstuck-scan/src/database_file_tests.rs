use std::{process::Command, sync::mpsc};

use super::*;

/// A FIFO that takes the place of a file after its kind was checked.
#[test]
fn a_fifo_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fifo");
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let copy = directory.path().join("copy");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send((header(&path).is_err(), copy_file(&path, &copy).is_err()));
    });
    let ended = receiver.recv_timeout(Duration::from_secs(30));
    assert_eq!(ended, Ok((true, true)));
}
