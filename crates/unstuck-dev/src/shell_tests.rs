use super::*;

#[test]
fn a_failure_names_the_command_and_its_exit_code() {
    let shell = Shell::at_repository_root().unwrap();
    let error = shell.cargo(["no-such-command"]).ignore_stderr().read();
    let text = error.unwrap_err().to_string();
    assert!(text.contains("cargo no-such-command`"), "{text}");
    assert!(text.contains("101"), "{text}");
}

#[test]
fn a_missing_program_is_named() {
    let shell = Shell::at_repository_root().unwrap();
    let error = shell.program("no-such-program").quiet().run().unwrap_err();
    assert!(error.to_string().contains("no-such-program"), "{error}");
}

#[test]
fn commands_run_at_the_root_with_the_tools_behind_the_programs_of_the_user() {
    let shell = Shell::at_repository_root().unwrap();
    assert!(shell.root().join("Cargo.lock").is_file());
    let path = shell.program("sh").args(["-c", "echo \"$PATH\""]).read();
    let last = shell.tools().join("bin");
    assert!(path.unwrap().ends_with(&last.display().to_string()));
}
