//! `install mcp` and `uninstall mcp`: what becomes of the entries of servers.

use std::fs;

use serde_json::{Value, json};
use unstuck_hosts::McpClient;

use crate::{
    install::{at_home, at_home_with, files},
    run::Place,
};

const APPLICATIONS: &str = if cfg!(target_os = "macos") {
    "home/Library/Application Support"
} else {
    "home/.config"
};

/// Every file that a client lists servers in, with a server `files` in it, and the keys to it.
fn listed(place: &Place, client: McpClient) -> Vec<(String, String, &'static str)> {
    let user = "user";
    let project = "project";
    let json = |table: &str| {
        format!(
            "{{\n  // mine\n  \"{table}\": {{\n    \"other\": {{ \"command\": \"ls\" }}, // theirs\n    \"files\": {{\n      \"command\": \"npx\", /* fast */\n      \"args\": [\"-y\", \"srv\"],\n      \"env\": {{ \"KEY\": \"${{KEY}}\" }},\n    }},\n  }},\n}}\n"
        )
    };
    let of = |path: &str, table: &str, scope| (path.to_owned(), json(table), scope);
    match client.name() {
        "claude-code" => {
            let root = place.path("home/project");
            let root = Value::from(root.to_str().expect("text"));
            let own = format!(
                "{{\"projects\": {{{root}: {{\"mcpServers\": {{\"files\": {{\"command\": \"npx\"}}}}}}}}}}"
            );
            vec![
                of("home/.claude.json", "mcpServers", user),
                ("home/.claude.json".to_owned(), own, project),
                of("home/project/.mcp.json", "mcpServers", project),
            ]
        }
        "claude-desktop" => {
            let path = format!("{APPLICATIONS}/Claude/claude_desktop_config.json");
            vec![of(&path, "mcpServers", user)]
        }
        "codex" => {
            let text = "# mine\n[mcp_servers.files] # theirs\ncommand = \"npx\"\nargs = ['-y', \"srv\"]\n\n[mcp_servers.files.env]\nKEY = \"1\"\n";
            let of = |path: &str, scope| (path.to_owned(), text.to_owned(), scope);
            vec![
                of("home/.codex/config.toml", user),
                of("home/project/.codex/config.toml", project),
            ]
        }
        "cursor" => vec![
            of("home/.cursor/mcp.json", "mcpServers", user),
            of("home/project/.cursor/mcp.json", "mcpServers", project),
        ],
        "vs-code" => vec![
            of(
                &format!("{APPLICATIONS}/Code/User/mcp.json"),
                "servers",
                user,
            ),
            of("home/project/.vscode/mcp.json", "servers", project),
        ],
        "copilot-cli" => vec![of("home/.copilot/mcp-config.json", "mcpServers", user)],
        "gemini-cli" => vec![
            of("home/.gemini/settings.json", "mcpServers", user),
            of("home/project/.gemini/settings.json", "mcpServers", project),
        ],
        "qwen-code" => vec![
            of("home/.qwen/settings.json", "mcpServers", user),
            of("home/project/.qwen/settings.json", "mcpServers", project),
        ],
        "opencode" => {
            let text = "{\n  // mine\n  \"mcp\": {\n    \"files\": {\n      \"type\": \"local\",\n      \"command\": [\n        \"npx\", // fast\n        \"srv\"\n      ]\n    }\n  }\n}\n";
            let of = |path: &str, scope| (path.to_owned(), text.to_owned(), scope);
            vec![
                of("home/.config/opencode/opencode.json", user),
                of("home/.config/opencode/opencode.jsonc", user),
                of("home/project/opencode.json", project),
            ]
        }
        "windsurf" => vec![of(
            "home/.codeium/windsurf/mcp_config.json",
            "mcpServers",
            user,
        )],
        "cline" => {
            let file = "settings/cline_mcp_settings.json";
            let extension =
                format!("{APPLICATIONS}/Code/User/globalStorage/saoudrizwan.claude-dev/{file}");
            vec![
                of(&format!("home/.cline/data/{file}"), "mcpServers", user),
                of(&extension, "mcpServers", user),
            ]
        }
        "crush" => vec![
            of("home/.config/crush/crush.json", "mcp", user),
            of("home/project/crush.json", "mcp", project),
        ],
        client => panic!("{client} has no test"),
    }
}

#[test]
fn every_client_is_changed_and_left_as_it_was() {
    for client in McpClient::all() {
        for with_receipt in [true, false] {
            let place = Place::new(&format!("install-mcp-{client}-{with_receipt}"));
            at_home(&place, &["rules"]);
            for (path, text, scope) in listed(&place, client) {
                place.write(&path, &text);
                let before = files(&place);
                let run =
                    |command| at_home(&place, &[command, "mcp", client.name(), "files", "-y"]);
                let ran = run("install");
                assert_eq!(ran.code, Some(0), "{ran:?}");
                assert!(ran.out.contains("behind the proxy"), "{}", ran.out);
                let installed = place.read(&path);
                for word in ["unstuck", "\"mcp\"", "\"--name\"", "\"--\"", "npx"] {
                    assert!(installed.contains(word), "{word}: {installed}");
                }
                // Where the program lies, the path may have any of these words.
                let entry = installed.replace(env!("CARGO_BIN_EXE_unstuck"), "unstuck");
                for comment in ["mine", "theirs", "fast"] {
                    assert_eq!(entry.contains(comment), text.contains(comment));
                }
                // In its scope it is found as well, in the other one it is not.
                let ran = at_home(
                    &place,
                    &["install", "mcp", client.name(), "files", "--scope", scope],
                );
                assert_eq!(ran.code, Some(0), "{ran:?}");
                assert!(ran.out.contains("already"), "{}", ran.out);
                assert_eq!(place.read(&path), installed);
                if !with_receipt {
                    fs::remove_dir_all(place.path("state")).expect("state can be removed");
                }
                let ran = run("uninstall");
                assert_eq!(ran.code, Some(0), "{ran:?}");
                if with_receipt || text.contains("srv") {
                    assert_eq!(place.read(&path), text, "{client} {path}");
                }
                let mut after = files(&place);
                after.retain(|path, _| before.contains_key(path));
                if with_receipt {
                    assert_eq!(after, before);
                }
                let ran = run("uninstall");
                assert_eq!(ran.code, Some(0), "{ran:?}");
                assert!(ran.out.contains("not behind the proxy"), "{}", ran.out);
                fs::remove_file(place.path(&path)).expect("a file");
            }
        }
    }
}

#[test]
fn the_new_entry_runs_the_server_behind_the_proxy() {
    let place = Place::new("install-mcp-entry");
    place.write(
        "home/.cursor/mcp.json",
        r#"{"mcpServers": {"files": {"command": "cat", "env": {"A": "1"}}}}"#,
    );
    let words = ["install", "mcp", "cursor", "files", "--binary"];
    let binary = env!("CARGO_BIN_EXE_unstuck");
    let options = ["--", "--no-config", "--no-audit"];
    let ran = at_home(&place, &[&words[..], &[binary], &options[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read: Value = serde_json::from_str(&place.read("home/.cursor/mcp.json")).expect("JSON");
    let entry = &read["mcpServers"]["files"];
    assert_eq!(
        entry,
        &json!({
            "command": binary,
            "args": ["mcp", "--name", "files", "--no-config", "--no-audit", "--", "cat"],
            "env": {"A": "1"},
        })
    );
    // What is written there is a command that works.
    let args = entry["args"].as_array().expect("a list").iter();
    let args: Vec<_> = args.map(|word| word.as_str().expect("text")).collect();
    let message = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n";
    let ran = place.run_with(&args, message);
    assert_eq!(
        (ran.code, ran.out.as_bytes()),
        (Some(0), &message[..]),
        "{}",
        ran.err
    );
}

#[test]
fn options_of_the_proxy_are_read_before_a_client_does() {
    let place = Place::new("install-mcp-options");
    let text = "{\"mcpServers\": {\"a\": {\"command\": \"one\"}}}";
    let (user, project) = ("home/.cursor/mcp.json", "home/project/.cursor/mcp.json");
    place.write(user, text).write(project, text);
    let install = |scope, options: &[&str]| {
        let words = ["install", "mcp", "cursor", "a", "--scope", scope, "--"];
        at_home(&place, &[&words[..], options].concat())
    };
    let ran = install("user", &["--presett", "ironcurtain"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("not options of `unstuck mcp`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--preset"), "{}", ran.err);
    assert_eq!(place.read(user), text);
    let options = ["--policy", "a.cedar", "--audit=b.jsonl", "--no-config"];
    assert_eq!(install("user", &options).code, Some(0));
    assert_eq!(install("project", &options).code, Some(0));
    let args = |path: &str| {
        let read: Value = serde_json::from_str(&place.read(path)).expect("JSON");
        read["mcpServers"]["a"]["args"].clone()
    };
    let here = place.path("home/project");
    let here = here.to_str().expect("text");
    let user = args(user);
    assert_eq!(user[4], format!("{here}/a.cedar"));
    assert_eq!(user[5], format!("--audit={here}/b.jsonl"));
    let project = args(project);
    assert_eq!(
        (&project[4], &project[5]),
        (&json!("a.cedar"), &json!("--audit=b.jsonl"))
    );
}

#[test]
fn two_servers_of_a_file_go_their_own_ways() {
    let place = Place::new("install-mcp-two");
    let text = "{\"mcpServers\": {\"a\": {\"command\": \"one\"}, \"b\": {\"command\": \"two\"}}}\n";
    let path = "home/.cursor/mcp.json";
    place.write(path, text);
    let run = |command, server| at_home(&place, &[command, "mcp", "cursor", server]);
    run("install", "a");
    let with_a = place.read(path);
    run("install", "b");
    run("uninstall", "a");
    run("uninstall", "b");
    assert_eq!(place.read(path), text);
    run("install", "b");
    run("install", "a");
    run("uninstall", "b");
    assert_eq!(place.read(path), with_a);
    let backups = fs::read_dir(place.path("state/installs")).expect("a directory");
    let first = backups
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.to_string_lossy().contains("before-mcp"));
    let first = fs::read_to_string(first.expect("a backup")).expect("a backup");
    assert_eq!(first, text);
}

#[test]
fn hooks_and_servers_in_one_file_do_not_get_in_each_others_way() {
    let place = Place::new("install-mcp-hooks");
    let path = "home/.gemini/settings.json";
    let text = "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"one\", \"args\": [\"x\"] } // mine\n  }\n}\n";
    place.write(path, text);
    at_home(&place, &["install", "gemini-cli"]);
    at_home(&place, &["install", "mcp", "gemini-cli", "a"]);
    at_home(&place, &["uninstall", "gemini-cli"]);
    at_home(&place, &["uninstall", "mcp", "gemini-cli", "a"]);
    assert_eq!(place.read(path), text);
}

#[test]
fn a_dry_run_shows_the_difference_and_changes_nothing() {
    let place = Place::new("install-mcp-dry");
    place.write(
        "home/.cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"one\"\n    }\n  }\n}\n",
    );
    at_home(&place, &["rules"]);
    let before = files(&place);
    let ran = at_home(&place, &["install", "mcp", "cursor", "a", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("-       \"command\": \"one\""),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("+       \"args\": [\"mcp\""),
        "{}",
        ran.out
    );
    assert_eq!(files(&place), before);
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let place = Place::new("install-mcp-missing");
    let failed = |words: &[&str]| {
        let ran = at_home(&place, words);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        ran.err
    };
    let err = failed(&["install", "mcp", "cursor", "files"]);
    assert!(err.contains("no configuration of Cursor is here"), "{err}");
    assert!(err.contains("~/.cursor/mcp.json"), "{err}");
    assert!(err.contains("~/project/.cursor/mcp.json"), "{err}");
    place.write("home/.cursor/mcp.json", "{\"mcpServers\": {}}");
    let err = failed(&["install", "mcp", "cursor", "files"]);
    assert!(err.contains("lists no servers; looked into"), "{err}");
    place.write(
        "home/.cursor/mcp.json",
        "{\"mcpServers\": {\"files\": {\"command\": \"a\"}, \"db\": {\"command\": \"b\"}}}",
    );
    let err = failed(&["uninstall", "mcp", "cursor", "fils"]);
    assert!(err.contains("did you mean `files`?"), "{err}");
    assert!(err.contains("There are: files, db"), "{err}");
    let err = failed(&["install", "mcp", "nobody", "files"]);
    assert!(err.contains("claude-desktop"), "{err}");
    place.write(
        "home/project/.cursor/mcp.json",
        "{\"mcpServers\": {\"files\": {\"command\": \"c\"}}}",
    );
    let err = failed(&["install", "mcp", "cursor", "files"]);
    assert!(err.contains("--scope"), "{err}");
    place.write("home/.cursor/mcp.json", "{\n  \"mcpServers\": ,\n}");
    let err = failed(&["install", "mcp", "cursor", "files"]);
    assert!(err.contains("mcp.json:2:"), "{err}");
}

#[test]
fn a_server_by_url_is_explained_without_its_secrets() {
    let place = Place::new("install-mcp-url");
    let text =
        r#"{"mcpServers": {"far": {"url": "https://me:hunter2@example.com/mcp?key=s3cret"}}}"#;
    place.write("home/.cursor/mcp.json", text);
    let ran = at_home(&place, &["install", "mcp", "cursor", "far"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for word in [
        "--listen",
        "--upstream https://example.com/mcp",
        "~/.cursor/mcp.json",
    ] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    for secret in ["hunter2", "s3cret"] {
        assert!(!ran.err.contains(secret), "{}", ran.err);
    }
    assert_eq!(place.read("home/.cursor/mcp.json"), text);
}

#[test]
fn directories_that_clients_were_told_of_are_used() {
    let place = Place::new("install-mcp-variables");
    let text = "{\"mcpServers\": {\"a\": {\"command\": \"one\"}}}";
    place.write("elsewhere/.claude.json", text);
    place.write("elsewhere/mcp-config.json", text);
    let elsewhere = place.path("elsewhere");
    let elsewhere = elsewhere.to_str().expect("text");
    for (client, variable) in [
        ("claude-code", "CLAUDE_CONFIG_DIR"),
        ("copilot-cli", "COPILOT_HOME"),
    ] {
        let words = ["install", "mcp", client, "a"];
        let ran = at_home_with(&place, &words, &[(variable, elsewhere)]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn the_doctor_lists_servers_behind_the_proxy() {
    let place = Place::new("install-mcp-doctor");
    let path = "home/.cursor/mcp.json";
    place.write(
        path,
        "{\"mcpServers\": {\"a\": {\"command\": \"one\"}, \"b\": {\"command\": \"two\"}}}",
    );
    let servers = || {
        let ran = at_home(&place, &["doctor", "--format", "json"]);
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        found["mcp_servers"].clone()
    };
    assert_eq!(servers(), json!([]));
    at_home(&place, &["install", "mcp", "cursor", "b"]);
    let found = servers();
    assert_eq!(found[0]["server"], "b", "{found}");
    assert_eq!(found[0]["client"], "cursor");
    assert_eq!(found[0]["health"], "ok");
    let ran = at_home(&place, &["doctor"]);
    assert!(
        ran.out.contains("b of Cursor, by ~/.cursor/mcp.json"),
        "{}",
        ran.out
    );
    at_home(
        &place,
        &[
            "install",
            "mcp",
            "cursor",
            "a",
            "--binary",
            "/nowhere/unstuck",
        ],
    );
    let ran = at_home(&place, &["doctor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains("/nowhere/unstuck is not there"),
        "{}",
        ran.out
    );
}
