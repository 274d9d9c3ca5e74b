use super::*;

fn failing(output: &str) -> FailingTests {
    FailingTests::of(&Json::string(output))
}

#[test]
fn every_runner_names_its_failing_tests() {
    for (runner, one, other) in [
        (
            "pytest",
            "FAILED tests/a.py::test_x - assert 1 == 2",
            "FAILED tests/a.py::test_y",
        ),
        (
            "pytest, before the test",
            "ERROR tests/a.py::test_x",
            "ERROR tests/b.py::test_x - KeyError",
        ),
        (
            "unittest",
            "FAIL: test_x (tests.A.test_x)",
            "ERROR: test_y (tests.A.test_y)",
        ),
        (
            "go",
            "    --- FAIL: TestX (0.00s)",
            "--- FAIL: TestY (1.20s)",
        ),
        (
            "cargo",
            "test tests::x ... FAILED",
            "test tests::y ... FAILED",
        ),
        (
            "nextest",
            "        FAIL [   0.012s] unstuck tests::x",
            "        FAIL [   0.012s] unstuck tests::y",
        ),
        (
            "jest",
            "    ✕ adds numbers (3 ms)",
            "    ✕ adds words (3 ms)",
        ),
        ("node", "✖ adds numbers (1.2ms)", "✖ adds words (0.8ms)"),
        (
            "playwright",
            "  ✘  1 [chromium] › a.spec.ts:3:1 › adds numbers (1.2s)",
            "  ✘  2 [chromium] › a.spec.ts:9:1 › adds words (1.2s)",
        ),
        (
            "bun",
            "(fail) adds numbers [0.12ms]",
            "(fail) adds words [0.50ms]",
        ),
        ("TAP", "not ok 1 - adds numbers", "not ok 2 - adds words"),
        (
            "surefire",
            "[ERROR] org.example.ATest.adds -- Time elapsed: 0.012 s <<< FAILURE!",
            "[ERROR] subtracts(org.example.ATest)  Time elapsed: 0.003 s  <<< ERROR!",
        ),
        (
            "gradle",
            "org.example.ATest > adds() FAILED",
            "org.example.ATest > subtracts() FAILED",
        ),
        (
            "dotnet",
            "  Failed Example.ATest.Adds [12 ms]",
            "  Failed Example.ATest.Subtracts [1 s]",
        ),
        (
            "xUnit.net",
            "[xUnit.net 00:00:00.50]     Example.ATest.Adds [FAIL]",
            "[xUnit.net 00:00:00.61]     Example.ATest.Subtracts [FAIL]",
        ),
        (
            "rspec",
            "rspec ./spec/a_spec.rb:12 # A adds numbers",
            "rspec ./spec/a_spec.rb:20 # A adds words",
        ),
        (
            "minitest",
            "ATest#test_adds [test/a_test.rb:12]:",
            "ATest#test_subtracts:",
        ),
        (
            "phpunit",
            "1) Example\\ATest::testAdds",
            "2) Example\\ATest::testSubtracts",
        ),
        ("vitest", "   × adds numbers 3ms", "   × adds words 12ms"),
    ] {
        let both = failing(&format!("running\n{one}\n{other}\n{one}\ndone"));
        assert_eq!(both.count, 2, "{runner}");
        let alone = failing(&format!("running\n{other}\ndone"));
        assert!(alone.shrank_from(&both), "{runner}");
        assert!(!both.shrank_from(&alone), "{runner}");
        assert!(!both.shrank_from(&both), "{runner}");
    }
}

#[test]
fn how_long_a_test_took_is_not_its_name() {
    assert_eq!(failing("✕ adds (3 ms)"), failing("✕ adds (41 ms)"));
    assert_eq!(failing("× adds 3ms"), failing("× adds 41ms"));
}

#[test]
fn what_is_no_failing_test_is_not_taken_for_one() {
    for line in [
        "FAILED (failures=1)",
        "ERROR in line 3",
        "ERROR: file not found",
        "test tests::x ... ok",
        "FAIL src/a.test.js",
        "all good",
        "[ERROR] Tests run: 3, Failures: 1, Time elapsed: 0.1 sec <<< FAILURE!",
        "BUILD FAILED",
        "Failed to restore a.csproj [12 ms",
        "1) Failure:",
        "2) first do this",
        "not ok",
        "✖ failing tests:",
        "rspec took 3 s",
    ] {
        assert!(failing(line).is_empty(), "{line}");
    }
}

#[test]
fn another_test_that_fails_is_no_shrinking() {
    let before = failing("FAILED a.py::x\nFAILED a.py::y");
    assert!(!failing("FAILED a.py::z").shrank_from(&before));
}

#[test]
fn of_very_many_tests_the_number_is_known() {
    let lines = |count: usize| {
        let lines: Vec<String> = (0..count).map(|at| format!("FAILED a.py::t{at}")).collect();
        failing(&lines.join("\n"))
    };
    assert!(lines(100).names.is_empty());
    assert!(lines(90).shrank_from(&lines(100)));
    assert!(lines(3).shrank_from(&lines(100)));
    assert!(!lines(100).shrank_from(&lines(90)));
}
