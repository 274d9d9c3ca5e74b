use super::*;
use crate::{facts::shell, options::CompareCalls};

/// What a call has to do with waiting, with the effect and kind that its name gives it.
fn polling(tool: &str, args: &str) -> Polling {
    let args = Json::parse(args).unwrap();
    let args = Args::new(args.view());
    let command = shell::command(tool, &args, CompareCalls::Standard);
    let insight = command
        .as_deref()
        .and_then(|command| shell::understand(tool, &args, command));
    let name = ToolWords::of(tool);
    let call = crate::Call::new("", tool, Json::empty_object());
    let effect = super::super::effect::of(&call, name, &args, command.as_deref(), insight.as_ref());
    let kind = command.as_deref().map_or(Command::None, |command| {
        shell::classify(command, insight.as_ref(), CompareCalls::Standard)
    });
    of_call(name, &args, command.as_deref(), (effect, kind))
}

#[test]
fn calls_that_wait_tell_by_name_or_action() {
    for (tool, args) in [
        ("bash", r#"{"command":""}"#),
        ("bash", r#"{"command":"sleep 30"}"#),
        ("process", r#"{"action":"poll","id":1}"#),
        ("write_stdin", r#"{"session":2}"#),
        ("WaitForJob", "{}"),
    ] {
        assert!(polling(tool, args).is_certain(), "{tool} {args}");
    }
    for (tool, args) in [
        ("bash", r#"{"command":"pytest -q"}"#),
        ("bash", r#"{"command":"cat build.log"}"#),
        ("read_file", r#"{"path":"poll.py"}"#),
        ("git_status", "{}"),
        ("process", r#"{"action":"kill"}"#),
    ] {
        assert!(!polling(tool, args).is_certain(), "{tool} {args}");
    }
}

#[test]
fn a_sleep_before_something_else_counts_by_its_length() {
    for (command, expected) in [
        ("sleep 0", Polling::Sleeps),
        ("sleep 30\n", Polling::Sleeps),
        ("wait", Polling::Sleeps),
        ("wait %1", Polling::Sleeps),
        ("sleep 60 && kubectl get pods", Polling::Sleeps),
        ("sleep 1m; cat build.log", Polling::Sleeps),
        ("sleep 5; ./deploy.sh", Polling::Asks),
        ("sleep 1 2 && ./deploy.sh", Polling::Asks),
        ("sleep 0; ./deploy.sh", Polling::IfSeen),
        ("sleep 0.99; ./deploy.sh", Polling::IfSeen),
        ("sleep 60 & ./deploy.sh", Polling::IfSeen),
        ("sleep 60 x; ./deploy.sh", Polling::IfSeen),
        ("sleep 1e9; ./deploy.sh", Polling::IfSeen),
        ("sleep inf; ./deploy.sh", Polling::IfSeen),
        ("sleep 60 --help; ./deploy.sh", Polling::IfSeen),
        ("sleep $(./deploy.sh)", Polling::IfSeen),
        ("wait; ./deploy.sh", Polling::IfSeen),
    ] {
        let args = format!(r#"{{"command":{}}}"#, Json::string(command).as_str());
        assert_eq!(polling("bash", &args), expected, "{command}");
    }
    assert_eq!(
        polling(
            "write_file",
            r#"{"action":"output","path":"x","content":"y"}"#
        ),
        Polling::Never
    );
}

#[test]
fn results_of_reads_listings_searches_changes_and_tests_are_data() {
    for (tool, args) in [
        ("read_file", r#"{"path":"states.py"}"#),
        ("list_dir", r#"{"dir":"."}"#),
        ("web_search", r#"{"query":"x"}"#),
        ("file_info", r#"{"file_path":"a"}"#),
        ("git_status", "{}"),
        ("send_message", r#"{"text":"x"}"#),
        ("bash", r#"{"command":"ls -la"}"#),
        ("bash", r#"{"command":"grep -rn pending src | head"}"#),
        ("bash", r#"{"command":"pytest -q"}"#),
    ] {
        assert_eq!(polling(tool, args), Polling::Never, "{tool} {args}");
    }
    for (tool, args) in [
        ("bash", r#"{"command":"curl -s https://api.example/job/7"}"#),
        ("bash", r#"{"command":"./deploy.sh"}"#),
        ("http_get", r#"{"url":"https://api.example/items"}"#),
        ("get_job", r#"{"id":7}"#),
    ] {
        assert_eq!(polling(tool, args), Polling::IfSeen, "{tool} {args}");
    }
    assert_eq!(polling("get_build_status", r#"{"id":7}"#), Polling::IfSaid);
}

fn waits(text: &str, ending: Ending) -> bool {
    of_result(Polling::IfSeen, Some(&Json::string(text)), ending).is_some()
}

#[test]
fn results_that_say_to_wait_are_short_and_say_so() {
    for text in [
        "pending",
        "(session 2 still running)",
        "Job is QUEUED",
        r#"{"status":"running"}"#,
        "Running…",
        "still building.",
    ] {
        assert!(waits(text, Ending::Success), "{text}");
    }
    let long = "running ".repeat(40);
    for text in ["done", "step 3 of 9", "3 passed", &long] {
        assert!(!waits(text, Ending::Success), "{text}");
    }
    assert!(of_result(Polling::IfSeen, None, Ending::Success).is_none());
    let pending = Json::string("pending");
    assert!(of_result(Polling::Never, Some(&pending), Ending::Success).is_none());
}

#[test]
fn words_count_whole_and_numbers_as_status_codes() {
    for text in [
        "app.py running.log setup.py",
        "is_running = false",
        "src/pending/a.py",
        "prerunning checks done",
        "non-pending",
        "distillations",
    ] {
        assert!(!waits(text, Ending::Success), "{text}");
    }
    for text in [
        "503 Service Unavailable: upstream connect error",
        "HTTP/1.1 503",
        r#"{"status":429}"#,
        "request failed with status code 502",
        "Error: 504",
        "upstream is overloaded",
    ] {
        assert!(waits(text, Ending::Failure), "{text}");
    }
    for text in [
        "404 not found",
        "the job is running",
        "SyntaxError at line 5031",
        "SyntaxError at line 503",
        "wrote 429 bytes of 4290",
        "v1.503",
    ] {
        assert!(!waits(text, Ending::Failure), "{text}");
    }
}
