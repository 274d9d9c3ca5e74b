use super::*;

#[test]
fn a_failure_names_command_place_and_exit_code() {
    let shell = Shell::at_repository_root().unwrap();
    let error = shell.cargo(["no-such-command"]).read().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("cargo no-such-command` in "), "{text}");
    assert!(text.contains("exit status: 101"), "{text}");
}

#[test]
fn a_missing_program_is_named() {
    let shell = Shell::at_repository_root().unwrap();
    let error = shell.program("no-such-program").run().unwrap_err();
    assert_eq!(error.to_string(), "cannot run `no-such-program`");
}

#[test]
fn environment_is_part_of_what_is_shown() {
    let shell = Shell::at_repository_root().unwrap();
    let command = shell
        .program("tool")
        .env("FLAGS", "-D warnings")
        .arg("build");
    assert_eq!(command.to_string(), "FLAGS=\"-D warnings\" tool build");
}
