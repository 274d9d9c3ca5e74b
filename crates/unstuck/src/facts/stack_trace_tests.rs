use proptest::prelude::*;
use unstuck_json::Json;

use super::{may_be_in, message};

#[test]
fn the_stacks_of_many_languages_are_read() {
    for (language, text, expected) in [
        (
            "Python",
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'\n",
            "KeyError: 'x'",
        ),
        (
            "Java",
            "Starting\nException in thread \"main\" java.lang.IllegalStateException: not ready\n\tat app.Main.run(Main.java:12)\n\tat app.Main.main(Main.java:5)\n",
            "java.lang.IllegalStateException: not ready",
        ),
        (
            "Java with causes",
            "Exception in thread \"main\" java.lang.RuntimeException: start failed\n\tat app.Main.main(Main.java:5)\nCaused by: java.io.IOException: disk\n\tat app.Disk.read(Disk.java:7)\nCaused by: java.nio.file.NoSuchFileException: /etc/app.conf\n\t... 2 more\n",
            "java.nio.file.NoSuchFileException: /etc/app.conf",
        ),
        (
            "JavaScript",
            "/w/a.js:3\n  foo();\n  ^\n\nReferenceError: foo is not defined\n    at Object.<anonymous> (/w/a.js:3:3)\n    at node:internal/main/run_main_module:23:47\n\nNode.js v20.1.0\n",
            "ReferenceError: foo is not defined",
        ),
        (
            "JavaScript with a longer message",
            "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\n\nError: Cannot find module 'left-pad'\nRequire stack:\n- /w/a.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1077:15)\n",
            "Error: Cannot find module 'left-pad'",
        ),
        (
            ".NET",
            "Unhandled exception. System.InvalidOperationException: Sequence contains no elements\n   at System.Linq.ThrowHelper.ThrowNoElementsException()\n   at App.Program.Main(String[] args) in /w/Program.cs:line 9\n",
            "System.InvalidOperationException: Sequence contains no elements",
        ),
        (
            "Go",
            "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/main.go:9 +0x1d\nexit status 2\n",
            "panic: runtime error: index out of range [5] with length 3",
        ),
        (
            "Rust",
            "\nthread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3 but the index is 5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            "index out of bounds: the len is 3 but the index is 5",
        ),
        (
            "Rust before 1.73",
            "thread 'main' panicked at 'no entry found for key', src/main.rs:4:5\nnote: run with `RUST_BACKTRACE=1`\n",
            "no entry found for key",
        ),
        (
            "Ruby",
            "a.rb:3:in 'Object#m': undefined method 'x' for nil (NoMethodError)\n\tfrom a.rb:6:in '<main>'\n",
            "undefined method 'x' for nil (NoMethodError)",
        ),
        (
            "Ruby before 3.4",
            "/w/a.rb:3:in `m': undefined method `x' for nil:NilClass (NoMethodError)\n\tfrom /w/a.rb:6:in `<main>'\n",
            "undefined method `x' for nil:NilClass (NoMethodError)",
        ),
        (
            "PHP",
            "PHP Fatal error:  Uncaught TypeError: f(): Argument #1 must be of type int in /w/a.php:3\nStack trace:\n#0 /w/a.php(7): f('x')\n#1 {main}\n  thrown in /w/a.php on line 3\n",
            "TypeError: f(): Argument #1 must be of type int in /w/a.php:3",
        ),
    ] {
        assert_eq!(message(text), Some(expected), "{language}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(
            message(&windows).map(str::trim_end),
            Some(expected),
            "{language}"
        );
    }
}

#[test]
fn text_without_a_stack_has_no_message_of_one() {
    for text in [
        "",
        "No such file: a.txt",
        "We met at 10:30 in Berlin",
        "  at the end of the line",
        "panic: at the disco",
        "thread 'main' is done",
        "Stack traces are useful",
        "see a.rb:3 in the manual",
        "mod.go:3:in use",
        "Caused by: rain",
    ] {
        assert_eq!(message(text), None, "{text:?}");
    }
}

#[test]
fn a_panic_counts_only_above_a_goroutine() {
    let go = "goroutine 1 [running]:\npanic: a\n";
    assert_eq!(message(go), None);
    let text = format!("{go}panic: b\ngoroutine 2 [running]:\n");
    assert_eq!(message(&text), Some("panic: a"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stack_is_not_missed_before_it_is_decoded(
        parts in prop::collection::vec(prop::sample::select(vec![
            " ", "\t", "\r", "\n", "\u{b}", "\u{c}", "\u{a0}", "\u{2003}", "→", "x", "\\", "\"", "at f (a.js:1:2)",
            "panic: x", "goroutine 1", "thread 'main' panicked at a.rs:1:2:", "Stack trace:",
            "a.rb:1:in 'm': x", "Traceback (most recent call last)", "KeyError: 'a'",
        ]), 0..16),
    ) {
        let text = parts.concat();
        if message(&text).is_some() {
            prop_assert!(may_be_in(Json::string(&text).as_str()));
        }
    }
}
