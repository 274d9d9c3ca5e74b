//! Spellings of one command.

use super::{insight, same, spelled};

#[test]
fn whitespace_quotes_and_comments_do_not_matter() {
    same(&[
        "grep -n foo src/a.py",
        "  grep   -n\tfoo src/a.py  ",
        "grep -n 'foo' \"src/a.py\"",
        "grep -n f\"o\"o src/a\\.py",
        "grep -n foo \\\n  src/a.py",
        "grep -n foo src/a.py # where is it",
        "# look\ngrep -n foo src/a.py\n",
        "grep -n foo src/a.py;",
        "grep -n foo ./src/a.py",
    ]);
    same(&[
        "echo \"$HOME/x y\"",
        "echo ${HOME}'/x y'",
        "echo $HOME/x\\ y",
    ]);
}

#[test]
fn a_canonical_form_is_its_own_where_it_once_was_not() {
    for command in [
        "d\u{c}<(a)",
        "true & true; b",
        "true || cd a; b",
        "x || true | tail -3",
        "A=1 2>&1\nb",
        "timeout 5 -n \\&",
        "grep -n2 x f",
        "head f -n",
        "nl -ba f | tail -3 2 2>/dev/null",
        "env | tail -3 ./2",
        "cat -c f &> /dev/null",
        "x; set a -c b",
        "pytest -xvsk a",
        "\"A=\"$x b",
        "nl -ba -cd /r f",
        "head -qn 5 f",
        "head --lines=3 -n x f",
        "sed 5p -ne f",
        "sed -n -e 5p -e 6p f",
        "sed f -e s/a/b/ -n",
        "[[ -f a ]] > b",
        "A=1 '' || true",
    ] {
        same(&[command, &spelled(command)]);
    }
}

#[test]
fn the_order_of_options_does_not_matter() {
    same(&["ls -l -a src", "ls -la src", "ls -al src", "ls src -a -l"]);
    same(&["grep -rn -A 3 x .", "grep -A3 -n -r x .", "grep x . -rnA 3"]);
    same(&[
        "sed -ne 5p f",
        "sed -n -e 5p f",
        "sed f -e 5p -n",
        "sed -n 5p f",
    ]);
    same(&["sed -i -e s/a/b/ f", "sed -e s/a/b/ -i f"]);
    same(&["head -qn 5 f", "head -q -n5 f", "head -5 f"]);
    same(&["cargo build --release -p x", "cargo build -p --release x"]);
    assert_eq!(spelled("find . -type f -name x"), "find . -type f -name x");
}

#[test]
fn what_only_starts_another_command_does_not_matter() {
    same(&[
        "make check",
        "timeout 60 make check",
        "timeout -k 5 60s make check",
        "nohup make check",
        "time make check",
        "nice -n 10 make check",
        "sudo -E make check",
        "sudo -u root FOO=1 make check",
        "stdbuf -oL make check",
        "env FOO=1 BAR=2 make check",
        "FOO=1 make check",
        "FOO=\"a b\" timeout 5 env X=y make check",
        "/usr/bin/env make check",
        "command make check",
    ]);
    same(&[
        "pytest a.py",
        "poetry run pytest a.py",
        "uv run pytest a.py",
    ]);
}

#[test]
fn a_shell_within_does_not_matter() {
    same(&[
        "make check",
        "bash -c 'make check'",
        "sh -lc \"make check\"",
        "bash -euo pipefail -c 'make check'",
        "bash -c \"sh -c 'make check'\"",
        "timeout 5 bash -c 'make check 2>&1 | tail'",
        "bash <<'EOF'\nmake check\nEOF",
    ]);
    same(&[
        "cd /r && make",
        "bash -c 'cd /r && make'",
        "cd /r && bash -c make",
    ]);
}

#[test]
fn settings_and_separators_do_not_matter() {
    same(&[
        "make check",
        "export FOO=1; make check",
        "export FOO=1 && make check",
        "FOO=1; make check",
        "set -e; make check",
        "set -euo pipefail\nmake check",
        "source venv/bin/activate && make check",
        ". .venv/bin/activate; make check",
        "echo '--- check ---' && make check",
        "make check; echo $?",
        "make check; echo \"exit: $?\"",
        "make check || true",
        "make check || echo failed",
        "make check && echo ok",
        "true && make check",
    ]);
}

#[test]
fn where_output_goes_does_not_matter() {
    same(&[
        "make check",
        "make check 2>&1",
        "make check 2>/dev/null",
        "make check 2>&1 | tail -5",
        "make check 2>&1 | tail -n 50",
        "make check | head -20",
        "make check |& cat",
        "make check 2>&1 | tee log.txt | tail -3",
        "make check &> /dev/null",
        "make check | less",
    ]);
}

#[test]
fn a_leading_directory_is_one_place() {
    same(&[
        "cd /r && make",
        "cd /r; make",
        "cd /r\nmake",
        "cd '/r/' && make",
        "cd /x && cd ../r && make",
        "pushd /r && make",
    ]);
    assert_eq!(spelled("cd . && make"), "make");
    let declared = unstuck_shell::understand("make", Some("/r")).unwrap();
    assert_eq!(declared.canonical, spelled("cd /r && make"));
}

#[test]
fn an_interpreter_is_one_whatever_it_is_called() {
    same(&[
        "python fix.py",
        "python3 fix.py",
        "python3.11 fix.py",
        "/usr/bin/python3 fix.py",
        "python -u ./fix.py",
        "python -W ignore fix.py",
    ]);
    same(&[
        "python -c 'import a\nprint(a)'",
        "python3 -c \"import a\nprint(a)\"",
        "python3 - <<'EOF'\nimport a\nprint(a)\nEOF",
        "python3 <<EOF\nimport a\n\n# what is it\nprint(a)   \nEOF",
        "python - <<< 'import a\nprint(a)'",
    ]);
    same(&[
        "node -e 'f()'",
        "node --eval 'f()'",
        "nodejs -e 'f()'",
        "node - <<X\n// call\nf()\nX",
    ]);
    same(&["pip install x", "pip3 install x", "python -m pip install x"]);
}

#[test]
fn a_test_run_is_one_however_it_is_shown() {
    same(&[
        "pytest tests/a.py",
        "py.test tests/a.py",
        "python -m pytest tests/a.py",
        "python3 -m pytest -v tests/a.py",
        "pytest -xvs ./tests/a.py",
        "pytest -q --tb=short tests/a.py",
        "pytest tests/a.py --tb no -rA --no-header -p no:cacheprovider",
        "cd . && pytest tests/a.py -vv 2>&1 | tail -40",
    ]);
    same(&["python -m unittest a.B", "python3 -m unittest -v a.B"]);
    same(&["npm test", "npm run test", "npm run-script test --silent"]);
    same(&[
        "cargo test -p x",
        "cargo test -p x --quiet",
        "cargo test -p x -- --nocapture",
    ]);
    same(&[
        "go test ./...",
        "go test -v ./...",
        "go test -count=1 ./...",
    ]);
    same(&["make test", "make -s test", "make -j8 test"]);
    same(&[
        "./tests/runtests.py forms",
        "tests/runtests.py forms -v 2",
        "./tests/runtests.py --parallel=1 forms",
    ]);
}

#[test]
fn a_document_is_its_text_wherever_it_is_announced() {
    same(&[
        "cat > a.py <<'EOF'\nx = 1\nEOF",
        "cat <<'EOF' > a.py\nx = 1\nEOF",
        "cat << \"END\" >a.py\nx = 1\nEND\n",
        "cat <<-EOF > ./a.py\n\tx = 1\n\tEOF",
    ]);
}

#[test]
fn scripts_with_keywords_are_read_too() {
    same(&[
        "for f in a b; do cat $f; done",
        "for f in a b\ndo\n  cat \"$f\"\ndone",
    ]);
    same(&[
        "if [ -f a ]; then make; fi",
        "if [ -f a ]\nthen\n  make\nfi\n",
    ]);
    same(&["(cd a; make)", "( cd a ; make; )"]);
    same(&["[[ -f a && $b == c ]]", "[[  -f 'a' && ${b} == c ]]"]);
}

#[test]
fn the_program_is_the_one_that_does_the_work() {
    assert_eq!(
        insight("cd /r && FOO=1 timeout 5 python3 x.py").program(),
        "python"
    );
    assert_eq!(insight("ls").program(), "ls");
    assert_eq!(insight("cd 'a b' && make").program(), "make");
}

#[test]
fn test_runs_of_other_ecosystems_are_one_however_they_are_shown() {
    for spellings in [
        &[
            "npx jest a",
            "./node_modules/.bin/jest a --verbose",
            "jest --ci a",
            "npx jest --reporters default a",
        ][..],
        &["mocha a", "npx mocha -R dot a", "mocha --reporter=spec a"],
        &["vitest run a", "npx vitest run a --reporter verbose"],
        &["npm test", "npm run test --silent", "npm test --no-color"],
        &[
            "./gradlew test",
            "./gradlew test --info --stacktrace",
            "./gradlew -q test",
        ],
        &[
            "mvn test",
            "mvn -q test",
            "mvn -B -ntp test 2>&1 | tail -40",
        ],
        &[
            "cargo test a",
            "cargo test a --color always",
            "cargo test a -- --nocapture",
        ],
        &["go test ./...", "go test -v -count=1 ./..."],
        &[
            "dotnet test",
            "dotnet test --nologo -v q",
            "dotnet test --logger:console",
        ],
        &[
            "rspec a",
            "bundle exec rspec a --format documentation",
            "bin/rspec -fd a",
        ],
        &[
            "vendor/bin/phpunit a",
            "phpunit --colors=always --testdox a",
        ],
    ] {
        same(spellings);
    }
}

#[test]
fn a_program_lies_where_its_path_says() {
    same(&["./mvnw test --", "././mvnw test", "./././mvnw test"]);
    same(&["./a.py x", "././a.py x"]);
    same(&["tools/lint x", "./tools/lint x"]);
}
