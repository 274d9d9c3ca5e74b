use super::*;

#[test]
fn targets_are_read() {
    let read = |text: &str| text.parse::<HeadTarget>();
    assert_eq!(read("file:/a b"), Ok(HeadTarget::File("/a b".into())));
    assert_eq!(
        read("command:logger -t  audit"),
        Ok(HeadTarget::Command(vec![
            "logger".into(),
            "-t".into(),
            "audit".into()
        ]))
    );
    #[cfg(unix)]
    assert_eq!(read("syslog"), Ok(HeadTarget::Syslog));
    for text in [
        "",
        "file:",
        "command:",
        "command: ",
        "heads.jsonl",
        "syslog:x",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_command_gets_the_head_and_ends_in_time() {
    let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
    assert!(run(&words("grep -q head"), "a head").is_ok());
    assert!(run(&words("grep -q other"), "a head").is_err());
    // No shell reads it.
    assert!(run(&words("true; false"), "a head").is_err());
    assert!(run(&words("true"), "a head").is_ok());
}

#[test]
fn a_head_that_no_target_took_is_sent_again_at_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("later");
    let path = missing.join("heads");
    let head = Head::parse(&format!("1 {}", "0".repeat(64))).unwrap();
    let slot = Arc::new((Mutex::new(Slot::default()), Condvar::new()));
    lock(&slot.0).newest = Some((head, 0));
    let pace = HeadPace {
        interval: Duration::from_hours(1),
        lines: 10,
    };
    let (shared, target) = (
        Arc::clone(&slot),
        Target::new(HeadTarget::File(path.clone()), Notify::silent()),
    );
    let thread = thread::spawn(move || send_all(&shared, "audit", vec![target], pace));
    while lock(&slot.0).tried.is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    // It is not tried in a loop.
    assert!(!lock(&slot.0).is_due(pace.lines));
    thread::sleep(Duration::from_millis(50));
    std::fs::create_dir(&missing).unwrap();
    lock(&slot.0).is_over = true;
    slot.1.notify_one();
    thread.join().unwrap();
    assert_eq!(lock(&slot.0).sent, Some((head, 0)));
    let sent = std::fs::read_to_string(path).unwrap();
    assert_eq!(sent.lines().count(), 1, "{sent}");
}
