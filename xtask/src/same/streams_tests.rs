use super::*;

#[test]
fn the_streams_of_this_repository_are_found() {
    let shell = Shell::at_repository_root().unwrap();
    let place = std::env::temp_dir().join(format!("unstuck-streams-{}", std::process::id()));
    let kinds = [Kind::Vectors, Kind::Cases, Kind::Examples, Kind::Fuzz];
    let streams = gather(&shell, &place, &kinds, &[]).unwrap();
    let names: Vec<_> = streams.iter().map(ToString::to_string).collect();
    for name in [
        "vectors/attocode",
        "vectors/canonical",
        "vectors/messages",
        "cases/reported-cases",
        "cases/polls",
        "examples/stuck",
        "examples/research-team",
        "fuzz/event_parsing-seeds-1",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert!(streams.iter().all(|stream| stream.events > 0));
    let fuzz = streams
        .iter()
        .find(|stream| stream.kind == Kind::Fuzz)
        .unwrap();
    let bytes = fs::read(&fuzz.path).unwrap();
    assert!(bytes.ends_with(RESET));
    fs::remove_dir_all(&place).unwrap();
}

#[test]
fn blank_lines_and_a_byte_order_mark_are_not_events() {
    let path = std::env::temp_dir().join(format!("unstuck-lines-{}", std::process::id()));
    fs::write(&path, "\u{feff}\n \r\n{\"event\":\"turn\"}\r\n\nbroken").unwrap();
    assert_eq!(count_events(&path).unwrap(), 2);
    assert_eq!(
        line_of(&path, 3).unwrap().as_deref(),
        Some("{\"event\":\"turn\"}")
    );
    assert_eq!(line_of(&path, 5).unwrap().as_deref(), Some("broken"));
    assert_eq!(line_of(&path, 6).unwrap(), None);
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_stream_is_named_like_its_file() {
    assert_eq!(stem(Path::new("/x/public.norm.jsonl.xz")), "public");
    assert_eq!(stem(Path::new("stuck.jsonl")), "stuck");
}
