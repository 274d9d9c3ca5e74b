use std::path::Path;

use super::*;

fn paths_with(variables: &[(&str, &str)]) -> Vec<String> {
    let variable = |name: &str| {
        let found = variables.iter().find(|(one, _)| *one == name);
        found.map(|(_, value)| OsString::from(value))
    };
    let surroundings = Surroundings {
        home: Path::new("/home/ada"),
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
        "openhands /home/ada/.openhands/conversations",
        "mini-swe-agent /home/ada/.config/mini-swe-agent/last_mini_run.traj.json",
    ];
    assert_eq!(paths_with(&[]), expected);
}

#[test]
fn variables_move_the_places_and_empty_ones_do_not() {
    let moved = paths_with(&[
        ("CLAUDE_CONFIG_DIR", "/c"),
        ("CODEX_HOME", "/x"),
        ("COPILOT_HOME", ""),
        ("XDG_DATA_HOME", "/data"),
    ]);
    assert!(moved.contains(&"claude-code /c/projects".to_owned()));
    assert!(moved.contains(&"codex /x/sessions".to_owned()));
    assert!(moved.contains(&"codex /x/archived_sessions".to_owned()));
    assert!(moved.contains(&"opencode /data/opencode/opencode.db".to_owned()));
    assert!(moved.contains(&"copilot-cli /home/ada/.copilot/session-state".to_owned()));
}
