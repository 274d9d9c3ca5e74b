use std::path::Path;

use proptest::prelude::*;

use super::*;

fn wrapper() -> Wrapper {
    Wrapper {
        program: "/usr/bin/unstuck".to_owned(),
        options: Vec::new(),
    }
}

fn json_file() -> ServerFile {
    ServerFile::json(Scope::User, PathBuf::from("/f"), "mcpServers")
}

fn toml_file() -> ServerFile {
    ServerFile::toml(Scope::User, PathBuf::from("/f"), "mcp_servers")
}

fn wrapped(file: &ServerFile, text: &str) -> Wrapped {
    let wrapped = file.wrap(text, "files", &wrapper());
    wrapped.unwrap().unwrap_or_else(|| panic!("{text}"))
}

/// There and back, with what was recorded and without it.
fn round_trip(file: &ServerFile, text: &str, expected: &str) {
    let wrapped = wrapped(file, text);
    assert_eq!(wrapped.text, expected);
    let with = file.unwrap(&wrapped.text, "files", Some(&wrapped.changes));
    assert_eq!(with.unwrap().as_deref(), Some(text));
    let again = file.wrap(&wrapped.text, "files", &wrapper());
    assert_eq!(again.unwrap(), None);
}

#[test]
fn a_command_goes_behind_the_proxy() {
    let before = "{\n  // mine\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\", // fast\n      \"args\": [\n        \"-y\", // yes\n        \"srv\",\n      ],\n      \"env\": { \"A\": \"1\" }\n    },\n  },\n}\n";
    let after = "{\n  // mine\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"/usr/bin/unstuck\", // fast\n      \"args\": [\n        \"mcp\", \"--name\", \"files\", \"--\", \"npx\",\n        \"-y\", // yes\n        \"srv\",\n      ],\n      \"env\": { \"A\": \"1\" }\n    },\n  },\n}\n";
    round_trip(&json_file(), before, after);
    let without = json_file().unwrap(after, "files", None).unwrap();
    assert_eq!(without.as_deref(), Some(before));
}

#[test]
fn layouts_are_kept() {
    let words = r#""mcp", "--name", "files", "--", "a\u0062""#;
    let of = |entry: &str| format!("{{\"mcpServers\": {{\"files\": {entry}}}}}");
    for (before, after) in [
        (
            r#"{"command": "a\u0062", "args": []}"#.to_owned(),
            format!(r#"{{"command": "/usr/bin/unstuck", "args": [{words}]}}"#),
        ),
        (
            r#"{"args": ["x"], "command": "a\u0062"}"#.to_owned(),
            format!(r#"{{"args": [{words}, "x"], "command": "/usr/bin/unstuck"}}"#),
        ),
        (
            r#"{"command":"a\u0062"}"#.to_owned(),
            format!(r#"{{"command":"/usr/bin/unstuck", "args": [{words}]}}"#),
        ),
        (
            "{\r\n\t\"command\": \"a\\u0062\",\r\n\t\"type\": \"stdio\"}".to_owned(),
            format!(
                "{{\r\n\t\"command\": \"/usr/bin/unstuck\",\r\n\t\"args\": [{words}],\r\n\t\"type\": \"stdio\"}}"
            ),
        ),
        (
            r#"{"command": ["npx", "srv"]}"#.to_owned(),
            r#"{"command": ["/usr/bin/unstuck", "mcp", "--name", "files", "--", "npx", "srv"]}"#
                .to_owned(),
        ),
    ] {
        round_trip(&json_file(), &of(&before), &of(&after));
        let marked = format!("\u{feff}{}", of(&before));
        round_trip(&json_file(), &marked, &format!("\u{feff}{}", of(&after)));
    }
}

#[test]
fn toml_is_wrapped_however_it_is_written() {
    let words = r#""mcp", "--name", "files", "--", 'npx'"#;
    let unstuck = r#""/usr/bin/unstuck""#;
    for (before, after) in [
        (
            "# mine\n[mcp_servers.files] # here\ncommand = 'npx' # fast\nargs = [\n  '-y', # yes\n  'srv',\n]\n[mcp_servers.files.env]\nA = '1'\n".to_owned(),
            format!("# mine\n[mcp_servers.files] # here\ncommand = {unstuck} # fast\nargs = [\n  {words},\n  '-y', # yes\n  'srv',\n]\n[mcp_servers.files.env]\nA = '1'\n"),
        ),
        (
            "[mcp_servers.files]\r\n  command = 'npx' # fast\r\nenabled = true".to_owned(),
            format!("[mcp_servers.files]\r\n  args = [{words}]\r\n  command = {unstuck} # fast\r\nenabled = true"),
        ),
        (
            "mcp_servers.files.command = 'npx'\n".to_owned(),
            format!("mcp_servers.files.args = [{words}]\nmcp_servers.files.command = {unstuck}\n"),
        ),
        (
            "[mcp_servers]\nfiles = { command = 'npx', env = {} }\n".to_owned(),
            format!("[mcp_servers]\nfiles = {{ args = [{words}], command = {unstuck}, env = {{}} }}\n"),
        ),
        (
            "[mcp_servers]\nfiles = { command = 'npx', args = [] }\n".to_owned(),
            format!("[mcp_servers]\nfiles = {{ command = {unstuck}, args = [{words}] }}\n"),
        ),
    ] {
        round_trip(&toml_file(), &before, &after);
    }
}

#[test]
fn what_was_changed_in_between_stays() {
    let before = r#"{"mcpServers": {"files": {"command": "npx", "args": ["srv"]}}}"#;
    let wrapped = wrapped(&json_file(), before);
    // Around the entry and in it: the record still fits.
    let edited = wrapped.text.replacen('{', "{\"new\": 1, ", 1);
    let back = json_file().unwrap(&edited, "files", Some(&wrapped.changes));
    let expected = before.replacen('{', "{\"new\": 1, ", 1);
    assert_eq!(back.unwrap(), Some(expected));
    // The client wrote the whole file anew: the words are found by what they mean.
    let value: serde_json::Value = serde_json::from_str(&wrapped.text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    let back = json_file().unwrap(&pretty, "files", Some(&wrapped.changes));
    let back: serde_json::Value = serde_json::from_str(&back.unwrap().unwrap()).unwrap();
    assert_eq!(
        back,
        serde_json::from_str::<serde_json::Value>(before).unwrap()
    );
}

#[test]
fn options_stand_before_the_command() {
    let wrapper = Wrapper {
        program: "unstuck".to_owned(),
        options: vec!["--preset".to_owned(), "ironcurtain".to_owned()],
    };
    let text = r#"{"mcpServers": {"files": {"command": "npx", "args": ["--", "x"]}}}"#;
    let wrapped = json_file().wrap(text, "files", &wrapper).unwrap().unwrap();
    assert_eq!(
        wrapped.text,
        r#"{"mcpServers": {"files": {"command": "unstuck", "args": ["mcp", "--name", "files", "--preset", "ironcurtain", "--", "npx", "--", "x"]}}}"#
    );
    let back = json_file().unwrap(&wrapped.text, "files", None).unwrap();
    assert_eq!(back.as_deref(), Some(text));
}

#[test]
fn servers_are_told_apart() {
    let text = r#"{"mcpServers": {
        "plain": {"command": "npx"},
        "ours": {"command": "C:\\bin\\unstuck.exe", "args": ["mcp", "--", "npx"]},
        "away": {"type": "http", "url": "https://example.com/mcp"},
        "control": {"command": "unstuck", "args": ["mcp-control"]},
        "odd": {"command": 1},
        "none": 2
    }}"#;
    let servers = json_file().servers(text).unwrap();
    let expected = [
        ("plain", Launch::Plain),
        (
            "ours",
            Launch::Wrapped {
                program: "C:\\bin\\unstuck.exe".to_owned(),
            },
        ),
        ("away", Launch::Url("https://example.com/mcp".to_owned())),
        ("control", Launch::Plain),
        ("odd", Launch::Unclear),
    ];
    let expected = expected.map(|(name, launch)| ListedServer {
        name: name.to_owned(),
        launch,
    });
    assert_eq!(servers, expected);
    for server in ["ours", "away", "odd", "none", "nobody"] {
        assert_eq!(json_file().wrap(text, server, &wrapper()).unwrap(), None);
    }
    assert_eq!(json_file().servers("").unwrap(), []);
    assert_eq!(toml_file().servers("a = 1").unwrap(), []);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let error = json_file()
        .servers("{\n  \"mcpServers\": ,\n}")
        .unwrap_err();
    assert_eq!(error.line, 2);
    assert_eq!(toml_file().servers("\nx = = 1").unwrap_err().line, 2);
}

#[test]
fn clients_are_known_by_name_and_have_files() {
    let around = Surroundings {
        home: Path::new("/home/dev"),
        config: Path::new("/home/dev/.config"),
        project: Path::new("/project"),
        variable: &|_| None,
        read: &|_| None,
    };
    for client in McpClient::all() {
        assert_eq!(client.name().parse(), Ok(client));
        assert!(!client.files(&around).is_empty(), "{client}");
    }
    assert!("claude".parse::<McpClient>().is_err());
}

fn token() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        r#""npx""#,
        r#""a \"quoted\" word""#,
        r#""--""#,
        r#""\u00fc""#,
        r#""mcp""#,
        r#""""#,
    ])
    .prop_map(str::to_owned)
}

fn blank() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        " ",
        "\n  ",
        "\r\n\t",
        " // note\n ",
        " /* note */ ",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn every_entry_comes_back_to_the_byte(
        program in token(),
        args in prop::option::of(prop::collection::vec((blank(), token()), 0..4)),
        blanks in prop::collection::vec(blank(), 6),
        trailing in any::<bool>(),
        before in any::<bool>(),
    ) {
        let args = args.map(|args| {
            let items: Vec<_> = args.iter().map(|(blank, token)| format!("{blank}{token}")).collect();
            let comma = if trailing && !items.is_empty() { "," } else { "" };
            format!("\"args\":{}[{}{comma}{}]", blanks[0], items.join(","), blanks[1])
        });
        let command = format!("\"command\":{}{program}", blanks[2]);
        let members: Vec<_> = if before {
            args.into_iter().chain([command]).collect()
        } else {
            [command].into_iter().chain(args).collect()
        };
        let members = members.join(&format!("{},{}", blanks[3], blanks[4]));
        let text = format!("{{\"mcpServers\": {{\"files\": {{{}{members}{}}}}}}}", blanks[5], blanks[0]);
        let wrapped = wrapped(&json_file(), &text);
        let back = json_file().unwrap(&wrapped.text, "files", Some(&wrapped.changes)).unwrap();
        prop_assert_eq!(back.as_deref(), Some(text.as_str()), "{}", wrapped.text);
        // Without the record, too, it says the same.
        let back = json_file().unwrap(&wrapped.text, "files", None).unwrap().unwrap_or_default();
        let words = |text: &str| {
            let entry = json_file().entry(text, "files").unwrap().unwrap();
            match entry.command {
                entry::Command::Split { program, arguments: entry::Arguments::Listed(list) } => {
                    let items = list.items.into_iter().map(|item| item.value);
                    [program.value].into_iter().chain(items).collect::<Vec<_>>()
                }
                entry::Command::Split { program, .. } => vec![program.value],
                _ => Vec::new(),
            }
        };
        prop_assert_eq!(words(&back), words(&text));
    }
}
