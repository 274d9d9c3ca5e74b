//! The description of the API.

use serde_json::{Map, Value, json};
use unstuck_hosts::Host;

/// One operation: method, path, name, summary, whether it needs the token for operating.
type Row = (&'static str, &'static str, &'static str, &'static str, bool);

const OPERATIONS: [Row; 15] = [
    (
        "post",
        "/v1/events",
        "observe",
        "Judge events, in order; every event counts",
        false,
    ),
    (
        "post",
        "/v1/check",
        "check",
        "Judge a call as if it were made now, without counting it",
        false,
    ),
    (
        "post",
        "/v1/hooks/{host}",
        "hook",
        "Answer a hook of a coding agent",
        false,
    ),
    (
        "get",
        "/v1/sessions",
        "sessions",
        "List agents, the most recent first",
        true,
    ),
    (
        "get",
        "/v1/sessions/{session}",
        "session",
        "List the agents of a session",
        true,
    ),
    (
        "post",
        "/v1/sessions/{session}/reset",
        "reset",
        "Clear what is held against the agents of a session",
        true,
    ),
    (
        "get",
        "/v1/swarms/{swarm}",
        "swarm",
        "Return the tallies of a swarm as a checkpoint",
        true,
    ),
    (
        "put",
        "/v1/swarms/{swarm}",
        "restoreSwarm",
        "Replace the tallies of a swarm by a checkpoint",
        true,
    ),
    (
        "delete",
        "/v1/swarms/{swarm}",
        "clearSwarm",
        "Forget the calls of a swarm",
        true,
    ),
    ("get", "/v1/mode", "mode", "Return the mode", true),
    (
        "put",
        "/v1/mode",
        "setMode",
        "Change the mode until the process ends",
        true,
    ),
    (
        "get",
        "/v1/openapi.json",
        "openapi",
        "Return this document",
        false,
    ),
    (
        "get",
        "/metrics",
        "metrics",
        "Return numbers for Prometheus",
        false,
    ),
    (
        "get",
        "/healthz",
        "health",
        "Whether the process runs",
        false,
    ),
    (
        "get",
        "/readyz",
        "readiness",
        "Whether the state can be written",
        false,
    ),
];

/// The document, as JSON.
pub(crate) fn document() -> String {
    let mut paths = Map::new();
    for (method, path, name, summary, operates) in OPERATIONS {
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation(path, name, summary, operates);
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "unstuck",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Judges what agents do: events in, decisions out.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "security": [{}, { "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
        },
    });
    document.to_string()
}

fn operation(path: &str, name: &str, summary: &str, operates: bool) -> Value {
    let mut operation = json!({
        "operationId": name,
        "summary": summary,
        "responses": responses(name, operates),
    });
    let mut parameters: Vec<Value> = ["host", "session", "swarm"]
        .into_iter()
        .filter(|parameter| path.contains(&format!("{{{parameter}}}")))
        .map(|parameter| {
            let schema = match parameter {
                "host" => json!({ "enum": Host::ALL.map(Host::name) }),
                _ => json!({ "type": "string", "minLength": 1 }),
            };
            json!({ "name": parameter, "in": "path", "required": true, "schema": schema })
        })
        .collect();
    if name == "sessions" {
        let schema = json!({ "type": "integer", "minimum": 1, "maximum": 1000, "default": 100 });
        parameters.push(json!({ "name": "limit", "in": "query", "schema": schema }));
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    let body = match name {
        "observe" => Some(json!({
            "application/json": { "schema": {
                "description": "An event or an array of events. A value that is not an event is answered by an error in its place",
                "anyOf": [
                    schema("Event"),
                    { "type": "object" },
                    { "type": "array", "maxItems": 10000, "items": { "anyOf": [schema("Event"), {}] } },
                ],
            } },
        })),
        "check" => Some(json!({ "application/json": { "schema": schema("Call") } })),
        "hook" => Some(json!({ "application/json": { "schema": { "type": "object" } } })),
        "restoreSwarm" => Some(json!({ "application/json": { "schema": schema("Checkpoint") } })),
        "setMode" => Some(json!({ "application/json": { "schema": schema("Mode") } })),
        _ => None,
    };
    if let Some(content) = body {
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn responses(name: &str, operates: bool) -> Value {
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let success = match name {
        "restoreSwarm" | "clearSwarm" => None,
        "metrics" => Some(json!({ "text/plain": { "schema": { "type": "string" } } })),
        "observe" => Some(content(schema("Decisions"))),
        "check" => Some(content(schema("Decision"))),
        "sessions" | "session" => Some(content(schema("Agents"))),
        "reset" => Some(content(json!({
            "type": "object",
            "required": ["agents"],
            "properties": { "agents": { "type": "integer", "minimum": 1 } },
        }))),
        "swarm" => Some(content(schema("Checkpoint"))),
        "mode" | "setMode" => Some(content(schema("Mode"))),
        "health" | "readiness" => Some(content(json!({
            "type": "object",
            "required": ["status"],
            "properties": { "status": { "const": "ok" } },
        }))),
        _ => Some(content(json!({ "type": "object" }))),
    };
    let mut responses = Map::new();
    match success {
        Some(content) => {
            let described = json!({ "description": "Done", "content": content });
            responses.insert("200".into(), described);
        }
        None => {
            responses.insert("204".into(), json!({ "description": "Done" }));
        }
    }
    let mut errors = vec![
        ("401", "The token is missing or wrong"),
        ("503", "Not possible now; try again"),
    ];
    if [
        "observe",
        "check",
        "hook",
        "restoreSwarm",
        "setMode",
        "sessions",
    ]
    .contains(&name)
    {
        errors.push((
            "400",
            "The request is not of the form that this document describes",
        ));
    }
    if ["observe", "check", "restoreSwarm", "setMode", "hook"].contains(&name) {
        errors.push(("413", "The body is too long"));
    }
    if ["hook", "session", "reset"].contains(&name) {
        errors.push(("404", "It is not known"));
    }
    if operates {
        errors.push(("403", "This needs the token for operating"));
    }
    for (status, description) in errors {
        let described = json!({ "description": description, "content": content(schema("Error")) });
        responses.insert(status.into(), described);
    }
    responses.into()
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn schemas() -> Value {
    let text = json!({ "type": "string" });
    let optional = json!({ "type": ["string", "null"] });
    let count = json!({ "type": "integer", "minimum": 0 });
    let verdict = json!({ "enum": ["allow", "nudge", "deny", "halt"] });
    let at = json!({
        "type": ["integer", "null"],
        "format": "int64",
        "minimum": i64::MIN,
        "maximum": i64::MAX,
        "description": "Milliseconds on any clock; the time of arrival without it",
    });
    let hex = |digits: u32| json!({ "pattern": format!("^[0-9a-f]{{{digits}}}$") });
    json!({
        "Event": {
            "type": "object",
            "description": "One event of the wire contract, version 1. Fields that an event does not have are ignored.",
            "required": ["event"],
            "properties": {
                "event": { "enum": [
                    "call", "result", "step", "text", "turn", "user", "retry", "compaction", "resume", "reset",
                ] },
                "session": optional,
                "agent": optional,
                "swarm": optional,
                "at": at,
            },
        },
        "Call": {
            "type": "object",
            "required": ["event", "id", "tool"],
            "properties": {
                "event": { "const": "call" },
                "id": { "type": ["string", "number"] },
                "tool": text,
                "args": {},
                "key": { "type": ["string", "number", "null"] },
                "read_only": { "type": ["boolean", "null"] },
                "idempotent": { "type": ["boolean", "null"] },
                "session": optional,
                "agent": optional,
                "swarm": optional,
                "at": at,
            },
        },
        "Decision": {
            "type": "object",
            "required": ["verdict"],
            "properties": {
                "verdict": verdict,
                "session": text,
                "agent": text,
                "rule": { "type": ["string", "null"] },
                "repeats": { "type": ["integer", "null"] },
                "message": { "type": ["string", "null"], "description": "The text for the model" },
                "would": { "enum": ["nudge", "deny", "halt", null], "description": "The verdict of another mode" },
            },
        },
        "Undecided": {
            "type": "object",
            "required": ["error"],
            "properties": { "error": text, "verdict": { "const": "deny" } },
        },
        "Decisions": {
            "type": "object",
            "required": ["decisions"],
            "properties": { "decisions": {
                "type": "array",
                "description": "One for each event, in the order of the events",
                "items": { "anyOf": [schema("Decision"), schema("Undecided")] },
            } },
        },
        "Agents": {
            "type": "object",
            "required": ["total", "agents"],
            "properties": {
                "total": count,
                "agents": { "type": "array", "items": {
                    "type": "object",
                    "required": ["session", "agent", "events", "last", "nudges", "denials", "halted"],
                    "properties": {
                        "session": text,
                        "agent": text,
                        "events": count,
                        "last": { "type": "integer" },
                        "nudges": count,
                        "denials": count,
                        "halted": { "type": ["string", "null"] },
                    },
                } },
            },
        },
        "Checkpoint": {
            "type": "object",
            "required": ["version", "calls"],
            "additionalProperties": false,
            "properties": {
                "version": { "const": 1 },
                "calls": {
                    "type": "object",
                    "propertyNames": hex(32),
                    "additionalProperties": {
                        "type": "object",
                        "propertyNames": hex(16),
                        "additionalProperties": { "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 },
                    },
                },
            },
        },
        "Mode": {
            "type": "object",
            "required": ["mode"],
            "additionalProperties": false,
            "properties": { "mode": { "enum": ["enforce", "observe", "off"] } },
        },
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": { "error": text },
        },
    })
}
