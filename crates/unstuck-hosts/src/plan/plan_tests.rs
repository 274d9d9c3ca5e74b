use std::{collections::BTreeMap, path::Path};

use super::*;
use crate::{Rest, is_ours, program_of};

const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/project";

/// A file system of the test's own.
#[derive(Default)]
struct Files(BTreeMap<PathBuf, String>);

impl Files {
    fn with(path: &str, text: &str) -> Self {
        Self(BTreeMap::from([(PathBuf::from(path), text.to_owned())]))
    }

    fn around<T>(&self, then: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        then(&Surroundings {
            home: Path::new(HOME),
            config: Path::new("/home/dev/.config"),
            project: Path::new(PROJECT),
            variable: &|_| None,
            read: &|path| self.0.get(path).cloned(),
        })
    }

    fn plan(&self, host: Host, scope: Scope) -> Plan {
        self.around(|around| {
            plan(
                host,
                scope,
                around,
                &Invocation::new("/opt/my tools/unstuck"),
            )
        })
    }

    fn trust(&self, plan: &Plan) -> Trust {
        self.around(|around| trust(plan, around))
    }
}

fn plans() -> impl Iterator<Item = Plan> {
    let hosts = Host::ALL.into_iter();
    hosts.flat_map(|host| Scope::ALL.map(|scope| Files::default().plan(host, scope)))
}

#[test]
fn every_host_gets_files_of_its_own_scope() {
    let mut seen = BTreeMap::new();
    for plan in plans() {
        assert!(!plan.files.is_empty());
        for file in plan.files {
            let is_project = file.path.starts_with(PROJECT);
            assert_eq!(is_project, plan.scope == Scope::Project, "{:?}", file.path);
            assert!(file.path.starts_with(HOME));
            let taken = seen.insert(file.path.clone(), (plan.host, plan.scope));
            assert_eq!(taken, None, "{:?}", file.path);
        }
    }
}

#[test]
fn what_was_installed_is_found_again_and_runs_our_program() {
    for plan in plans() {
        for file in &plan.files {
            assert_eq!(file.registration(None).unwrap(), Registration::Absent);
            let edited = file.add(None, None).unwrap();
            let state = file.registration(Some(&edited.text)).unwrap();
            assert_eq!(state, Registration::Complete, "{}", edited.text);
            for (_, command) in file.commands(&edited.text).unwrap() {
                assert!(is_ours(&command, plan.host), "{command}");
                assert_eq!(
                    program_of(&command, plan.host).as_deref(),
                    Some("/opt/my tools/unstuck")
                );
            }
            let again = file.add(Some(&edited.text), Some(&edited.record)).unwrap();
            assert_eq!(again, edited);
            let removed = file.remove(&edited.text, Some(&edited.record)).unwrap();
            assert_eq!((removed.text.as_str(), removed.rest), ("", Rest::Nothing));
            let removed = file.remove(&edited.text, None).unwrap();
            assert_eq!(removed.rest, Rest::Nothing, "{}", removed.text);
        }
    }
}

#[test]
fn every_event_that_is_understood_is_registered() {
    for plan in plans().filter(|plan| plan.host != Host::OpenCode) {
        let mut found = Vec::new();
        for file in &plan.files {
            let text = file.add(None, None).unwrap().text;
            let commands = file.commands(&text).unwrap();
            found.extend(commands.into_iter().map(|(event, _)| event));
        }
        assert_eq!(found, plan.host.events(), "{}", plan.host);
    }
}

#[test]
fn another_program_or_a_missing_event_is_no_complete_registration() {
    let plan = Files::default().plan(Host::ClaudeCode, Scope::User);
    let text = plan.files[0].add(None, None).unwrap().text;
    let state = |text: &str| plan.files[0].registration(Some(text)).unwrap();
    assert_eq!(
        state(&text.replace("/opt/my tools", "/usr/bin")),
        Registration::Different
    );
    assert_eq!(
        state(&text.replace("\"Stop\"", "\"Stopped\"")),
        Registration::Different
    );
    assert_eq!(state("{}"), Registration::Absent);
}

#[test]
fn a_file_of_someone_else_is_not_taken_for_ours() {
    let plan = Files::default().plan(Host::Cline, Scope::User);
    let state = plan.files[0].registration(Some("#!/bin/sh\necho mine\n"));
    assert_eq!(state.unwrap(), Registration::Occupied);
    // A script of ours that its user has added to is the user's.
    let ours = plan.files[0].add(None, None).unwrap().text;
    let older = ours.replace("/opt/my tools", "/usr/bin");
    let state = |text: &str| plan.files[0].registration(Some(text)).unwrap();
    assert_eq!(state(&older), Registration::Different);
    let added = ours.replace("exec ", "log-call\nexec ");
    assert_eq!(state(&added), Registration::Occupied);
}

#[test]
fn times_are_in_the_unit_of_the_host() {
    let text = |host| {
        let plan = Files::default().plan(host, Scope::User);
        let file = plan.files.last().unwrap();
        file.add(None, None).unwrap().text
    };
    for host in [Host::GeminiCli, Host::QwenCode] {
        assert!(text(host).contains("\"timeout\": 10000"), "{host}");
    }
    for host in [
        Host::ClaudeCode,
        Host::Codex,
        Host::Cursor,
        Host::Crush,
        Host::Goose,
        Host::OpenHands,
    ] {
        assert!(text(host).contains("\"timeout\": 10\n"), "{host}");
    }
    assert!(text(Host::CopilotCli).contains("\"timeoutSec\": 10\n"));
}

#[test]
fn where_a_failing_hook_would_deny_every_call_it_cannot_fail() {
    let plan = Files::default().plan(Host::CopilotCli, Scope::User);
    let file = &plan.files[0];
    let text = file.add(None, None).unwrap().text;
    for (event, command) in file.commands(&text).unwrap() {
        let is_safe = command.ends_with("|| true") || command.ends_with("exit 0");
        let needs = ["preToolUse", "permissionRequest"].contains(&event.as_str());
        assert_eq!(is_safe, needs, "{command}");
    }
}

#[test]
fn codex_hooks_go_where_there_are_some() {
    let path = |files: &Files| {
        let plan = files.plan(Host::Codex, Scope::User);
        plan.files[0].path.to_string_lossy().into_owned()
    };
    let config = "/home/dev/.codex/config.toml";
    let hooks = "/home/dev/.codex/hooks.json";
    assert_eq!(path(&Files::default()), hooks);
    assert_eq!(path(&Files::with(config, "model = \"m\"\n")), hooks);
    let trusted = "[hooks.state.\"x:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n";
    assert_eq!(path(&Files::with(config, trusted)), hooks);
    let mut files = Files::with(
        config,
        "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n",
    );
    assert_eq!(path(&files), config);
    files.0.insert(PathBuf::from(hooks), "{}".to_owned());
    assert_eq!(path(&files), hooks);
}

#[test]
fn claude_code_tells_whether_a_folder_is_trusted() {
    let trust = |accepted: &str| {
        let state = format!("{{\"projects\":{{\"{PROJECT}\":{{{accepted}}}}}}}");
        let files = Files::with("/home/dev/.claude.json", &state);
        files.trust(&files.plan(Host::ClaudeCode, Scope::User))
    };
    assert_eq!(trust("\"hasTrustDialogAccepted\":true"), Trust::Granted);
    assert!(matches!(
        trust("\"hasTrustDialogAccepted\":false"),
        Trust::Missing(_)
    ));
    assert!(matches!(trust(""), Trust::Unknown(_)));
}

#[test]
fn canaries_are_understood_by_the_codec_of_their_host() {
    for host in Host::ALL {
        let call = CanaryCall {
            session: "canary",
            number: 1,
            directory: "/tmp",
            at: 1,
        };
        for told in canary(host, &call) {
            let bytes = told.input.to_string();
            let hook = crate::decode(host, Some(told.event), bytes.as_bytes(), &[0; 32], &|_| {
                None
            });
            let hook = hook.unwrap_or_else(|error| panic!("{host}: {error}"));
            assert_eq!(hook.host, host);
            assert_eq!(&*hook.session, "canary");
        }
    }
}
