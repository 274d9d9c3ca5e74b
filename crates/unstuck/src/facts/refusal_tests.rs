use super::*;

fn failed(tool: &str, text: &str) -> Refused {
    of(Some(&Json::string(text)), true, tool, Speaker::Tool)
}

fn succeeded(tool: &str, text: &str) -> Refused {
    of(Some(&Json::string(text)), false, tool, Speaker::Tool)
}

fn is_form(refused: Refused) -> bool {
    matches!(refused, Refused::Form(_))
}

#[test]
fn hosts_say_in_many_ways_that_there_is_no_such_tool() {
    for text in [
        "Error: hex is not a valid tool, try one of [shell, read_file].",
        "<tool_use_error>Error: No such tool available: hex</tool_use_error>",
        "unsupported call: hex",
        "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'hex'. Available tools: bash.",
        "Tool \"hex\" not found in registry.",
        "Tool 'hex' does not exist.",
        "Unknown tool: hex",
        "MCP error -32602: Tool hex not found",
        "Error: Function hex not found.",
        "Action 'hex' don't exist, these are the only available Actions:",
        "Cannot execute 'hex': unknown command.",
    ] {
        assert_eq!(failed("hex", text), Refused::UnknownTool, "{text}");
    }
}

#[test]
fn hosts_say_in_many_ways_that_arguments_are_wrong() {
    for text in [
        "ERROR:\nParameter `old_str` is required for command: str_replace.",
        "<tool_use_error>InputValidationError: Write failed due to the following issue:\nThe required parameter `file_path` is missing</tool_use_error>",
        "failed to parse function arguments: missing field `cmd` at line 1 column 10",
        "The write tool was called with invalid arguments: SchemaError(Missing key\n  at [\"path\"]).",
        "params must have required property 'path'",
        "1 validation error for Write\npath\n  Field required [type=missing, input_value={'content': 'x'}]",
        "TypeError: write() got an unexpected keyword argument 'file'",
        "Error: write() missing 1 required positional argument: 'path'",
        "Invalid todo arguments: op must be operation to apply (was missing)",
        "{\"error\":\"action is required\"}",
        "Missing value for required parameter 'path'. Please retry.",
        "Tool input is not valid JSON: unexpected end",
        "Unrecognized key(s) in object: 'file'",
    ] {
        assert!(is_form(failed("write", text)), "{text}");
    }
    for text in [
        "MCP error -32602: limit is out of range",
        "InputValidationError: [{\"code\":\"too_small\",\"path\":[\"query\"]}]",
    ] {
        assert!(
            matches!(failed("search", text), Refused::Value(_)),
            "{text}"
        );
    }
}

#[test]
fn what_ran_and_failed_was_not_refused() {
    for text in [
        "File not found: tool.py",
        "Tool 'edit' failed: file not found",
        "No replacement was performed, old_str `x` did not appear verbatim",
        "Invalid `path` parameter: /a. The path /a does not exist.",
        "authentication is required",
        "TypeError: f() missing 1 required positional argument: 'x'",
        "[Errno 22] Invalid argument: 'a'",
        "config.json is not valid JSON",
        "ENOENT: no such file or directory, open 'function.py'",
    ] {
        assert_eq!(failed("edit", text), Refused::No, "{text}");
    }
}

#[test]
fn the_words_of_code_are_not_the_hosts() {
    let of_code = |text| of(Some(&Json::string(text)), true, "bash", Speaker::Code);
    assert_eq!(of_code("error: unknown command 'hex'"), Refused::No);
    assert_eq!(
        of_code("usage: x\nx: error: missing required argument"),
        Refused::No
    );
    assert!(is_form(of_code(
        "<tool_use_error>InputValidationError: Bash failed due to the following issues:\nThe required parameter `command` is missing"
    )));
}

#[test]
fn a_success_may_be_a_refusal_if_it_says_so_at_once() {
    assert!(is_form(succeeded(
        "create",
        "ERROR: Parameter `file_text` is required for command: create"
    )));
    assert_eq!(
        succeeded(
            "suggest_fix",
            "The result of that command is: Command suggest_fix returned: Error: Cannot execute 'suggest_fix': unknown command."
        ),
        Refused::UnknownTool
    );
    assert_eq!(
        succeeded(
            "read",
            "def f():\n    raise Error('missing required argument')"
        ),
        Refused::No
    );
    let page = format!("Error: missing required argument {}", "x".repeat(2_000));
    assert_eq!(succeeded("read", &page), Refused::No);
    assert_eq!(of(None, true, "x", Speaker::Tool), Refused::No);
}

#[test]
fn a_complaint_is_the_same_whatever_the_values() {
    let complaint = |value: &str| {
        failed(
            "write",
            &format!(
                "1 validation error for Write\npath\n  Field required [type=missing, input_value={value}]"
            ),
        )
    };
    assert_eq!(complaint("{'content': 'a'}"), complaint("{'content': 'b'}"));
    assert_ne!(
        failed("w", "missing field `a`"),
        failed("w", "missing field `b`")
    );
}
