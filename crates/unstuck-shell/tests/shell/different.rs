//! Commands that must not be taken for one another, and texts that are left alone.

use super::{different, raw};

#[test]
fn targets_tell_commands_apart() {
    different(&[
        "make check",
        "make build",
        "make",
        "cd a && make check",
        "cd b && make check",
    ]);
    different(&[
        "pytest a.py",
        "pytest b.py",
        "pytest",
        "pytest a.py::test_x",
        "pytest -k x a.py",
        "pytest -k y a.py",
        "pytest -m x a.py",
        "cd s && pytest a.py",
    ]);
    different(&[
        "grep -n foo a",
        "grep -n foo b",
        "grep -n bar a",
        "grep -rn foo a",
    ]);
    different(&[
        "git commit -m one",
        "git commit -m two",
        "git checkout one",
        "git checkout two",
    ]);
}

#[test]
fn code_tells_commands_apart() {
    different(&[
        "python -c 'print(1)'",
        "python -c 'print(2)'",
        "python print.py",
        "python -m print",
        "node -e 'print(1)'",
    ]);
    different(&["python - <<E\nprint(1)\nE", "python - <<E\nprint(2)\nE"]);
    different(&["python -c 'if a:\n  b\nc'", "python -c 'if a:\n  b\n  c'"]);
    different(&[
        "cat > a <<E\nx\nE",
        "cat > a <<E\ny\nE",
        "cat > b <<E\nx\nE",
        "cat >> a <<E\nx\nE",
    ]);
}

#[test]
fn quotes_that_matter_matter() {
    different(&[
        "echo '$x'",
        "echo $x",
        "echo '${x}y'",
        "echo ${x}y",
        "echo $xy",
    ]);
    different(&["echo 'a b'", "echo a b", "echo 'a  b'"]);
    different(&["echo a '|' b", "echo a | b", "echo a '>' b", "echo a > b"]);
}

#[test]
fn what_joins_commands_matters() {
    different(&["a && b", "a || b", "a ; b", "a | b", "a & b", "b && a"]);
    different(&["(a; b)", "a; b", "{ a; b; }"]);
    different(&["if a; then b; fi", "while a; do b; done", "a; b"]);
}

#[test]
fn an_option_stays_before_or_behind_the_script_it_is_for() {
    different(&["python fix.py -v", "python fix.py"]);
    different(&["find . -name a -delete", "find . -delete -name a"]);
}

#[test]
fn words_alone_are_work_when_there_is_no_other() {
    different(&[
        "echo a",
        "echo b",
        "true",
        "cd a",
        "cd b",
        "export A=1",
        "export A=2",
    ]);
    different(&["env", "env | grep A", "set | grep A", "printenv A"]);
}

#[test]
fn what_is_no_script_is_left_alone() {
    raw(&[
        "[[ a = ']]' ]] b ]]",
        "[[ a ]] b",
        "[[ a '=~' b ]]",
        "",
        "   ",
        "# nothing",
        "echo 'open",
        "echo \"open",
        "echo $(open",
        "echo `open",
        "cat <<EOF\nopen",
        "a &&",
        "| a",
        "a ;; b",
        "(a",
        "a)",
        "if a; then b",
        "done",
        "f() { a; }",
        "case x in y) z;; esac",
        "((1 + 2))",
        "a=(1 2)",
        "print(1)",
        "cat <<A$(b)\nA$(b)",
    ]);
}

#[test]
fn test_runs_of_other_ecosystems_are_told_apart_by_what_they_run() {
    different(&["jest a", "jest b", "jest -t a", "vitest run a"]);
    different(&[
        "mvn test",
        "mvn -Dtest=A test",
        "mvn -pl a test",
        "mvn verify",
    ]);
    different(&[
        "./gradlew test",
        "./gradlew test --tests A",
        "./gradlew :a:test",
    ]);
    different(&["dotnet test", "dotnet test a", "dotnet test --filter A"]);
    different(&["rspec a", "rspec b", "rspec a:12", "rspec -e x a"]);
    different(&["phpunit a", "phpunit --filter x a", "pest a"]);
    different(&["go test ./a", "go test ./b", "go test -run X ./a"]);
    different(&["cargo test a", "cargo nextest run a", "cargo test -p b a"]);
}
