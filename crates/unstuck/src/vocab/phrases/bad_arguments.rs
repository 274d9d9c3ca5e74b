//! Phrases of hosts and libraries about arguments that a tool does not accept.

use super::{ANY, Phrase, phrase};

/// Arguments are missing, unknown, or of another type.
pub(crate) const FORM: [Phrase; 34] = [
    phrase(
        "(was missing)",
        "arktype",
        "Invalid todo arguments: op must be operation to apply (was missing)",
        "The row was missing",
    ),
    phrase(
        "additional properties",
        "JSON Schema",
        "Additional properties are not allowed ('pth' was unexpected)",
        "additional property tax is due",
    ),
    phrase(
        "expected array, received",
        "zod",
        "Expected array, received string",
        "expected an array in line 3",
    ),
    phrase(
        "expected boolean, received",
        "zod",
        "Expected boolean, received string",
        "assertion failed: expected true, received false",
    ),
    phrase(
        "expected number, received",
        "zod",
        "path: expected number, received nan",
        "expected 3, received 4",
    ),
    phrase(
        "expected object, received",
        "zod",
        "expected object, received null",
        "expected an object",
    ),
    phrase(
        "expected string, received",
        "zod",
        "Invalid input: expected string, received undefined",
        "expected \"a\", received \"b\"",
    ),
    phrase(
        "extra fields not permitted",
        "pydantic 1",
        "extra fields not permitted (type=value_error.extra)",
        "the form has extra fields",
    ),
    phrase(
        "extra inputs are not permitted",
        "pydantic",
        "pth\n  Extra inputs are not permitted",
        "extra input files are ignored",
    ),
    phrase(
        "failed to parse arguments",
        ANY,
        "failed to parse arguments: expected value at line 1",
        "failed to parse /etc/hosts",
    ),
    phrase(
        "failed to parse function arguments",
        "Codex",
        "failed to parse function arguments: invalid type: integer",
        "failed to parse function body",
    ),
    phrase(
        "failed to parse tool",
        ANY,
        "Failed to parse tool call: unexpected end",
        "failed to parse the page",
    ),
    phrase(
        "field required",
        "pydantic",
        "url\n  Field required [type=missing]",
        "the field is filled",
    ),
    phrase(
        "input should be a valid",
        "pydantic",
        "Input should be a valid string [type=string_type]",
        "the input should be sorted",
    ),
    phrase(
        "invalid_type",
        "zod",
        "[{\"code\":\"invalid_type\",\"path\":[\"url\"]}]",
        "invalid type of file",
    ),
    phrase(
        "is a required property",
        "jsonschema",
        "'url' is a required property",
        "the property is taken",
    ),
    phrase(
        "is not of type",
        "jsonschema",
        "5 is not of type 'string'",
        "the file is not of a known type",
    ),
    phrase(
        "is required for command",
        "OpenHands",
        "Parameter `old_str` is required for command: str_replace.",
        "a command was required",
    ),
    phrase(
        "missing argument",
        ANY,
        "missing argument: url",
        "the argument of sin() is NaN",
    ),
    phrase(
        "missing field",
        "serde",
        "missing field `cmd` at line 1 column 10",
        "fields of wheat are missing",
    ),
    phrase(
        "missing key",
        "Effect Schema",
        "SchemaError(Missing key\n  at [\"path\"])",
        "the key is not in the store",
    ),
    phrase(
        "missing parameter",
        ANY,
        "Missing parameter: url",
        "the parameter server is down",
    ),
    phrase(
        "missing required",
        ANY,
        "Missing required parameter: url",
        "the library is missing",
    ),
    phrase(
        "missing value for required",
        "Cline",
        "Missing value for required parameter 'path'. Please retry.",
        "missing values in column 3",
    ),
    phrase(
        "must be of type",
        ANY,
        "url must be of type string",
        "the key must be unique",
    ),
    phrase(
        "must have required",
        "ajv",
        "params must have required property 'path'",
        "users must have a name",
    ),
    phrase(
        "required argument",
        ANY,
        "required argument `url` not given",
        "an argument about money",
    ),
    phrase(
        "required parameter",
        ANY,
        "The required parameter `url` is missing",
        "parameters were fitted",
    ),
    phrase(
        "required property",
        ANY,
        "required property url",
        "the property was sold",
    ),
    phrase(
        "unexpected argument",
        ANY,
        "unexpected argument 'pth'",
        "an unexpected end of file",
    ),
    phrase(
        "unexpected parameter",
        ANY,
        "An unexpected parameter `pth` was provided",
        "an unexpected token",
    ),
    phrase(
        "unexpected property",
        ANY,
        "unexpected property \"pth\"",
        "an unexpected status",
    ),
    phrase(
        "unknown parameter",
        ANY,
        "Unknown parameter: pth",
        "unknown host",
    ),
    phrase(
        "unrecognized key",
        "zod",
        "Unrecognized key(s) in object: 'file'",
        "unrecognized token",
    ),
];

/// Phrases of interpreters about any function: they count if the function is the tool.
pub(crate) const FORM_OF_NAMED: [Phrase; 2] = [
    phrase(
        "required positional",
        "Python",
        "fetch_page() missing 1 required positional argument: 'url'",
        "parse() missing 1 required positional argument: 'url'",
    ),
    phrase(
        "unexpected keyword",
        "Python",
        "TypeError: fetch_page() got an unexpected keyword 'file'",
        "TypeError: parse() got an unexpected keyword 'file'",
    ),
];

/// An argument has an invalid value.
pub(crate) const VALUE: [Phrase; 8] = [
    phrase(
        "-32602",
        "JSON-RPC",
        "MCP error -32602: limit is out of range",
        "MCP error -32603: limit reached",
    ),
    phrase(
        "input validation",
        ANY,
        "Input validation error: limit must be positive",
        "validation of the input file passed",
    ),
    phrase(
        "inputvalidationerror",
        "Claude Code",
        "InputValidationError: [{\"code\":\"too_small\"}]",
        "ValidationError: the model is too small",
    ),
    phrase(
        "invalid arguments",
        ANY,
        "Invalid arguments: limit must be positive",
        "[Errno 22] Invalid argument: 'a'",
    ),
    phrase(
        "invalid tool",
        ANY,
        "Invalid tool call: limit must be positive",
        "invalid token in line 3",
    ),
    phrase(
        "schemaerror",
        "OpenCode",
        "SchemaError(Expected a positive number)",
        "the schema of the table changed",
    ),
    phrase(
        "validation error for",
        "pydantic",
        "1 validation error for Limit",
        "validation error: the certificate expired",
    ),
    phrase(
        "validation errors for",
        "pydantic",
        "2 validation errors for Limit",
        "validation errors: 2",
    ),
];

/// Something is not JSON.
pub(crate) const BAD_JSON: [Phrase; 4] = [
    phrase(
        "invalid json",
        ANY,
        "Invalid JSON in tool call",
        "invalid JSON in config.json",
    ),
    phrase(
        "malformed json",
        ANY,
        "malformed JSON in the argument",
        "malformed JSON in line 3 of the page",
    ),
    phrase(
        "not valid json",
        ANY,
        "Tool input is not valid JSON: unexpected end",
        "config.json is not valid JSON",
    ),
    phrase(
        "unparsable json",
        ANY,
        "unparsable JSON for parameter url",
        "unparsable JSON in the reply of the server",
    ),
];

/// The arguments are not JSON.
pub(crate) const OF_ARGUMENTS: [Phrase; 4] = [
    phrase(
        "argument",
        ANY,
        "invalid JSON in argument url",
        "invalid JSON in line 1",
    ),
    phrase(
        "parameter",
        ANY,
        "invalid JSON for parameter url",
        "invalid JSON for the page",
    ),
    phrase(
        "tool call",
        ANY,
        "Invalid JSON in tool call",
        "Invalid JSON in toolbox.json",
    ),
    phrase(
        "tool input",
        ANY,
        "Tool input is not valid JSON",
        "the input file is not valid JSON",
    ),
];

/// Required things that are not arguments.
pub(crate) const CONDITIONS: [Phrase; 8] = [
    phrase(
        "approval",
        ANY,
        "approval is required",
        "`approval_id` is required",
    ),
    phrase(
        "authentication",
        ANY,
        "authentication is required",
        "`authentication_id` is required",
    ),
    phrase(
        "authorization",
        ANY,
        "authorization is required",
        "`authorization_id` is required",
    ),
    phrase(
        "confirmation",
        ANY,
        "confirmation is required",
        "`confirmation_id` is required",
    ),
    phrase("login", ANY, "login is required", "`login_id` is required"),
    phrase(
        "password",
        ANY,
        "password is required",
        "`password_id` is required",
    ),
    phrase(
        "payment",
        ANY,
        "payment is required",
        "`payment_id` is required",
    ),
    phrase(
        "permission",
        ANY,
        "permission is required",
        "`permission_id` is required",
    ),
];

/// Words for an argument, before its name or instead of it.
pub(crate) const CALLED: [Phrase; 4] = [
    phrase(
        "argument",
        ANY,
        "the argument url is required",
        "the library url is required",
    ),
    phrase(
        "field",
        ANY,
        "the field url is required",
        "the meadow url is required",
    ),
    phrase(
        "parameter",
        ANY,
        "the parameter url is required",
        "the server url is required",
    ),
    phrase(
        "property",
        ANY,
        "the property url is required",
        "the house url is required",
    ),
];
