use super::*;

#[test]
fn the_page_and_the_readme_are_in_the_repository_wherever_the_task_is_called() {
    let shell = Shell::at_repository_root().unwrap();
    let words = ["runs.jsonl", "--write-docs", "--set", "a"].map(str::to_owned);
    let place = |name| shell.root().join(name).display().to_string();
    assert_eq!(
        arguments(&shell, &words),
        [
            "runs.jsonl",
            &format!("--write-docs={}", place("docs/quality.md")),
            &format!("--write-readme={}", place("README.md")),
            "--set",
            "a"
        ]
    );
}

#[test]
fn another_page_stays_where_it_was_asked_for() {
    let shell = Shell::at_repository_root().unwrap();
    let words = ["--write-docs=other.md".to_owned()];
    assert_eq!(arguments(&shell, &words), words);
}
