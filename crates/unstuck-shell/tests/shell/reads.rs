//! Reads of one file.

use unstuck_shell::{Range, understand};

use super::{different, insight, same};

fn read(command: &str) -> Option<(String, Range)> {
    insight(command).read.map(|read| (read.path, read.range))
}

const fn lines(from: u64, to: u64) -> Range {
    Range::Lines { from, to: Some(to) }
}

#[test]
fn a_whole_file_is_read_by_any_of_these() {
    for command in [
        "cat a/b.c",
        "cat -n a/b.c",
        "nl -ba a/b.c",
        "nl -b a a/b.c",
        "less a/b.c",
        "more a/b.c",
        "bat --paging=never a/b.c",
        "cat ./a/b.c",
        "cat a/x/../b.c",
        "cat < a/b.c",
        "cat a/b.c | cat",
        "cat 'a/b.c' 2>/dev/null",
        "cd a && cat b.c",
        "tail -n +1 a/b.c",
        "sed -n '1,$p' a/b.c",
    ] {
        assert_eq!(
            read(command),
            Some(("a/b.c".into(), Range::Whole)),
            "{command}"
        );
    }
}

#[test]
fn a_part_is_read_by_any_of_these() {
    for command in [
        "head -50 f",
        "head -n 50 f",
        "head -n50 f",
        "head --lines=50 f",
        "sed -n 1,50p f",
        "sed -n '1,50p' f",
        "sed -n -e '1,50 p' f",
        "cat f | head -50",
        "cat -n f | sed -n '1,50p'",
        "nl -ba f | sed -n 1,50p",
        "awk 'NR>=1 && NR<=50' f",
        "head -100 f | head -50",
        "head -50 f | cat -n",
    ] {
        assert_eq!(read(command), Some(("f".into(), lines(1, 50))), "{command}");
    }
    assert_eq!(read("head f"), Some(("f".into(), lines(1, 10))));
    assert_eq!(read("tail f"), Some(("f".into(), Range::Last(10))));
    assert_eq!(read("sed -n 7p f"), Some(("f".into(), lines(7, 7))));
    assert_eq!(read("sed -n '7,+3p' f"), Some(("f".into(), lines(7, 10))));
    assert_eq!(
        read("head -100 f | tail -20"),
        Some(("f".into(), lines(81, 100)))
    );
    assert_eq!(
        read("tail -n +20 f | head -5"),
        Some(("f".into(), lines(20, 24)))
    );
    assert_eq!(
        read("tail -n +20 f"),
        Some(("f".into(), Range::Lines { from: 20, to: None }))
    );
}

#[test]
fn the_directory_is_part_of_the_path() {
    same(&[
        "cat /r/a.py",
        "cd /r && cat a.py",
        "cd /r/b && cat ../a.py",
        "cd /x && cat /r/a.py",
    ]);
    let declared = understand("cat a.py", Some("/r")).unwrap();
    assert_eq!(declared.canonical, "cat /r/a.py");
}

#[test]
fn another_part_is_another_read() {
    different(&[
        "cat f",
        "head -50 f",
        "head -100 f",
        "tail -50 f",
        "tail -n +50 f",
        "sed -n 51,100p f",
        "sed -n 101,150p f",
        "cat g",
    ]);
}

#[test]
fn what_does_more_than_read_one_file_is_no_read() {
    for command in [
        "cat a b",
        "cat $a",
        "cat",
        "cat -",
        "cat a > b",
        "cat a | grep x",
        "tail -f a",
        "head -c 5 a",
        "head -n -5 a",
        "sed -n '/x/p' a",
        "sed 1,5p a",
        "sed -n 1,5p a b",
        "wc -l a",
        "grep x a",
        "cat a; cat b",
        "cat a &",
        "cat <<E\nx\nE",
    ] {
        assert_eq!(read(command), None, "{command}");
    }
}
