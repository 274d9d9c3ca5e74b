use clap::CommandFactory as _;

use super::*;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn every_task_has_a_help() {
    let command = Cli::command();
    for task in command.get_subcommands() {
        assert!(task.get_about().is_some(), "{}", task.get_name());
    }
}

#[test]
fn words_for_other_programs_are_passed_on_as_they_are() {
    let words = |line: &[&str]| match Cli::try_parse_from(line).unwrap().task {
        Task::Bench { words } | Task::Eval { words } => words,
        other => panic!("{other:?}"),
    };
    let bench = ["xtask", "bench", "--bench", "worst", "--", "--check"];
    assert_eq!(words(&bench), bench[2..]);
    let eval = ["xtask", "eval", "--help", "runs.xz", "--write-docs"];
    assert_eq!(words(&eval), eval[2..]);
}
