use super::*;

fn args(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn command(command: &str) -> Json {
    Json::from_serialize(&std::collections::BTreeMap::from([("command", command)])).unwrap()
}

fn fingerprint(tool: &str, text: &str) -> String {
    LoopDetector::fingerprint(tool, &args(text))
}

/// Records `read_file` calls; gives the numbers of those that were detected.
fn detected(detector: &mut LoopDetector, calls: &[&str]) -> Vec<usize> {
    let statuses = calls
        .iter()
        .map(|call| detector.record_tool_call("read_file", &args(call)));
    statuses
        .enumerate()
        .filter(|(_, status)| *status == LoopStatus::Detected)
        .map(|(at, _)| at + 1)
        .collect()
}

fn fresh(calls: &[&str]) -> Vec<usize> {
    detected(&mut LoopDetector::new(), calls)
}

/// The words that tell how urgent a prompt is.
fn urgency(detector: &LoopDetector) -> &'static str {
    match detector.prompt() {
        None => "none",
        Some(prompt) if prompt.contains("CRITICAL") => "critical",
        Some(prompt) if prompt.contains("WARNING") => "warning",
        Some(_) => "soft",
    }
}

#[test]
fn fingerprints_leave_out_what_does_not_matter() {
    let foo = fingerprint("read_file", r#"{"path":"foo"}"#);
    assert_eq!(foo, r#"read_file:{"path":"foo"}"#);
    assert_eq!(
        foo,
        fingerprint("read_file", r#"{"path":"foo","encoding":"utf-8"}"#)
    );
    assert_ne!(foo, fingerprint("read_file", r#"{"path":"bar"}"#));
    assert_ne!(foo, fingerprint("write_file", r#"{"path":"foo"}"#));
    assert_eq!(
        fingerprint("bash", r#"{"command":"ls -la"}"#),
        fingerprint("bash", r#"{"command":"ls -la","timeout":5}"#)
    );
    let page = |offset: u32, rest: &str| {
        fingerprint(
            "read_file",
            &format!(r#"{{"path":"foo","offset":{offset}{rest}}}"#),
        )
    };
    assert_ne!(page(0, ""), page(100, ""));
    assert_eq!(page(0, ""), page(0, r#","encoding":"utf-8""#));
}

#[test]
fn fingerprints_use_all_arguments_where_none_is_primary() {
    assert_eq!(fingerprint("t", r#"{"foo":"bar"}"#), r#"t:{"foo":"bar"}"#);
    assert_ne!(
        fingerprint("t", r#"{"foo":"bar"}"#),
        fingerprint("t", r#"{"foo":"baz"}"#)
    );
    assert_eq!(
        LoopDetector::fingerprint("tool", &Json::string("not-json")),
        "tool:not-json"
    );
}

#[test]
fn fingerprints_are_sorted() {
    assert_eq!(
        fingerprint("grep", r#"{"pattern":"x","path":"src","limit":3}"#),
        r#"grep:{"limit":3,"path":"src","pattern":"x"}"#
    );
}

#[test]
fn fingerprints_take_reads_of_a_file_for_one() {
    let shell = |line: &str| LoopDetector::fingerprint("bash", &command(line));
    for line in [
        "cat /src/foo.ts",
        "head -20 /src/foo.ts",
        "tail -200 /src/foo.ts",
        "wc -l /src/foo.ts",
    ] {
        assert_eq!(shell(line), "bash:file_read:/src/foo.ts");
    }
    assert_eq!(
        shell("tail -200 src/agent.ts"),
        "bash:file_read:src/agent.ts"
    );
    for line in [
        "cat foo.ts | grep x",
        "cat foo.ts > bar.ts",
        "npm test",
        "head -n 20 foo.ts",
        "sed -n 1,20p foo.ts",
    ] {
        assert_eq!(shell(line), format!("bash:{}", command(line)));
    }
    assert_ne!(
        LoopDetector::fingerprint("shell", &command("cat foo.ts")),
        "shell:file_read:foo.ts"
    );
}

#[test]
fn complex_commands_are_compared_by_all_their_arguments() {
    let shell = |extra: &str| {
        fingerprint(
            "bash",
            &format!(r#"{{"command":"cat a | wc -l","timeout":{extra}}}"#),
        )
    };
    assert_ne!(shell("1"), shell("2"));
}

#[test]
fn the_third_equal_call_is_a_doom_loop() {
    let mut detector = LoopDetector::new();
    assert_eq!(detected(&mut detector, &[r#"{"path":"/foo"}"#; 4]), [3]);
    let state = detector.state();
    assert!(state.doom_loop_detected);
    assert_eq!(state.consecutive_count, 4);
    assert_eq!(state.last_tool.as_deref(), Some("read_file"));
}

#[test]
fn different_files_are_no_loop() {
    let calls = ["/a", "/b", "/c", "/d"].map(|path| format!(r#"{{"path":"{path}"}}"#));
    assert_eq!(fresh(&calls.each_ref().map(String::as_str)), [0; 0]);
}

#[test]
fn the_fourth_similar_call_is_a_doom_loop_and_a_warning_at_once() {
    let mut detector = LoopDetector::new();
    let calls = [
        r#"{"path":"a"}"#,
        r#"{"path":"a","encoding":"utf-8"}"#,
        r#"{"path":"a","timeout":5}"#,
        r#"{"path":"a","lines":9}"#,
    ];
    assert_eq!(detected(&mut detector, &calls), [4]);
    assert_eq!(detector.state().consecutive_count, 4);
    assert_eq!(urgency(&detector), "warning");
}

#[test]
fn another_call_in_between_ends_the_row() {
    let mut detector = LoopDetector::new();
    let read = args(r#"{"path":"a"}"#);
    for tool in ["read_file", "read_file", "write_file", "read_file"] {
        assert_eq!(detector.record_tool_call(tool, &read), LoopStatus::Clear);
    }
    assert_eq!(detector.state().consecutive_count, 1);
}

#[test]
fn paging_through_a_file_is_no_loop() {
    let calls = [0, 100, 200, 300].map(|at| format!(r#"{{"path":"a","offset":{at}}}"#));
    assert_eq!(fresh(&calls.each_ref().map(String::as_str)), [0; 0]);
}

#[test]
fn equal_commands_are_a_doom_loop_of_the_shell() {
    let mut detector = LoopDetector::new();
    let test = command("npm test");
    let statuses: Vec<_> = (0..3)
        .map(|_| detector.record_tool_call("bash", &test))
        .collect();
    assert_eq!(
        statuses,
        [LoopStatus::Clear, LoopStatus::Clear, LoopStatus::Detected]
    );
    assert_eq!(detector.state().last_tool.as_deref(), Some("bash"));
}

#[test]
fn counts_end_at_ten_and_prompts_get_more_urgent() {
    let mut detector = LoopDetector::new();
    let read = args(r#"{"path":"a"}"#);
    let seen: Vec<_> = (0..13)
        .map(|_| {
            detector.record_tool_call("read_file", &read);
            (detector.state().consecutive_count, urgency(&detector))
        })
        .collect();
    let urgencies = [
        "none", "none", "soft", "warning", "warning", "critical", "critical", "critical",
        "critical", "critical", "critical", "critical", "critical",
    ];
    let counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
    assert_eq!(seen, counts.into_iter().zip(urgencies).collect::<Vec<_>>());
    let prompt = detector.prompt().unwrap();
    assert!(prompt.contains("doom loop") && prompt.contains("rejected"));
}

#[test]
fn the_first_prompt_speaks_of_a_stuck_state() {
    let mut detector = LoopDetector::new();
    detected(&mut detector, &[r#"{"path":"a"}"#; 3]);
    let prompt = detector.prompt().unwrap();
    assert!(prompt.contains("stuck state") && prompt.contains("read_file"));
}

#[test]
fn a_loop_that_comes_back_is_detected_again() {
    let (read, write) = (r#"{"path":"r"}"#, r#"{"path":"w"}"#);
    assert_eq!(fresh(&[read, read, read, write, read, read, read]), [3, 7]);
}

#[test]
fn ping_pong_is_no_loop() {
    assert_eq!(
        fresh(&[r#"{"path":"a"}"#, r#"{"path":"b"}"#].repeat(6)),
        [0; 0]
    );
}

#[test]
fn a_threshold_above_the_window_is_never_reached() {
    let mut detector = LoopDetector::with_threshold(12);
    assert_eq!(detected(&mut detector, &[r#"{"path":"a"}"#; 30]), [0; 0]);
}

#[test]
fn similar_calls_have_to_reach_the_exact_threshold_too() {
    let mut detector = LoopDetector::with_thresholds(5, 3);
    let calls: Vec<String> = (0..6)
        .map(|at| format!(r#"{{"path":"a","timeout":{at}}}"#))
        .collect();
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    assert_eq!(detected(&mut detector, &calls), [5]);
}

#[test]
fn a_threshold_of_zero_is_reached_by_the_first_call() {
    let mut detector = LoopDetector::with_threshold(0);
    assert_eq!(detected(&mut detector, &[r#"{"path":"a"}"#]), [1]);
    assert_eq!(urgency(&detector), "soft");
}

#[test]
fn the_fuzzy_threshold_is_one_more_unless_given() {
    let thresholds = |detector: LoopDetector| {
        let state = detector.state();
        (state.threshold, state.fuzzy_threshold)
    };
    assert_eq!(thresholds(LoopDetector::new()), (3, 4));
    assert_eq!(thresholds(LoopDetector::with_threshold(2)), (2, 3));
    assert_eq!(thresholds(LoopDetector::with_thresholds(2, 7)), (2, 7));
}

#[test]
fn reads_of_one_file_by_any_command_are_a_doom_loop() {
    let mut detector = LoopDetector::new();
    let statuses = [
        "cat foo.ts",
        "head -5 foo.ts",
        "tail -5 foo.ts",
        "wc -l foo.ts",
    ]
    .map(|line| detector.record_tool_call("bash", &command(line)));
    assert_eq!(statuses[2..], [LoopStatus::Clear, LoopStatus::Detected]);
}

#[test]
fn edits_of_one_file_are_taken_for_a_loop_as_in_the_original() {
    let mut detector = LoopDetector::new();
    let statuses = ["a", "b", "c", "d"].map(|new| {
        let edit = args(&format!(
            r#"{{"path":"a.ts","old_string":"x{new}","new_string":"{new}"}}"#
        ));
        detector.record_tool_call("edit_file", &edit)
    });
    assert_eq!(statuses[2..], [LoopStatus::Clear, LoopStatus::Detected]);
}

#[test]
fn exact_repeats_after_similar_ones_start_with_the_soft_text_again() {
    let mut detector = LoopDetector::new();
    let calls = [
        r#"{"path":"a","timeout":1}"#,
        r#"{"path":"a","timeout":2}"#,
        r#"{"path":"a"}"#,
        r#"{"path":"a"}"#,
    ];
    assert_eq!(detected(&mut detector, &calls), [4]);
    assert_eq!(urgency(&detector), "warning");
    let status = detector.record_tool_call("read_file", &args(r#"{"path":"a"}"#));
    assert_eq!(status, LoopStatus::Ongoing);
    assert_eq!(detector.state().consecutive_count, 3);
    assert_eq!(urgency(&detector), "soft");
}

/// Runs a shell command and tells how it ended.
fn shell(detector: &mut LoopDetector, line: &str, status: Status, output: &str) -> Option<String> {
    detector.record_tool_call("bash", &command(line));
    detector.record_result(status, Some(&Json::string(output)))
}

#[test]
fn three_failing_commands_in_a_row_are_a_cascade() {
    let mut detector = LoopDetector::new();
    assert_eq!(shell(&mut detector, "make a", Status::Error, "no"), None);
    assert_eq!(shell(&mut detector, "make b", Status::Error, "no"), None);
    let prompt = shell(&mut detector, "make c", Status::Error, "no").unwrap();
    assert!(prompt.contains("3 shell commands"), "{prompt}");
    assert!(!prompt.contains("write_file"), "{prompt}");
    assert_eq!(detector.bash_failures(), 3);
}

#[test]
fn a_cascade_of_file_commands_names_the_file_tools() {
    for line in ["cat nope.ts", "echo x > /etc/y", "sed -i s/a/b/ nope.ts"] {
        let mut detector = LoopDetector::new();
        shell(&mut detector, "make a", Status::Error, "no");
        shell(&mut detector, "make b", Status::Error, "no");
        let prompt = shell(&mut detector, line, Status::Error, "no").unwrap();
        for tool in ["read_file", "write_file", "edit_file"] {
            assert!(prompt.contains(tool), "{tool} in {prompt}");
        }
    }
}

#[test]
fn a_command_that_works_ends_the_cascade() {
    let mut detector = LoopDetector::new();
    shell(&mut detector, "make a", Status::Error, "no");
    shell(&mut detector, "make b", Status::Error, "no");
    shell(&mut detector, "make c", Status::Ok, "done");
    assert_eq!(detector.bash_failures(), 0);
}

#[test]
fn other_tools_do_not_touch_the_cascade() {
    let mut detector = LoopDetector::new();
    shell(&mut detector, "make a", Status::Error, "no");
    detector.record_tool_call("read_file", &args(r#"{"path":"a"}"#));
    detector.record_result(Status::Ok, Some(&Json::string("text")));
    shell(&mut detector, "make b", Status::Error, "no");
    assert_eq!(detector.bash_failures(), 2);
}

#[test]
fn a_command_without_a_result_counts_for_nothing() {
    let mut detector = LoopDetector::new();
    for line in ["make a", "make b", "make c"] {
        detector.record_tool_call("bash", &command(line));
    }
    assert_eq!(detector.bash_failures(), 0);
    assert!(detector.record_result(Status::Error, None).is_none());
    assert_eq!(detector.bash_failures(), 1);
    detector.record_result(Status::Error, None);
    assert_eq!(detector.bash_failures(), 1, "a call has one result");
}

#[test]
fn three_failing_test_runs_with_edits_between_are_a_cycle() {
    let mut detector = LoopDetector::new();
    let mut prompts = Vec::new();
    for edit in ["a", "b", "c"] {
        let edit = args(&format!(r#"{{"path":"a.ts","content":"{edit}"}}"#));
        detector.record_tool_call("write_file", &edit);
        detector.record_result(Status::Ok, Some(&Json::string("written")));
        prompts.push(shell(&mut detector, "npm test", Status::Ok, "1 failed"));
    }
    assert_eq!(detector.test_failures(), 3);
    assert_eq!(prompts[..2], [None, None]);
    let prompt = prompts[2].as_ref().unwrap();
    assert!(prompt.contains("DIFFERENT fix strategy"), "{prompt}");
}

#[test]
fn test_runs_that_pass_reset_and_mixed_ones_fail() {
    let mut detector = LoopDetector::new();
    shell(&mut detector, "pytest", Status::Ok, "FAILED");
    shell(&mut detector, "pytest", Status::Ok, "5 passed");
    assert_eq!(detector.test_failures(), 0);
    shell(&mut detector, "pytest", Status::Ok, "5 passed, 2 failed");
    assert_eq!(detector.test_failures(), 1);
    shell(&mut detector, "pytest", Status::Ok, "collecting");
    assert_eq!(detector.test_failures(), 1);
}

#[test]
fn the_second_turn_of_words_is_a_summary_loop() {
    let mut detector = LoopDetector::new();
    assert_eq!(detector.record_text_only_turn(), None);
    assert!(detector.record_text_only_turn().is_some());
    assert_eq!(detector.text_only_turns(), 2);
    detector.record_tool_call("read_file", &args(r#"{"path":"a"}"#));
    assert_eq!(detector.text_only_turns(), 0);
    assert_eq!(detector.record_text_only_turn(), None);
    assert_eq!(detector.text_only_turns(), 1);
    assert!(detector.record_text_only_turn().is_some());
}

#[test]
fn a_reset_keeps_the_thresholds() {
    let mut detector = LoopDetector::with_thresholds(2, 6);
    detected(&mut detector, &[r#"{"path":"a"}"#; 3]);
    shell(&mut detector, "pytest", Status::Error, "FAILED");
    detector.record_text_only_turn();
    detector.reset();
    assert_eq!(*detector.state(), LoopDetectionState::new(2, 6));
    assert_eq!(detector.prompt(), None);
    let counters = (
        detector.bash_failures(),
        detector.test_failures(),
        detector.text_only_turns(),
    );
    assert_eq!(counters, (0, 0, 0));
    assert_eq!(detected(&mut detector, &[r#"{"path":"a"}"#; 3]), [2]);
}
