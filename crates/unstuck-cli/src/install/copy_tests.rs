use super::*;

#[test]
fn versions_are_ordered_as_semantic_versioning_orders_them() {
    let ordered = [
        "3.0.9",
        "3.1.4-alpha",
        "3.1.4-alpha.1",
        "3.1.4-alpha.beta",
        "3.1.4-beta.2",
        "3.1.4-beta.11",
        "3.1.4-rc.1",
        "3.1.4",
        "3.2.0",
        "3.10.0",
        "4.0.0",
    ];
    for (at, earlier) in ordered.iter().enumerate() {
        for later in &ordered[at + 1..] {
            assert!(is_newer(later, earlier), "{later} > {earlier}");
            assert!(!is_newer(earlier, later), "{earlier} < {later}");
        }
        assert!(!is_newer(earlier, earlier), "{earlier}");
    }
    assert!(!is_newer("4.0.0+build", "4.0.0"));
    for unreadable in ["", "1", "1.0", "1.0.0.0", "one", "-1.0.0"] {
        assert!(!is_newer(unreadable, "3.1.4"), "{unreadable}");
    }
}

#[test]
fn an_entry_is_found_however_its_file_writes_the_path() {
    let plain = OwnCopy::in_data(Path::new("/home/a/.local/share"));
    assert!(plain.is_named_in("x /home/a/.local/share/unstuck/bin/unstuck-hook hook codex"));
    assert!(!plain.is_named_in("/home/b/.local/share/unstuck/bin/unstuck hook codex"));
    let odd = OwnCopy::in_data(Path::new("/home/o'neil \"x\"/share"));
    for text in [
        r#"{"command": "'/home/o'\\''neil \"x\"/share/unstuck/bin/unstuck' hook codex"}"#,
        r"C:\Users\a\unstuck\bin\unstuck.exe hook codex",
        r#""C:\\Users\\a\\unstuck\\bin\\unstuck.exe""#,
    ] {
        assert!(odd.is_named_in(text), "{text}");
    }
    assert!(!odd.is_named_in("/usr/bin/unstuck hook codex"));
}
