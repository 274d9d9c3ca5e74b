use unstuck_json::Json;

use super::*;

fn mark(output: &str) -> Option<Mark> {
    let json = Json::string(output);
    let mut lines = FailureLines::default();
    for line in json.as_str().split("\\n") {
        lines.read(line);
    }
    lines.mark()
}

/// The same failure printed twice, and another failure, by runner.
const FAILURES: [(&str, &str, &str, &str); 17] = [
    (
        "pytest",
        "tests/a.py:12: in test_x\n    assert add(1, 2) == 4\nE   assert 3 == 4\n1 failed in 0.12s",
        "tests/a.py:19: in test_x\n    log('a')\n    assert add(1, 2) == 4\nE   assert 3 == 4\n1 failed in 0.34s",
        "tests/a.py:12: in test_x\nE   assert 5 == 4\n1 failed in 0.12s",
    ),
    (
        "pytest, short",
        "FAILED a.py::test_x - AssertionError: assert 3 == 4",
        "....F\nFAILED a.py::test_x - AssertionError: assert 3 == 4",
        "FAILED a.py::test_x - KeyError: 'b'",
    ),
    (
        "unittest",
        "  File \"a.py\", line 3, in f\nAssertionError: 1 != 2",
        "debug\n  File \"a.py\", line 8, in f\nAssertionError: 1 != 2",
        "  File \"a.py\", line 3, in f\nAssertionError: 1 != 3",
    ),
    (
        "jest",
        "    Expected: 4\n    Received: 3\n      at a.test.js:3:9",
        "    Expected: 4\n    Received: 3\n      at a.test.js:7:9",
        "    Expected: 4\n    Received: 5\n      at a.test.js:3:9",
    ),
    (
        "vitest",
        "AssertionError: expected 3 to be 4\n ❯ a.test.ts:3:9",
        "AssertionError: expected 3 to be 4\n ❯ a.test.ts:5:9",
        "TypeError: x is not a function\n ❯ a.test.ts:3:9",
    ),
    (
        "tsc",
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable",
        "src/a.ts(9,5): error TS2322: Type 'string' is not assignable",
        "src/a.ts(3,5): error TS2304: Cannot find name 'b'",
    ),
    (
        "surefire",
        "[ERROR]   ATest.adds:12 expected: <4> but was: <3>",
        "[ERROR]   ATest.adds:15 expected: <4> but was: <3>",
        "[ERROR]   ATest.adds:12 expected: <4> but was: <5>",
    ),
    (
        "junit",
        "org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n\tat a.B.c(B.java:3)",
        "org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n\tat a.B.c(B.java:9)",
        "java.lang.NullPointerException\n\tat a.B.c(B.java:3)",
    ),
    (
        "javac",
        "A.java:3: error: cannot find symbol",
        "A.java:9: error: cannot find symbol",
        "A.java:3: error: ';' expected",
    ),
    (
        "go",
        "--- FAIL: TestX (0.00s)\n    a_test.go:12: got 3, want 4",
        "--- FAIL: TestX (0.20s)\n    a_test.go:17: got 3, want 4",
        "--- FAIL: TestX (0.00s)\n    a_test.go:12: got 5, want 4",
    ),
    (
        "go, panic",
        "panic: runtime error: index out of range [3]\ngoroutine 7 [running]:",
        "panic: runtime error: index out of range [3]\ngoroutine 21 [running]:",
        "panic: runtime error: index out of range [4]\ngoroutine 7 [running]:",
    ),
    (
        "cargo",
        "thread 'tests::x' panicked at src/a.rs:3:5:\nassertion `left == right` failed\n  left: 3\n right: 4",
        "thread 'tests::x' panicked at src/a.rs:9:5:\nassertion `left == right` failed\n  left: 3\n right: 4",
        "thread 'tests::x' panicked at src/a.rs:3:5:\nnot yet done",
    ),
    (
        "rustc",
        "error[E0308]: mismatched types\n --> src/a.rs:3:5",
        "error[E0308]: mismatched types\n --> src/a.rs:8:5",
        "error[E0425]: cannot find value `x`\n --> src/a.rs:3:5",
    ),
    (
        "dotnet",
        "  Error Message:\n   Assert.Equal() Failure\nExpected: 4\nActual:   3\n   at A.B() in /a/b.cs:line 3",
        "  Error Message:\n   Assert.Equal() Failure\nExpected: 4\nActual:   3\n   at A.B() in /a/b.cs:line 9",
        "  Error Message:\n   System.NullReferenceException : Object reference not set",
    ),
    (
        "rspec",
        "     Failure/Error: expect(add(1, 2)).to eq 4\n\n       expected: 4\n            got: 3\n     # ./a_spec.rb:3",
        "     Failure/Error: expect(add(1, 2)).to eq 4\n\n       expected: 4\n            got: 3\n     # ./a_spec.rb:9",
        "     Failure/Error: expect(add(1, 2)).to eq 4\n\n       expected: 4\n            got: 5\n     # ./a_spec.rb:3",
    ),
    (
        "minitest",
        "ATest#test_adds [a_test.rb:3]:\nExpected: 4\n  Actual: 3",
        "ATest#test_adds [a_test.rb:9]:\nExpected: 4\n  Actual: 3",
        "ATest#test_adds [a_test.rb:3]:\nExpected: 4\n  Actual: nil",
    ),
    (
        "phpunit",
        "1) ATest::testAdds\nFailed asserting that 3 matches expected 4.\n\n/a/ATest.php:3",
        "1) ATest::testAdds\nFailed asserting that 3 matches expected 4.\n\n/a/ATest.php:9",
        "1) ATest::testAdds\nFailed asserting that 5 matches expected 4.\n\n/a/ATest.php:3",
    ),
];

#[test]
fn a_failure_that_moved_is_the_same_and_one_with_other_values_is_not() {
    for (runner, once, moved, other) in FAILURES {
        assert!(mark(once).is_some(), "{runner}");
        assert_eq!(mark(once), mark(moved), "{runner}");
        assert_ne!(mark(once), mark(other), "{runner}");
    }
}

#[test]
fn the_order_of_failures_does_not_count() {
    let (one, other) = ("KeyError: 'a'\nok", "AssertionError: 1 != 2");
    assert_eq!(
        mark(&format!("{one}\n{other}")),
        mark(&format!("{other}\n{one}\n{one}"))
    );
}

#[test]
fn times_and_addresses_do_not_count() {
    let text = |at: &str| format!("AssertionError: <A object at {at}> is not true");
    assert_eq!(mark(&text("0x7f3a51c0")), mark(&text("0x7fbb0d10")));
}

#[test]
fn other_lines_say_nothing() {
    for line in [
        "",
        "collected 12 items",
        "FAILED tests/a.py::test_x",
        "make: *** [test] Error 1",
        "0 errors",
        "note: run with a backtrace",
        "a_test.py:12: in test_x",
        "12:30: starting",
        "Errors were found",
    ] {
        assert_eq!(mark(line), None, "{line}");
    }
}
