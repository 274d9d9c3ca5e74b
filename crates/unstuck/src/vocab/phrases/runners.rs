//! Phrases of test runners at the end of a run, as canonical JSON spells it: a tab is `\\t`, an end of line `\\n`.

use super::{Phrase, phrase};

/// Words behind the number of failures.
pub(crate) const COUNTED_BEFORE: [Phrase; 2] = [
    phrase(
        "failing",
        "Mocha",
        "  3 passing (12ms)\n  1 failing\n",
        "  3 passing (12ms)\n  0 failing\n",
    ),
    phrase(
        "failure",
        "RSpec, Minitest",
        "3 examples, 1 failure\n",
        "3 examples, 0 failures\n",
    ),
];

/// Labels before the number of failures.
pub(crate) const COUNTED_BEHIND: [Phrase; 6] = [
    phrase(
        "failures, ",
        "Minitest",
        "5 runs, 9 assertions, 0 failures, 2 errors, 0 skips\n",
        "5 runs, 9 assertions, 0 failures, 0 errors, 0 skips\n",
    ),
    phrase(
        "Failures: ",
        "JUnit, PHPUnit",
        "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0",
        "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
    ),
    phrase(
        "Errors: ",
        "JUnit, PHPUnit",
        "Tests run: 3, Failures: 0, Errors: 2, Skipped: 0",
        "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
    ),
    phrase(
        "Failed:",
        ".NET",
        "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4",
        "Passed!  - Failed:     0, Passed:     4, Skipped:     0, Total:     4",
    ),
    phrase(
        "# fail ",
        "Node.js, TAP",
        "# tests 3\n# pass 2\n# fail 1\n",
        "# tests 3\n# pass 3\n# fail 0\n",
    ),
    phrase(
        "ℹ fail ",
        "Node.js",
        "ℹ tests 3\nℹ pass 2\nℹ fail 1\n",
        "ℹ tests 3\nℹ pass 3\nℹ fail 0\n",
    ),
];

/// Phrases of failed runs only.
pub(crate) const FAILED: [Phrase; 5] = [
    phrase(
        "--- FAIL",
        "Go",
        "--- FAIL: TestX (0.00s)\nFAIL\nexit status 1\n",
        "--- PASS: TestX (0.00s)\nPASS\n",
    ),
    phrase(
        "FAIL\\t",
        "Go",
        "FAIL\texample.org/a [build failed]\n",
        "ok  \texample.org/a\t0.012s\n",
    ),
    phrase(
        "BUILD FAILURE",
        "Maven",
        "[INFO] BUILD FAILURE\n",
        "[INFO] BUILD SUCCESS\n",
    ),
    phrase(
        "FAILURES!",
        "PHPUnit",
        "FAILURES!\nTests: 3, Assertions: 3.\n",
        "OK (3 tests, 3 assertions)\n",
    ),
    phrase(
        "(fail) ",
        "Bun",
        "(fail) adds numbers [0.12ms]\n",
        "(pass) adds numbers [0.12ms]\n",
    ),
];

/// Phrases of passed runs only.
pub(crate) const PASSED: [Phrase; 8] = [
    phrase(
        "BUILD SUCCESS",
        "Maven, Gradle",
        "BUILD SUCCESSFUL in 3s\n",
        "BUILD in 3s\n",
    ),
    phrase(
        "\\n\\nOK\\n",
        "unittest",
        "Ran 3 tests in 0.001s\n\nOK\n",
        "Ran 3 tests in 0.001s\n\nOK?\n",
    ),
    phrase(
        "OK (",
        "PHPUnit",
        "OK (3 tests, 3 assertions)\n",
        "It is OK.\n",
    ),
    phrase(
        "ok  \\t",
        "Go",
        "ok  \texample.org/a\t0.012s\n",
        "?   \texample.org/a\t[no test files]\n",
    ),
    phrase(
        "PASS\\n",
        "Go",
        "=== RUN   TestX\nPASS\n",
        "=== RUN   TestX\n",
    ),
    phrase("Passed!", ".NET", "Passed!  - 4 tests\n", "Passing on\n"),
    phrase(
        " passing (",
        "Mocha",
        "  3 passing (12ms)\n",
        "  passing by\n",
    ),
    phrase(
        "(pass) ",
        "Bun",
        "(pass) adds numbers [0.12ms]\n",
        "(skip) adds numbers\n",
    ),
];

/// What pytest puts before every line of an error.
pub(crate) const PYTEST: &str = "E   ";

/// Words that runners put before a value or a message, as they print them.
pub(crate) const WRONG: [Phrase; 20] = [
    phrase(
        "Expected",
        "Jest, .NET, Minitest",
        "Expected: 4",
        "Unexpected end of file: 4",
    ),
    phrase("expected:", "RSpec", "expected: 4", "unexpected: 4"),
    phrase(
        "expected ",
        "Go, Vitest",
        "expected 4 to be 5",
        "unexpected 4 to be 5",
    ),
    phrase("Received", "Jest", "Received: 3", "Has Received: 3"),
    phrase("Actual", "Minitest, .NET", "Actual: 3", "The Actual: 3"),
    phrase("actual:", "Node.js", "actual: 3,", "contractual: 3,"),
    phrase("got:", "RSpec, TAP", "got: 3", "forgot: 3"),
    phrase("got ", "Go", "got 3, want 4", "forgot 3, wanted 4"),
    phrase("want ", "Go", "want 4", "wanting 4"),
    phrase("left:", "Rust", "left: 3", "is left: 3"),
    phrase("right:", "Rust", "right: 4", "is right: 4"),
    phrase(
        "assertion ",
        "Rust",
        "assertion `left == right` failed",
        "an assertion `left == right` holds",
    ),
    phrase(
        "Assertion ",
        "C",
        "Assertion `x == 1' failed.",
        "1 Assertion in 2 tests",
    ),
    phrase(
        "Assert.",
        ".NET",
        "Assert.Equal() Failure",
        "We Assert. Equal values follow",
    ),
    phrase(
        "Failed asserting",
        "PHPUnit",
        "Failed asserting that 3 matches expected 4.",
        "Nothing Failed asserting that",
    ),
    phrase(
        "Failure/Error:",
        "RSpec",
        "Failure/Error: expect(add(1, 2)).to eq 4",
        "1 Failure/Error: in all",
    ),
    phrase(
        "panic:",
        "Go",
        "panic: runtime error: index out of range",
        "a panic: nothing runs",
    ),
    phrase(
        "error:",
        "compilers",
        "error: cannot find value `x`",
        "no error: all is well",
    ),
    phrase(
        "error[",
        "rustc",
        "error[E0308]: mismatched types",
        "an error[1] of two",
    ),
    phrase(
        "undefined reference",
        "linkers",
        "undefined reference to `main'",
        "an undefined reference is an error",
    ),
];
