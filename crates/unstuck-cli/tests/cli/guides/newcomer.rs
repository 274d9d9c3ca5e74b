//! The machine of a newcomer: transcripts of a week, a project, clients with servers, a watched session.

use std::{fs, process::Command};

use serde_json::{Value, json};

use super::root;
use crate::{
    hook::{post, pre},
    run::{Place, binary, finish},
};

/// What the pages take for granted: transcripts of a week, a project, clients with servers, a session.
pub(super) fn prepare(place: &Place) {
    // A repository, so that nothing above it is taken for the project.
    fs::create_dir_all(place.path("work/.git")).expect("a directory can be made");
    let copied = Command::new("cp")
        .arg("-R")
        .arg(root().join("examples"))
        .arg(place.path("work"))
        .status();
    assert!(copied.expect("cp").success());
    place.write("work/unstuck.toml", "[rules.exact-repeat]\nnudge = 4\n");
    for (session, looks) in [
        ("mon", 12),
        ("tue", 30),
        ("wed", 30),
        ("thu", 30),
        ("fri", 30),
    ] {
        place.write(
            &format!("work/recordings/{session}.jsonl"),
            poller(session, looks),
        );
    }
    let servers = json!({"mcpServers": {
        "files": {"command": "npx", "args": ["some-server"]},
        "db": {"command": "npx", "args": ["db-server"]},
    }});
    place.write("home/.cursor/mcp.json", format!("{servers:#}\n"));
    place.write("work/.mcp.json", format!("{servers:#}\n"));
    place.write("work/servers.json", servers_of_the_page());
    place.write("work/db.cedar", "permit (principal, action, resource);\n");
    place.write("work/policy.cedar", POLICY);
    place.write("home/.claude/settings.json", "{}\n");
    deny(place);
    record(place);
}

/// The policies of the page about policies.
const POLICY: &str = r#"permit (principal, action, resource);

@id("no-seven")
forbid (principal, action, resource == Tool::"db/delete")
when { context.numbers has id && context.numbers.id.contains(7) };
"#;

/// The file of servers that the page about HTTP shows.
fn servers_of_the_page() -> String {
    let page = fs::read_to_string(root().join("docs/guide/mcp-http.md")).expect("a page");
    let (_, shown) = page.split_once("```json\n").expect("a file of servers");
    let (shown, _) = shown.split_once("```").expect("the end of the file");
    shown.to_owned()
}

/// Makes a session whose sixth call is denied.
fn deny(place: &Place) {
    let mut last = String::new();
    for number in 1..=6 {
        let id = number.to_string();
        let after = (number < 6).then(|| post(&id, "make", "nothing to be done"));
        for mut input in [Some(pre(&id, "make")), after].into_iter().flatten() {
            input["session_id"] = "844a24d0-77c1-4a00-8000-000000000001".into();
            let mut command = place.command(&["hook", "claude-code"]);
            surround(&mut command, place);
            let ran = finish(command, input.to_string().as_bytes());
            assert_eq!(ran.code, Some(0), "{ran:?}");
            last = ran.out;
        }
    }
    assert!(
        last.contains("This call was not run. 6 equal calls"),
        "{last}"
    );
}

/// Makes an audit of one call.
fn record(place: &Place) {
    let server = "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}'; cat >/dev/null";
    let mut command = place.command(&[
        "mcp",
        "--name",
        "files",
        "--audit",
        "audit.jsonl",
        "--",
        "sh",
        "-c",
        server,
    ]);
    surround(&mut command, place);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "read", "arguments": {"path": "a.txt"}}});
    let ran = finish(command, format!("{call}\n").as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Looks at a build so many times, then it is done and the agent goes on.
fn poller(session: &str, looks: usize) -> String {
    let mut text = String::new();
    let mut add = |id: usize, tool: &str, args: Value, output: Value| {
        for event in [
            json!({"event": "call", "session": session, "id": id, "tool": tool, "args": args}),
            json!({"event": "result", "session": session, "id": id, "output": output}),
        ] {
            text += &event.to_string();
            text.push('\n');
        }
    };
    let build = || json!({"build": 7});
    for id in 0..looks {
        add(id, "ci", build(), json!({"build": 7, "conclusion": null}));
    }
    add(
        looks,
        "ci",
        build(),
        json!({"build": 7, "conclusion": "success"}),
    );
    add(looks + 1, "merge", build(), json!("merged"));
    add(looks + 2, "notify", json!({"who": "team"}), json!("sent"));
    text
}

/// The home of a newcomer: `cargo run` and `unstuck` run the binary under test, `cargo install` has installed it, and
/// questions are answered with yes.
pub(super) fn surround(command: &mut Command, place: &Place) {
    for name in [
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "CRUSH_GLOBAL_CONFIG",
        "CLINE_DIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "UNSTUCK_CONFIG_HOME",
        "UNSTUCK_HOME",
    ] {
        command.env_remove(name);
    }
    let bin = place.path("bin");
    command
        .current_dir(place.path("work"))
        .env("HOME", place.path("home"))
        .env("LC_ALL", "C.UTF-8")
        .env("TRACKER_KEY", "a key")
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
}

pub(super) fn programs(place: &Place) {
    let unstuck = format!(
        "#!/bin/sh\nverb=$1\ncase \"$1 $2\" in\n'install mcp'|'uninstall mcp') shift 2; exec '{0}' $verb mcp --yes \"$@\" ;;\n'init '*|'install '*|'uninstall '*) shift; exec '{0}' $verb --yes \"$@\" ;;\nesac\nexec '{0}' \"$@\"\n",
        binary().display()
    );
    let cargo = "#!/bin/sh\nif [ \"$1 $2 $3\" = 'run --release --' ]; then\n  shift 3\n  exec unstuck \"$@\"\nfi\nif [ \"$*\" = 'install --path crates/unstuck-cli' ]; then\n  exit 0\nfi\necho \"this test does not run: cargo $*\" >&2\nexit 97\n";
    // A server that ends with its input.
    let npx = "#!/bin/sh\ncat >/dev/null\n";
    // A browser that shows nothing.
    let browser = "#!/bin/sh\nexit 0\n";
    for (name, text) in [
        ("unstuck", unstuck.as_str()),
        ("cargo", cargo),
        ("npx", npx),
        ("xdg-open", browser),
        ("open", browser),
    ] {
        place.write(&format!("bin/{name}"), text);
        let made = Command::new("chmod")
            .arg("+x")
            .arg(place.path("bin").join(name))
            .status();
        assert!(made.expect("chmod").success());
    }
}
