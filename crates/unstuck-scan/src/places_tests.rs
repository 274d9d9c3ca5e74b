use std::path::Path;

use super::*;

/// Editors whose extensions keep tasks, and extensions that do.
const EDITORS: usize = 4;
const EXTENSIONS: usize = 2;

fn paths_with(variables: &[(&str, &str)]) -> Vec<String> {
    let variable = |name: &str| {
        let found = variables.iter().find(|(one, _)| *one == name);
        found.map(|(_, value)| OsString::from(value))
    };
    let surroundings = Surroundings {
        home: Path::new("/home/ada"),
        here: Path::new("/home/ada/shop"),
        variable: &variable,
    };
    let places = places(&surroundings).into_iter();
    places
        .map(|place| format!("{} {}", place.format, place.path.display()))
        .collect()
}

#[test]
fn every_agent_has_its_place_under_the_home_directory() {
    let expected = [
        "claude-code /home/ada/.claude/projects",
        "claude-code /home/ada/.config/claude/projects",
        "codex /home/ada/.codex/sessions",
        "codex /home/ada/.codex/archived_sessions",
        "gemini-cli /home/ada/.gemini/tmp",
        "qwen-code /home/ada/.qwen/projects",
        "opencode /home/ada/.local/share/opencode/opencode.db",
        "copilot-cli /home/ada/.copilot/session-state",
        "pi /home/ada/.pi/agent/sessions",
        "cline /home/ada/.cline/data/tasks",
        "mini-swe-agent /home/ada/.config/mini-swe-agent/last_mini_run.traj.json",
        "openhands /home/ada/.openhands/conversations",
        "cursor /home/ada/.cursor/chats",
        "cursor /home/ada/.cursor/projects",
        "crush /home/ada/shop/.crush/crush.db",
        "goose /home/ada/.local/share/goose/sessions",
    ];
    let found = paths_with(&[]);
    for place in expected {
        assert!(found.contains(&place.to_owned()), "{place}: {found:?}");
    }
    if cfg!(target_os = "linux") {
        let config = "/home/ada/.config";
        let database = format!("cursor {config}/Cursor/User/globalStorage/state.vscdb");
        assert!(found.contains(&database), "{found:?}");
        let roo =
            format!("cline {config}/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks");
        assert!(found.contains(&roo), "{found:?}");
        let tasks = found.iter().filter(|place| place.ends_with("/tasks"));
        assert_eq!(tasks.count(), 1 + EDITORS * EXTENSIONS);
    }
}

#[test]
fn the_place_of_roo_code_has_its_name() {
    let surroundings = Surroundings {
        home: Path::new("/home/ada"),
        here: Path::new("/home/ada/shop"),
        variable: &|_| None,
    };
    let places = places(&surroundings);
    let titles = |part: &str| -> Vec<_> {
        let its = places
            .iter()
            .filter(|place| place.path.display().to_string().contains(part));
        its.map(Place::title).collect()
    };
    assert_eq!(titles("roo-cline"), ["Roo Code"; EDITORS]);
    assert_eq!(titles("claude-dev"), ["Cline"; EDITORS]);
    assert_eq!(titles(".codex"), ["Codex", "Codex"]);
}

#[test]
fn every_host_that_can_be_guarded_has_a_place() {
    let found = paths_with(&[]);
    for host in Host::ALL {
        let name = host.name();
        let has_place = |name: &str| {
            let mut names = found.iter().map(|place| place.split(' ').next());
            names.any(|found| found == Some(name))
        };
        match host.transcript_format() {
            Some(format) => {
                let format: Format = format.parse().unwrap();
                assert_eq!(format.agent(), name);
                assert!(has_place(format.name()), "{name}");
            }
            None => assert!(has_place(name), "{name}"),
        }
    }
}

#[test]
fn variables_move_the_places_and_empty_ones_do_not() {
    let moved = paths_with(&[
        ("CLAUDE_CONFIG_DIR", "/c"),
        ("CODEX_HOME", "/x"),
        ("COPILOT_HOME", ""),
        ("XDG_DATA_HOME", "/data"),
        ("PI_CODING_AGENT_DIR", "/p"),
    ]);
    assert!(moved.contains(&"pi /p/sessions".to_owned()));
    assert!(moved.contains(&"claude-code /c/projects".to_owned()));
    assert!(moved.contains(&"codex /x/sessions".to_owned()));
    assert!(moved.contains(&"codex /x/archived_sessions".to_owned()));
    assert!(moved.contains(&"opencode /data/opencode/opencode.db".to_owned()));
    assert!(moved.contains(&"copilot-cli /home/ada/.copilot/session-state".to_owned()));
}
