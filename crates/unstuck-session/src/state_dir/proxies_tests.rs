use super::*;

#[test]
fn a_session_is_guarded_while_a_proxy_that_saw_it_runs_and_enforces() {
    let (_directory, home) = home();
    let registration = home.register_proxy_of(ProxyKind::Llm).unwrap();
    let id = registration.id().to_owned();
    let seen = |session: &str, is_named| ProxySession {
        session: session.to_owned(),
        is_named,
        answered: 1_000_000,
        ..ProxySession::default()
    };
    let status = |mode: &str| ProxyStatus {
        mode: mode.to_owned(),
        sessions: vec![seen("s1", true), seen("s2", false)],
        ..ProxyStatus::default()
    };
    assert!(!home.is_guarded_by_proxy(&id, "s1", 1_000_100));
    registration.write(status("enforce")).unwrap();
    assert!(home.is_guarded_by_proxy(&id, "s1", 1_000_100));
    // Only for a while after an answer: an agent may go past the proxy.
    assert!(home.is_guarded_by_proxy(&id, "s1", 1_000_000 + 300_000));
    assert!(!home.is_guarded_by_proxy(&id, "s1", 1_000_000 + 300_001));
    assert!(!home.is_guarded_by_proxy(&id, "s1", 900_000));
    assert!(!home.is_guarded_by_proxy(&id, "s2", 1_000_100));
    assert!(!home.is_guarded_by_proxy(&id, "s3", 1_000_100));
    assert!(!home.is_guarded_by_proxy("llm-00000000", "s1", 1_000_100));
    assert!(!home.is_guarded_by_proxy(&format!("../proxies/{id}"), "s1", 1_000_100));
    let listed = home.proxies();
    assert_eq!(listed[0].kind(), ProxyKind::Llm);
    registration.write(status("observe")).unwrap();
    assert!(!home.is_guarded_by_proxy(&id, "s1", 1_000_100));
    registration.write(status("enforce")).unwrap();
    let other = home.register_proxy().unwrap();
    other.write(status("enforce")).unwrap();
    assert!(!home.is_guarded_by_proxy(other.id(), "s1", 1_000_100));
    drop(registration);
    assert!(!home.is_guarded_by_proxy(&id, "s1", 1_000_100));
}

fn home() -> (tempfile::TempDir, StateDir) {
    let directory = tempfile::tempdir().unwrap();
    let home = StateDir::at(directory.path());
    (directory, home)
}

fn caller(number: u32, halted: bool) -> HeldCaller {
    HeldCaller {
        server: "s".to_owned(),
        // Every control character takes six bytes of JSON.
        session: format!("{number}{}", "\u{1}".repeat(1_000)),
        halted,
        denials: 1,
        last: i64::from(number),
        ..HeldCaller::default()
    }
}

#[test]
fn a_status_with_long_names_is_read_again_with_the_halted_callers() {
    let (_directory, home) = home();
    let registration = home.register_proxy().unwrap();
    let held = (0..1_000).map(|number| caller(number, number < 5));
    let status = ProxyStatus {
        servers: vec!["s".to_owned()],
        held: held.collect(),
        ..ProxyStatus::default()
    };
    registration.write(status).unwrap();
    let proxies = home.proxies();
    let [listed] = proxies.as_slice() else {
        panic!("{} proxies", proxies.len());
    };
    let last: Vec<_> = listed.held.iter().map(|caller| caller.last).collect();
    assert!(last.len() > 100, "{}", last.len());
    assert_eq!(last[..7], [4, 3, 2, 1, 0, 999, 998]);
}

#[test]
fn a_small_status_keeps_the_order_of_its_callers() {
    let mut status = ProxyStatus {
        held: vec![caller(1, false), caller(2, true), caller(3, false)],
        ..ProxyStatus::default()
    };
    let before = status.clone();
    status.fit().unwrap();
    assert_eq!(status, before);
}

#[test]
fn a_directory_that_a_killed_proxy_left_is_removed_once_it_is_old() {
    let (_directory, home) = home();
    let running = home.register_proxy().unwrap();
    running.write(ProxyStatus::default()).unwrap();
    let root = home.path(DIRECTORY);
    let (unlocked, empty) = (root.join("mcp-00000001"), root.join("mcp-00000002"));
    for directory in [&unlocked, &empty] {
        private_directory(directory).unwrap();
    }
    let lock = private_file(&unlocked.join(LOCK)).unwrap();
    // Their proxies may be about to lock them.
    assert_eq!(home.proxies().len(), 1);
    assert!(unlocked.exists() && empty.exists());
    let long_ago = SystemTime::now() - Duration::from_secs(60);
    lock.set_modified(long_ago).unwrap();
    File::open(&empty).unwrap().set_modified(long_ago).unwrap();
    assert_eq!(home.proxies().len(), 1);
    assert!(!unlocked.exists() && !empty.exists());
    drop(running);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}
