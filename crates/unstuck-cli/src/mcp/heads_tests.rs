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
