use super::*;

fn waits(tool: &str, args: &str) -> bool {
    let args = Json::parse(args).unwrap();
    let args = Args::new(args.view());
    let command = super::super::shell::command(tool, &args, super::super::Scheme::Standard);
    of_call(ToolName::of(tool), &args, command.as_deref()) != Waits::No
}

#[test]
fn calls_that_wait_tell_by_name_or_action() {
    assert!(waits("bash", r#"{"command":""}"#));
    assert!(waits("bash", r#"{"command":"sleep 30"}"#));
    assert!(waits("process", r#"{"action":"poll","id":1}"#));
    assert!(waits("write_stdin", r#"{"session":2}"#));
    assert!(waits("WaitForJob", "{}"));
    for (tool, args) in [
        ("bash", r#"{"command":"pytest -q"}"#),
        ("bash", r#"{"command":"cat build.log"}"#),
        ("read_file", r#"{"path":"poll.py"}"#),
        ("git_status", "{}"),
        ("process", r#"{"action":"kill"}"#),
    ] {
        assert!(!waits(tool, args), "{tool} {args}");
    }
}

#[test]
fn answers_that_say_to_wait_are_short_and_say_so() {
    let success = |text: &str| outcome_waits(Some(&Json::string(text)), Ending::Success);
    for text in [
        "pending",
        "(session 2 still running)",
        "Job is QUEUED",
        r#"{"status":"running"}"#,
    ] {
        assert!(success(text), "{text}");
    }
    for text in ["done", "step 3 of 9", "3 passed", &"running ".repeat(40)] {
        assert!(!success(text), "{text}");
    }
    let failure = |text: &str| outcome_waits(Some(&Json::string(text)), Ending::Failure);
    assert!(failure("503 Service Unavailable: upstream connect error"));
    assert!(!failure("404 not found") && !failure("the job is running"));
    assert!(!outcome_waits(None, Ending::Success));
}
