use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

const LONG: Duration = Duration::from_mins(1);

#[test]
fn waiting_has_an_end() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lock");
    let held = Lock::take(&path, LONG).unwrap();
    assert!(held.is_exclusive());
    let error = Lock::take(&path, Duration::from_millis(20)).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert!(error.to_string().contains("20 ms"), "{error}");
}

#[test]
fn a_lock_is_handed_on() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lock");
    let inside = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let _lock = Lock::take(&path, LONG).unwrap();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                }
            });
        }
    });
}

#[test]
fn a_file_system_without_locks_is_told_from_trouble() {
    assert!(has_no_locks(&io::ErrorKind::Unsupported.into()));
    #[cfg(target_os = "linux")]
    assert!(has_no_locks(&io::Error::from_raw_os_error(37)));
    assert!(!has_no_locks(&io::ErrorKind::PermissionDenied.into()));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("missing").join("lock");
    let error = Lock::take(&path, LONG).unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
}
