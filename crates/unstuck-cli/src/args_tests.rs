use super::command;

#[test]
fn the_definition_of_the_command_line_is_sound() {
    command().debug_assert();
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
    visit(&command());
}

#[test]
fn every_command_teaches_by_example() {
    fn visit(command: &clap::Command) {
        for command in command
            .get_subcommands()
            .filter(|one| one.get_name() != "generate")
        {
            let name = command.get_name();
            let help = command.get_after_help().expect(name).to_string();
            assert!(help.starts_with("Examples:\n"), "{name}");
            assert!(command.get_long_about().is_some(), "{name}");
            visit(command);
        }
    }
    visit(&command());
}

/// Words that an argument's help needs at least: "The log." explains nothing.
const LEAST_WORDS: usize = 4;

#[test]
fn every_argument_and_value_is_explained() {
    fn visit(command: &clap::Command, faults: &mut Vec<String>) {
        let words = |text: &str| text.split_whitespace().count();
        for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
            let id = argument.get_id().as_str();
            if matches!(id, "help" | "version") {
                continue;
            }
            let help = argument.get_long_help().or(argument.get_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            if words(&help) < LEAST_WORDS {
                faults.push(format!("{} {id}: {help:?}", command.get_name()));
            }
            for value in argument.get_possible_values() {
                let is_bool = matches!(value.get_name(), "true" | "false");
                // Shells are names.
                if value.get_help().is_none() && !is_bool && id != "shell" {
                    let name = value.get_name();
                    faults.push(format!("{} {id}={name}: no help", command.get_name()));
                }
            }
        }
        for command in command.get_subcommands() {
            let about = command.get_about().map(ToString::to_string);
            if about.as_deref().map_or(0, words) < 3 {
                faults.push(format!("{}: {about:?}", command.get_name()));
            }
            visit(command, faults);
        }
    }
    let mut faults = Vec::new();
    visit(&command(), &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn general_options_are_taken_at_every_level() {
    fn visit(command: &clap::Command) {
        for long in ["quiet", "verbose", "color"] {
            let mut arguments = command.get_arguments();
            assert!(
                arguments.any(|one| one.get_long() == Some(long)),
                "{} --{long}",
                command.get_name()
            );
        }
        command.get_subcommands().for_each(visit);
    }
    visit(&command());
}

#[test]
fn every_command_has_its_own_row() {
    let mut names: Vec<_> = crate::commands::ALL.iter().map(|row| row.name).collect();
    let rows = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows);
    assert_eq!(command().get_subcommands().count(), rows);
}
