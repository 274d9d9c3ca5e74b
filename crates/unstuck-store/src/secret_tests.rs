use std::thread;

use super::*;

fn key(session: &str) -> Key<'_> {
    Key {
        host: "claude-code",
        session,
        agent: "main",
    }
}

#[test]
fn processes_that_start_at_once_share_one_key() {
    let home = tempfile::tempdir().unwrap();
    let keys: Vec<_> = thread::scope(|scope| {
        let made: Vec<_> = (0..64)
            .map(|_| scope.spawn(|| Secret::of(home.path()).unwrap()))
            .collect();
        made.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]));
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn names_and_seals_depend_on_the_key() {
    let (one, other) = (Secret([1; 32]), Secret([2; 32]));
    assert_eq!(one.name(&key("a")), one.name(&key("a")));
    assert_ne!(one.name(&key("a")), other.name(&key("a")));
    assert_ne!(one.name(&key("a")), one.name(&key("b")));
    // Where one name ends and the next begins matters.
    let shifted = Key {
        session: "am",
        agent: "ain",
        ..key("")
    };
    assert_ne!(one.name(&key("a")), one.name(&shifted));
    assert_ne!(one.seal("n", [b"a", b"b"]), other.seal("n", [b"a", b"b"]));
    assert_ne!(one.seal("n", [b"a", b"b"]), one.seal("m", [b"a", b"b"]));
    assert_ne!(one.seal("n", [b"a", b"b"]), one.seal("n", [b"ab", b""]));
    assert_ne!(one.derive("a"), one.derive("b"));
    assert_eq!(format!("{one:?}"), "Secret");
}

#[test]
fn what_is_not_a_key_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(FILE);
    for bytes in [&b""[..], b"short", &[0; 33]] {
        fs::write(&path, bytes).unwrap();
        let (made, origin) = Secret::of(home.path()).unwrap();
        assert_eq!(origin, Origin::Replaced);
        assert_eq!(Secret::of(home.path()).unwrap(), (made, Origin::Kept));
    }
    #[cfg(unix)]
    {
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert_eq!(Secret::of(home.path()).unwrap().1, Origin::Replaced);
        assert!(!home.path().join("elsewhere").exists());
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir_all(path.join("with/contents")).unwrap();
    let (made, origin) = Secret::of(home.path()).unwrap();
    assert_eq!(origin, Origin::Replaced);
    assert_eq!(Secret::of(home.path()).unwrap(), (made, Origin::Kept));
}

#[cfg(unix)]
#[test]
fn a_key_that_cannot_be_read_is_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(FILE);
    let (first, _) = Secret::of(home.path()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    let (second, origin) = Secret::of(home.path()).unwrap();
    // The superuser reads everything.
    if nix::unistd::geteuid().is_root() {
        assert_eq!((second, origin), (first, Origin::Kept));
    } else {
        assert_ne!(second, first);
        assert_eq!(origin, Origin::Replaced);
        assert_eq!(Secret::of(home.path()).unwrap(), (second, Origin::Kept));
    }
}
