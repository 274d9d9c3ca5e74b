//! Phrases of hosts that did not run a call.

use super::{ANY, Phrase, phrase};

/// There is no such tool.
pub(crate) const UNKNOWN_TOOL: [Phrase; 16] = [
    phrase(
        "invalid tool name",
        ANY,
        "Error: Invalid tool name: fetch_page",
        "Error: invalid name of a tool bar",
    ),
    phrase(
        "no such tool",
        "Claude Code",
        "<tool_use_error>Error: No such tool available: fetch_page</tool_use_error>",
        "no such file: tools/fetch_page",
    ),
    phrase(
        "no tool called",
        ANY,
        "There is no tool called fetch_page.",
        "No function of the tool was called.",
    ),
    phrase(
        "no tool named",
        ANY,
        "No tool named `fetch_page` is registered.",
        "No user named tool",
    ),
    phrase(
        "no tool with",
        ANY,
        "No tool with the name fetch_page",
        "No toolbox with a lid",
    ),
    phrase(
        "non-existent tool",
        ANY,
        "You called a non-existent tool: fetch_page",
        "the file tool.py is non-existent",
    ),
    phrase(
        "nonexistent tool",
        ANY,
        "Attempted to call nonexistent tool fetch_page",
        "the path tool/a is nonexistent",
    ),
    phrase(
        "not a known tool",
        ANY,
        "fetch_page is not a known tool",
        "fetch_page is not a known host",
    ),
    phrase(
        "not a recognized tool",
        ANY,
        "'fetch_page' is not a recognized tool.",
        "'grpe' is not recognized as an internal or external command",
    ),
    phrase(
        "not a valid tool",
        "LangChain",
        "Error: fetch_page is not a valid tool, try one of [search].",
        "Error: tool.json is not a valid file",
    ),
    phrase(
        "tool name not found",
        ANY,
        "Tool name not found: fetch_page",
        "name not found in tool.json",
    ),
    phrase(
        "tool not found",
        ANY,
        "Error: Tool not found",
        "Error: file not found: tool",
    ),
    phrase(
        "unavailable tool",
        "OpenCode",
        "Model tried to call unavailable tool 'fetch_page'.",
        "the tool's server is unavailable",
    ),
    phrase(
        "unknown tool",
        "MCP",
        "Unknown tool: fetch_page",
        "Unknown host: tool.example.org",
    ),
    phrase(
        "unrecognized tool",
        ANY,
        "Unrecognized tool fetch_page",
        "Unrecognized file type of tool.bin",
    ),
    phrase(
        "unsupported call",
        "Codex",
        "unsupported call: fetch_page",
        "unsupported protocol for call 7",
    ),
];

/// There is no such tool, in words that programs use as well: they count only beside the tool's name.
pub(crate) const UNKNOWN_NAME: [Phrase; 6] = [
    phrase(
        "-32601",
        "JSON-RPC",
        "MCP error -32601: fetch_page",
        "MCP error -32601: resources/list",
    ),
    phrase(
        "function not found",
        ANY,
        "Function not found: fetch_page",
        "function not found: main",
    ),
    phrase(
        "no such function",
        ANY,
        "no such function: fetch_page",
        "no such function: strftimes",
    ),
    phrase(
        "unknown action",
        ANY,
        "Unknown action: fetch_page",
        "Unknown action: restrat",
    ),
    phrase(
        "unknown command",
        ANY,
        "Cannot execute 'fetch_page': unknown command.",
        "npm error: unknown command 'isntall'",
    ),
    phrase(
        "unknown function",
        ANY,
        "unknown function fetch_page",
        "unknown function sqrtt in formula",
    ),
];

/// Phrases before the name of a tool that does not exist.
pub(crate) const BEFORE_NAME: [Phrase; 3] = [
    phrase(
        "action",
        ANY,
        "Action 'fetch_page' does not exist",
        "Page 'fetch_page' does not exist",
    ),
    phrase(
        "function",
        "OpenAI",
        "Error: Function fetch_page not found.",
        "Error: Module fetch_page not found.",
    ),
    phrase(
        "tool",
        ANY,
        "Tool \"fetch_page\" not found in registry.",
        "Package \"fetch_page\" not found in registry.",
    ),
];

/// Phrases after the name of a tool that does not exist.
pub(crate) const BEHIND_NAME: [Phrase; 10] = [
    phrase(
        "does not exist",
        ANY,
        "Tool fetch_page does not exist.",
        "Tool fetch_page failed: /a does not exist.",
    ),
    phrase(
        "doesn't exist",
        ANY,
        "The tool 'fetch_page' doesn't exist.",
        "The tool 'fetch_page' says that /a doesn't exist.",
    ),
    phrase(
        "don't exist",
        "AgentScope",
        "Action 'fetch_page' don't exist, these are the only available Actions:",
        "Action 'fetch_page' failed: these links don't exist",
    ),
    phrase(
        "is not a valid",
        ANY,
        "Function fetch_page is not a valid function.",
        "Function fetch_page got a link that is not a valid one",
    ),
    phrase(
        "is not available",
        ANY,
        "Tool fetch_page is not available in this mode",
        "Tool fetch_page failed: the page is not available",
    ),
    phrase(
        "is not registered",
        ANY,
        "Function 'fetch_page' is not registered",
        "Function 'fetch_page' failed: the user is not registered",
    ),
    phrase(
        "is not supported",
        ANY,
        "Tool fetch_page is not supported",
        "Tool fetch_page failed: ftp is not supported",
    ),
    phrase(
        "is unknown",
        ANY,
        "tool 'fetch_page' is unknown",
        "tool 'fetch_page' failed: the host is unknown",
    ),
    phrase(
        "not available",
        ANY,
        "Tool fetch_page not available",
        "Tool fetch_page: server not available",
    ),
    phrase(
        "not found",
        "MCP",
        "MCP error -32602: Tool fetch_page not found",
        "Tool fetch_page: HTTP 404 not found",
    ),
];

/// Phrases of hosts about calls that pass a command or code. Output of a command may contain any of the phrases above.
pub(crate) const OF_THE_HOST: [Phrase; 5] = [
    phrase(
        "-32602",
        "JSON-RPC",
        "MCP error -32602: Tool fetch_page not found",
        "error: required parameter x",
    ),
    phrase(
        "called with invalid arguments",
        "OpenCode",
        "The bash tool was called with invalid arguments: SchemaError(Missing key)",
        "f called with 2 arguments: missing field",
    ),
    phrase(
        "failed to parse function arguments",
        "Codex",
        "failed to parse function arguments: missing field `cmd`",
        "failed to parse arguments: --cmd",
    ),
    phrase(
        "inputvalidationerror",
        "Claude Code",
        "InputValidationError: Bash failed due to the following issue",
        "InputError: missing required option",
    ),
    phrase(
        "no such tool available",
        "Claude Code",
        "Error: No such tool available: fetch_page",
        "error: no such tool",
    ),
];

/// Beginnings of failures that are reported as successes.
pub(crate) const COMPLAINTS: [Phrase; 10] = [
    phrase(
        "error",
        ANY,
        "Error: missing field `url`",
        "The page says: missing field `url`",
    ),
    phrase(
        "failed",
        ANY,
        "Failed to parse arguments: expected value",
        "It says: failed to parse arguments",
    ),
    phrase(
        "invalid",
        ANY,
        "Invalid arguments: limit must be positive",
        "The manual: invalid arguments are refused",
    ),
    phrase(
        "mcp error",
        "MCP",
        "MCP error -32602: limit is out of range",
        "About -32602: the limit is out of range",
    ),
    phrase(
        "missing",
        ANY,
        "Missing required parameter: url",
        "He is missing. Required parameter: hope",
    ),
    phrase(
        "no such",
        ANY,
        "No such tool: fetch_page",
        "There was no such tool in 1900",
    ),
    phrase(
        "tool ",
        ANY,
        "Tool fetch_page not found",
        "The tool fetch_page not found yet",
    ),
    phrase(
        "tool_use_error",
        "Claude Code",
        "<tool_use_error>InputValidationError: Read failed</tool_use_error>",
        "<page>InputValidationError: Read failed</page>",
    ),
    phrase(
        "unknown",
        ANY,
        "Unknown tool: fetch_page",
        "An unknown tool of the Romans",
    ),
    phrase(
        "unsupported",
        "Codex",
        "unsupported call: fetch_page",
        "An unsupported call: fetch help",
    ),
];

/// Phrases before a quotation of the arguments or a list of tools: errors that differ only after it are equal.
pub(crate) const QUOTES: [Phrase; 3] = [
    phrase(
        "input_value",
        "pydantic",
        "Field required [type=missing, input_value=",
        "Field required [type=missing, value=",
    ),
    phrase(
        "available tools",
        ANY,
        "Unknown parameter. Available tools: ",
        "Unknown parameter. Other tools: ",
    ),
    phrase(
        "try one of",
        "LangChain",
        "unknown parameter, try one of ",
        "unknown parameter, use one of ",
    ),
];
