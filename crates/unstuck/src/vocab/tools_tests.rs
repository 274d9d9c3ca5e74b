use super::*;

#[test]
fn names_are_read_by_their_words_however_they_are_joined() {
    for name in ["read_file", "ReadFile", "fs__read-file", "fs.read", "READ"] {
        let reads = ToolWords::READS.and(ToolWords::LOOKS);
        assert_eq!(ToolWords::of(name), reads, "{name}");
    }
    for name in [
        "",
        "readable",
        "spreadsheet",
        "__",
        "überread",
        "acknowledgement",
    ] {
        assert_eq!(ToolWords::of(name), ToolWords::default(), "{name}");
    }
}

#[test]
fn a_name_says_what_all_its_words_say() {
    let name = ToolWords::of("read_or_write");
    assert!(name.say(ToolWords::READS) && name.say(ToolWords::WRITES));
    let name = ToolWords::of("SendToAgent");
    assert!(name.say(ToolWords::AGENTS.and(ToolWords::TELLS)));
    assert!(name.say(ToolWords::WRITES.and(ToolWords::WRITES_IN_PART)));
    assert!(!name.say(ToolWords::AGENTS.and(ToolWords::HANDS_OVER)));
    assert!(ToolWords::of("wait_then_sleep").say(ToolWords::WAITS.and(ToolWords::SLEEPS)));
}
