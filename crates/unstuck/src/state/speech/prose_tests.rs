use super::*;

/// Prose as it is read: `¶` ends a line, `▢` stands for a block.
fn read(text: &str) -> String {
    let mut prose = Prose::default();
    let mut signs = String::new();
    for character in text.chars() {
        prose.read(character, &mut |sign| {
            signs.push(match sign {
                Sign::Letter(letter) => letter,
                Sign::Gap => ' ',
                Sign::LineEnd => '¶',
                Sign::Block(_) => '▢',
            });
        });
    }
    signs
}

#[test]
fn white_space_is_one_gap() {
    assert_eq!(read("one  two\tthree"), "one two three");
    assert_eq!(read("one\n\n\ntwo"), "one¶ two");
    assert_eq!(read("one\r\ntwo"), "one¶ two");
}

#[test]
fn marks_in_front_of_words_are_dropped() {
    assert_eq!(
        read("## Title\n> said\n**bold** move"),
        "Title¶ said¶ bold** move"
    );
}

#[test]
fn code_lists_tables_and_json_are_one_block() {
    for block in [
        "```rust\nfn a() {}\n\nfn b() {}\n```\n",
        "~~~\ncode\n```\ncode\n~~~\n",
        "    indented\n\tindented\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "╭──╮\n│ a │\n╰──╯\n",
        "- a\n* b\n+ c\n• d\n",
        "1. a\n2) b\n10. c\n",
        "{\n  \"a\": 1,\n  \"b\": [\n  2,\n  ]\n}\n",
        "[{\"a\": 1}]\n",
    ] {
        assert_eq!(
            read(&format!("before\n{block}after")),
            "before¶▢ after",
            "{block}"
        );
    }
}

#[test]
fn rulers_are_nothing_at_all() {
    assert_eq!(
        read("before\n-----\n=====\n* * *\n***\nafter"),
        "before¶▢ after"
    );
    assert_eq!(read("before\n-----\n=====\n___\nafter"), "before¶ after");
}

#[test]
fn numbers_are_words() {
    assert_eq!(read("12345\n\n12345 7"), "12345¶ 12345 7");
    assert_eq!(read("3.14 is pi\n42\n"), "3.14 is pi¶ 42¶");
}

#[test]
fn equal_blocks_have_equal_stand_ins() {
    let block = |text: &str| {
        let mut prose = Prose::default();
        let mut blocks = Vec::new();
        for character in text.chars() {
            prose.read(character, &mut |sign| {
                if let Sign::Block(hash) = sign {
                    blocks.push(hash);
                }
            });
        }
        blocks
    };
    let blocks = block("- a\nx\n- a\nx\n- b\nx\n");
    assert_eq!(blocks.len(), 3);
    assert_eq!(blocks[0], blocks[1]);
    assert_ne!(blocks[1], blocks[2]);
}

#[test]
fn a_fence_that_is_never_closed_hides_the_rest() {
    assert_eq!(read("see\n```\ncode\ncode\n"), "see¶");
}
