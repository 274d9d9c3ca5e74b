use clap::CommandFactory as _;

use super::Args;

#[test]
fn the_definition_of_the_command_line_is_sound() {
    Args::command().debug_assert();
}

/// Lines of examples are pasted into a shell, so a terminal of 80 columns must not break them.
#[test]
fn no_line_of_the_examples_is_wrapped() {
    fn visit(command: &clap::Command) {
        let help = command.get_after_help();
        let help = help.map(ToString::to_string).unwrap_or_default();
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(visit);
    }
    visit(&Args::command());
}

#[test]
fn every_command_teaches_by_example() {
    fn visit(command: &clap::Command) {
        for command in command.get_subcommands().filter(|one| !one.is_hide_set()) {
            let name = command.get_name();
            let help = command.get_after_help().expect(name).to_string();
            assert!(help.starts_with("Examples:\n"), "{name}");
            assert!(command.get_long_about().is_some(), "{name}");
            visit(command);
        }
    }
    visit(&Args::command());
}
