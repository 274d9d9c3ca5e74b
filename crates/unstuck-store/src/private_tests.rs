#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn links_and_fifos_are_not_opened() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("target");
    fs::write(&target, "x").unwrap();
    let link = home.path().join("link");
    symlink(&target, &link).unwrap();
    let fifo = home.path().join("fifo");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for odd in [&link, &fifo] {
        assert!(is_not_a_file(&open_regular(odd).unwrap_err()), "{odd:?}");
        assert!(is_not_a_file(&open_log(odd).unwrap_err()), "{odd:?}");
        assert!(read_trusted(odd, 10).is_err());
    }
    // A lock is put in their place, and what the link led to is left alone.
    for odd in [&link, &fifo] {
        assert_eq!(open_lock(odd).unwrap().1, Found::Replaced);
        assert!(fs::symlink_metadata(odd).unwrap().is_file());
        assert_eq!(open_lock(odd).unwrap().1, Found::Usable);
    }
    assert_eq!(fs::read(&target).unwrap(), b"x");
}

#[test]
fn a_directory_in_the_place_of_a_file_is_moved_aside() {
    let home = tempfile::tempdir().unwrap();
    for name in ["lock", "a.state", "a.new"] {
        fs::create_dir_all(home.path().join(name).join("with/contents")).unwrap();
    }
    let (_, found) = open_lock(&home.path().join("lock")).unwrap();
    assert_eq!(found, Found::Replaced);
    let state = home.path().join("a.state");
    crate::replace::replace(&state, b"x").unwrap();
    assert_eq!(fs::read(&state).unwrap(), b"x");
    let kept = fs::read_dir(home.path()).unwrap().flatten();
    let kept = kept.filter(|entry| entry.path().join("with/contents").is_dir());
    assert_eq!(kept.count(), 3);
}

#[test]
fn a_lock_that_cannot_be_opened_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    fs::write(&path, "").unwrap();
    set_mode(&path, 0o0);
    let (_, found) = open_lock(&path).unwrap();
    // The superuser opens everything.
    let is_root = nix::unistd::geteuid().is_root();
    assert_eq!(found == Found::Usable, is_root);
}

#[test]
fn files_that_others_can_write_are_not_trusted() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("mode");
    assert_eq!(read_trusted(&path, 10).unwrap(), None);
    fs::write(&path, "off").unwrap();
    set_mode(&path, 0o666);
    assert!(read_trusted(&path, 10).is_err());
    set_mode(&path, 0o644);
    assert_eq!(read_trusted(&path, 10).unwrap().unwrap(), b"off");
    assert!(read_trusted(&path, 2).is_err());
    set_mode(home.path(), 0o777);
    assert!(read_trusted(&path, 10).is_err());
    assert_eq!(mode(home.path()), 0o755);
}

#[test]
fn what_is_created_is_private() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("a").join("b");
    ensure_private(&directory).unwrap();
    assert_eq!(
        (mode(&directory), mode(&home.path().join("a"))),
        (0o700, 0o700)
    );
    set_mode(&directory, 0o777);
    ensure_private(&directory).unwrap();
    assert_eq!(mode(&directory), 0o700);
    let path = directory.join("file");
    create_private(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
    set_mode(&path, 0o644);
    open_log(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn a_directory_for_programs_is_a_directory_of_this_user_alone() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("bin");
    program_directory(&directory).unwrap();
    assert_eq!(mode(&directory), 0o755);
    set_mode(&directory, 0o777);
    program_directory(&directory).unwrap();
    assert_eq!(mode(&directory), 0o755);
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&directory, &link).unwrap();
    let error = program_directory(&link).unwrap_err().to_string();
    assert!(error.contains("it is a link or a file"), "{error}");
    assert!(program_directory(&home.path().join("a").join("b")).is_err());
}
