//! What commands do, write and are for.

use unstuck_shell::{Effect, Purpose};

use super::insight;

fn written(command: &str) -> Vec<String> {
    let insight = insight(command);
    assert_eq!(insight.effect, Effect::Writes, "{command}");
    insight.written
}

#[test]
fn looking_changes_nothing() {
    for command in [
        "ls -la",
        "cat a | grep x | sort | uniq -c | head",
        "cd a && ls 2>/dev/null",
        "sed -n 1,5p a",
        "sed s/a/b/ f",
        "grep -- '->' a",
        "grep 'a > b' f",
        "find . -name '*.py' 2>&1 | head",
        "cat a && echo ---",
        "bash -c 'ls; cat a'",
    ] {
        assert_eq!(insight(command).effect, Effect::Reads, "{command}");
    }
}

#[test]
fn what_is_not_recognised_is_unknown() {
    for command in [
        "make",
        "python fix.py",
        "python -c 'open(\"a\", \"w\") > 1'",
        "python - <<E\ncat > f\nE",
        "git status",
        "cargo test 2>&1 | tail -5",
        "cat $(make)",
        "find . -exec cat {} +",
        "echo hello",
        "npm run build",
        "go mod graph",
        "go build ./...",
        "dotnet build",
        "bundle list",
        "composer show",
        "uv pip list",
    ] {
        assert_eq!(insight(command).effect, Effect::Unknown, "{command}");
    }
}

#[test]
fn written_paths_are_told() {
    assert_eq!(written("echo x > a"), ["a"]);
    assert_eq!(written("cat b >> ./a"), ["a"]);
    assert_eq!(written("cat > f.py <<EOF\nrm -rf x\nEOF"), ["f.py"]);
    assert_eq!(written("cd /r && make | tee log.txt"), ["/r/log.txt"]);
    assert_eq!(written("sed -i s/a/b/ f g"), ["f", "g"]);
    assert_eq!(written("sed -i -e s/a/b/ f"), ["f"]);
    assert_eq!(written("rm -rf a b"), ["a", "b"]);
    assert_eq!(written("cp a b"), ["b"]);
    assert_eq!(written("mv a b"), ["a", "b"]);
    assert_eq!(written("chmod +x a"), ["a"]);
    assert_eq!(written("mkdir -p a && touch a/b"), ["a", "a/b"]);
    assert_eq!(written("bash -c 'cd x; touch y'"), ["x/y"]);
    assert_eq!(written("for f in a b; do echo x > c; done"), ["c"]);
    assert_eq!(
        written(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\nEOF"
        ),
        ["a.py"]
    );
    for command in [
        "git commit -m x",
        "git apply p",
        "pip install x",
        "npm ci",
        "yarn add x",
        "pnpm up",
        "bun install",
        "cargo update",
        "go mod tidy",
        "dotnet restore",
        "dotnet tool install x",
        "gem install x",
        "bundle install",
        "composer require x/y",
        "uv pip install x",
        "poetry add x",
        "python -m pip install x",
        "patch -p1",
        "echo x > $f",
    ] {
        assert!(written(command).is_empty(), "{command}");
    }
    assert_eq!(written(&format!("rm {}", "a ".repeat(100))).len(), 16);
}

#[test]
fn running_tests_is_told_from_looking_at_them() {
    let purpose = |command: &str| insight(command).purpose;
    for command in [
        "pytest -q",
        "cd repo && python -m pytest tests/",
        "cargo test -p x 2>&1 | tail -40",
        "npm test",
        "npx jest",
        "FOO=1 go test ./...",
        "timeout 60 tox",
        "python manage.py test",
        "python tests/runtests.py forms",
        "python /testbed/test_x.py",
        "./run_tests.sh",
        "sh test.sh",
        "bash scripts/run_tests.sh --fast",
        "bin/test sympy/core",
        "bash -c 'pytest a'",
        "poetry run pytest",
        "for i in 1 2; do pytest; done",
        "python -m unittest a",
        // JavaScript
        "npm t",
        "npm --prefix web run test:unit -- --watch=false",
        "yarn test",
        "yarn jest src",
        "pnpm --filter app test",
        "pnpm exec vitest run",
        "bun test",
        "npx mocha --reporter dot",
        "npx playwright test",
        "node --test",
        "./node_modules/.bin/jest",
        // Java
        "mvn -q test",
        "./mvnw verify -Dtest=ATest",
        "./gradlew test --tests ATest",
        "gradle check",
        // Go and Rust
        "go test -run X ./...",
        "gotestsum ./...",
        "cargo +nightly test",
        "cargo nextest run",
        // .NET
        "dotnet test --filter A",
        // Ruby
        "bundle exec rspec",
        "bin/rails test",
        "rake spec",
        "ruby -Itest test/a_test.rb",
        // PHP
        "vendor/bin/phpunit",
        "./vendor/bin/pest --filter x",
        "composer test",
        "php artisan test",
    ] {
        assert_eq!(purpose(command), Purpose::Tests, "{command}");
    }
    for command in [
        "cat tests/a.py",
        "ls test",
        "git checkout latest",
        "vim test.py",
        "echo test",
        "python /testbed/fix.py",
        "python -c 'import pytest'",
        "python latest.py",
        "pip install pytest",
        "npm install --save-dev jest",
        "npm run build",
        "yarn add vitest",
        "npm publish --tag latest",
        "node inspect.js",
        "mvn package -DskipTests",
        "./gradlew build -x test",
        "go get example.org/testify",
        "go vet ./...",
        "cargo build --tests",
        "cargo add test-log",
        "dotnet add package xunit.tests",
        "gem install rspec",
        "bundle install --with test",
        "composer require --dev phpunit/phpunit",
        "php artisan make:test A",
        "make manifest",
    ] {
        assert_eq!(purpose(command), Purpose::Other, "{command}");
    }
}

#[test]
fn questions_may_be_answered_with_no() {
    for command in [
        "grep x a",
        "cd r && grep -rn x .",
        "cat a | grep x",
        "rg x",
        "diff a b",
        "test -f a",
        "[ -f a ]",
        "[[ -f a ]]",
        "which tox",
        "command -v tox",
        "ls | grep x; echo $?",
    ] {
        assert_eq!(insight(command).purpose, Purpose::Asks, "{command}");
    }
    for command in ["cat a", "grep x a | head", "make", "grep x a && make"] {
        assert_eq!(insight(command).purpose, Purpose::Other, "{command}");
    }
}
