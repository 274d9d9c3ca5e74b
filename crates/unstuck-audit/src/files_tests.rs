use std::io::Read as _;

use super::*;

/// Contents of the files that follow this one.
fn walk(mut file: File, path: &Path) -> Vec<String> {
    let mut contents = Vec::new();
    while let Some(mut next) = open_next_log(&file, path).unwrap() {
        let mut text = String::new();
        next.read_to_string(&mut text).unwrap();
        contents.push(text);
        file = next;
    }
    contents
}

#[test]
fn a_log_that_was_rotated_several_times_is_followed_file_by_file() {
    let name = format!("unstuck-audit-{}-follow-files", std::process::id());
    let directory = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join("audit.jsonl");
    let write = |text: &str| fs::write(&path, text).unwrap();
    let rotate = |number| fs::rename(&path, numbered(&path, number)).unwrap();
    write("one");
    let first = open_log(&path).unwrap();
    assert!(open_next_log(&first, &path).unwrap().is_none());
    rotate(9);
    // The next file is not there yet.
    assert!(open_next_log(&first, &path).unwrap().is_none());
    write("two");
    rotate(10);
    write("three");
    rotate(11);
    write("four");
    let again = open_log(&numbered(&path, 9)).unwrap();
    assert_eq!(walk(first, &path), ["two", "three", "four"]);
    // A file that is not part of the log any more: it goes on with the oldest that is.
    fs::remove_file(numbered(&path, 9)).unwrap();
    fs::remove_file(numbered(&path, 10)).unwrap();
    assert_eq!(walk(again, &path), ["three", "four"]);
}
