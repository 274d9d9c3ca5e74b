use super::*;

#[test]
fn names_are_read_by_their_words_however_they_are_joined() {
    for name in ["read_file", "ReadFile", "fs__read-file", "fs.read", "READ"] {
        let reads = ToolName::READS | ToolName::LOOKS;
        assert_eq!(ToolName::of(name), reads, "{name}");
    }
    for name in [
        "",
        "readable",
        "spreadsheet",
        "__",
        "überread",
        "acknowledgement",
    ] {
        assert_eq!(ToolName::of(name), ToolName::default(), "{name}");
    }
}

#[test]
fn a_name_says_what_all_its_words_say() {
    let name = ToolName::of("read_or_write");
    assert!(name.says(ToolName::READS) && name.says(ToolName::WRITES));
    let name = ToolName::of("SendToAgent");
    assert!(name.says(ToolName::AGENTS | ToolName::TELLS));
    assert!(name.says(ToolName::WRITES | ToolName::WRITES_IN_PART));
    assert!(!name.says(ToolName::AGENTS | ToolName::HANDS_OVER));
    assert!(ToolName::of("wait_then_sleep").says(ToolName::WAITS | ToolName::SLEEPS));
}
