//! `install` where the program does not last: hosts run a copy of it.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use serde_json::Value;

use crate::{
    install::at_home,
    run::{Place, Ran, binary, finish, finish_in_terminal},
};

const SETTINGS: &str = "home/.claude/settings.json";
const COPY: &str = "home/.local/share/unstuck/bin/unstuck";
const HOOK_COPY: &str = "home/.local/share/unstuck/bin/unstuck-hook";
const NPX: &str = "home/.npm/_npx/1a/node_modules/@unstuck/linux-x64-gnu";

/// Puts the command into a directory, as a package does.
fn package(place: &Place, directory: &str) -> PathBuf {
    let program = place.path(directory).join("unstuck");
    fs::create_dir_all(place.path(directory)).expect("a directory can be made");
    fs::hard_link(binary(), &program).expect("a link");
    program
}

/// Writes a program that prints a version, and does what the command does.
fn script(place: &Place, name: &str, version: &str) {
    let command = binary();
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'unstuck {version}' && exit\nexec '{}' \"$@\"\n",
        command.display()
    );
    place.write(name, text);
    set_mode(&place.path(name), 0o755);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode can be set");
}

fn command(place: &Place, program: &Path, args: &[&str]) -> Command {
    let base = place.command(args);
    fs::create_dir_all(place.path("home/project/.git")).expect("a directory can be made");
    let mut command = Command::new(program);
    let variables = base.get_envs();
    command
        .args(base.get_args())
        .current_dir(place.path("home/project"))
        .env_clear()
        .envs(variables.filter_map(|(name, value)| Some((name, value?))))
        .env("HOME", place.path("home"))
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(place: &Place, program: &Path, args: &[&str]) -> Ran {
    finish(command(place, program, args), b"")
}

fn as_person(place: &Place, program: &Path, args: &[&str]) -> Ran {
    finish_in_terminal(&command(place, program, args), b"")
}

fn install(place: &Place, program: &Path) -> Ran {
    let ran = run(place, program, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn names(place: &Place, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(directory)).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

fn registers(place: &Place, program: &str) -> bool {
    let line = format!("\"{} hook claude-code\"", place.path(program).display());
    place.read(SETTINGS).contains(&line)
}

#[test]
fn a_program_that_does_not_last_is_copied_and_hooks_run_the_copy() {
    for (number, (directory, beside, reason)) in [
        (NPX, None, "the cache of npx"),
        (
            "home/.cache/pnpm/dlx/a/b/node_modules/unstuck",
            None,
            "the cache of `pnpm dlx`",
        ),
        (
            "x/bunx-0-unstuck@latest/node_modules/unstuck",
            None,
            "the cache of bunx",
        ),
        (
            "home/.nvm/lib/node_modules/unstuck",
            None,
            "a folder of npm packages",
        ),
        ("home/.cache/uv/archive-v0/x/bin", None, "the cache of uvx"),
        (
            "home/.local/share/uv/tools/unstuck/bin",
            None,
            "an environment of `uv tool`",
        ),
        (
            "home/.local/share/pipx/venvs/unstuck/bin",
            None,
            "an environment of pipx",
        ),
        (
            "home/project/.venv/bin",
            Some("home/project/.venv/pyvenv.cfg"),
            "a virtual environment of Python",
        ),
        (
            "home/.pyenv/versions/3.12.1/bin",
            None,
            "a version that pyenv manages",
        ),
        (
            "home/.asdf/installs/unstuck/1/bin",
            None,
            "a version that asdf manages",
        ),
        (
            "home/.local/share/mise/installs/unstuck/1/bin",
            None,
            "a version that mise manages",
        ),
        (
            "home/.volta/tools/image/packages/unstuck/bin",
            None,
            "a version that volta manages",
        ),
        ("home/.cache/other", None, "a cache"),
        (
            "build/debug",
            Some("build/debug/unstuck.d"),
            "a build directory of cargo",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let place = Place::new(&format!("install-copy-{number}"));
        let program = package(&place, directory);
        if let Some(beside) = beside {
            place.write(beside, "");
        }
        let ran = install(&place, &program);
        assert!(
            ran.out.contains(&format!("is in {reason}, ")),
            "{}",
            ran.out
        );
        assert!(
            ran.out
                .contains("~/.local/share/unstuck/bin/unstuck (new copy, "),
            "{}",
            ran.out
        );
        assert!(registers(&place, COPY), "{}", place.read(SETTINGS));
        let found = fs::symlink_metadata(place.path(COPY)).expect("a copy");
        assert!(found.is_file());
        assert_eq!(found.permissions().mode() & 0o7777, 0o755);
        let ran = run(&place, &place.path(COPY), &["--version"]);
        assert_eq!(ran.out, format!("unstuck {}\n", env!("CARGO_PKG_VERSION")));
        // The package is removed, and the hooks still work.
        fs::remove_file(&program).expect("a file");
        let ran = run(&place, &place.path(COPY), &["doctor", "claude-code"]);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        assert!(ran.out.contains("a canary loop was nudged"), "{}", ran.out);
        let ran = as_person(
            &place,
            &place.path(COPY),
            &["uninstall", "claude-code", "--yes"],
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            !place.path("home/.local/share/unstuck").exists(),
            "{}",
            ran.out
        );
        assert!(!place.path("home/.claude").exists());
    }
}

#[test]
fn doing_it_again_changes_nothing() {
    let place = Place::new("install-copy-again");
    let program = package(&place, NPX);
    install(&place, &program);
    let before = fs::metadata(place.path(COPY))
        .expect("a copy")
        .modified()
        .ok();
    let ran = install(&place, &program);
    assert!(ran.out.contains("in place already"), "{}", ran.out);
    let after = fs::metadata(place.path(COPY))
        .expect("a copy")
        .modified()
        .ok();
    assert_eq!(before, after);
    assert_eq!(names(&place, "home/.local/share/unstuck/bin"), ["unstuck"]);
}

#[test]
fn a_dry_run_copies_nothing() {
    let place = Place::new("install-copy-dry");
    let program = package(&place, NPX);
    for option in ["--dry-run", "--print"] {
        let ran = run(&place, &program, &["install", "claude-code", option]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains(COPY), "{}", ran.out);
        assert!(!place.path("home/.local").exists());
    }
    // No agent would run it.
    let ran = run(&place, &program, &["init", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!place.path("home/.local").exists(), "{}", ran.out);
    // Now one would.
    fs::create_dir_all(place.path("home/.claude")).expect("a directory");
    let ran = run(&place, &program, &["init", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(registers(&place, COPY), "{}", ran.out);
}

/// A launcher on `PATH` takes longer than the hook itself.
#[test]
fn a_launcher_on_path_is_not_registered() {
    let place = Place::new("install-copy-launcher");
    let program = package(&place, "home/.pyenv/versions/3.12.1/bin");
    let shim = "home/.pyenv/shims/unstuck";
    place.write(
        shim,
        format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display()),
    );
    set_mode(&place.path(shim), 0o755);
    let shims = place.path("home/.pyenv/shims");
    let path = format!("{}:/usr/bin:/bin", shims.display());
    let mut first = command(
        &place,
        &place.path(shim),
        &["install", "claude-code", "--yes"],
    );
    first.env("PATH", path);
    let ran = finish(first, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(registers(&place, COPY), "{}", place.read(SETTINGS));
}

#[test]
fn hooks_run_the_small_program_and_everything_else_the_command() {
    let place = Place::new("install-copy-both");
    let program = package(&place, NPX);
    script(
        &place,
        &format!("{NPX}/unstuck-hook"),
        env!("CARGO_PKG_VERSION"),
    );
    let ran = run(
        &place,
        &program,
        &["install", "claude-code", "--statusline", "--yes"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(registers(&place, HOOK_COPY), "{}", place.read(SETTINGS));
    let line = format!("\"{} statusline\"", place.path(COPY).display());
    assert!(
        place.read(SETTINGS).contains(&line),
        "{}",
        place.read(SETTINGS)
    );
    let servers = "home/.cursor/mcp.json";
    place.write(servers, r#"{"mcpServers": {"files": {"command": "srv"}}}"#);
    let ran = run(
        &place,
        &program,
        &["install", "mcp", "cursor", "files", "--yes"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let entries: Value = serde_json::from_str(&place.read(servers)).expect("JSON");
    let command = entries["mcpServers"]["files"]["command"].as_str();
    assert_eq!(command, place.path(COPY).to_str());
    let ran = run(&place, &program, &["doctor", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["mcp_servers"][0]["health"], "ok", "{report:#}");

    // A later package without the small program: entries that name it run the command.
    fs::remove_file(place.path(NPX).join("unstuck-hook")).expect("a file");
    let ran = as_person(&place, &program, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(registers(&place, HOOK_COPY), "{}", place.read(SETTINGS));
    let length = |name: &str| fs::metadata(place.path(name)).expect("a file").len();
    assert_eq!(length(HOOK_COPY), length(COPY));

    // It stays until no entry names it.
    let ran = as_person(&place, &program, &["uninstall", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.path(COPY).exists(), "{}", ran.out);
    let ran = as_person(
        &place,
        &program,
        &["uninstall", "mcp", "cursor", "files", "--yes"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("copy removed"), "{}", ran.out);
    assert!(!place.path("home/.local/share/unstuck").exists());
}

#[test]
fn a_newer_install_replaces_the_copy_for_every_host() {
    let place = Place::new("install-copy-newer");
    let program = package(&place, NPX);
    install(&place, &program);
    script(&place, COPY, "0.0.1");
    let doctor = run(&place, &program, &["doctor", "claude-code"]);
    let old = "~/.local/share/unstuck/bin/unstuck, the copy that agents run, is version 0.0.1";
    assert!(doctor.out.contains(old), "{}", doctor.out);
    let advice = "to have the hooks run it: npx unstuck install claude-code";
    assert!(doctor.out.contains(advice), "{}", doctor.out);
    // Agents run it: another program in its place is for a person to decide.
    let ran = run(&place, &program, &["install", "codex", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("refused"), "{}", ran.err);
    assert!(!place.path("home/.codex").exists());
    assert!(place.read(COPY).starts_with("#!"));
    let ran = as_person(&place, &program, &["install", "codex", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let change = format!("(copy replaced, 0.0.1 → {})", env!("CARGO_PKG_VERSION"));
    assert!(ran.out.contains(&change), "{}", ran.out);
    let length = |path: &Path| fs::metadata(path).expect("a file").len();
    assert_eq!(length(&place.path(COPY)), length(&program));
    let doctor = run(&place, &program, &["doctor", "claude-code"]);
    assert!(doctor.out.contains("ok    reachable"), "{}", doctor.out);
}

#[test]
fn an_older_install_leaves_the_copy_as_it_is() {
    let place = Place::new("install-copy-older");
    let program = package(&place, NPX);
    script(&place, COPY, "9.0.0-rc.1");
    let before = place.read(COPY);
    let ran = install(&place, &program);
    assert!(
        ran.err.contains("version 9.0.0-rc.1 and newer"),
        "{}",
        ran.err
    );
    assert!(registers(&place, COPY));
    assert_eq!(place.read(COPY), before);
    let doctor = run(
        &place,
        &program,
        &["doctor", "claude-code", "--format", "json"],
    );
    assert!(doctor.out.contains("newer than this one"), "{}", doctor.out);
    assert_eq!(doctor.code, Some(0), "{}", doctor.out);
}

/// An agent goes on with the program that it started.
#[test]
fn a_copy_is_replaced_while_it_runs() {
    let place = Place::new("install-copy-runs");
    let program = package(&place, NPX);
    install(&place, &program);
    let mut running = command(&place, &place.path(COPY), &["check"]);
    running.stderr(Stdio::inherit());
    let mut running = running.spawn().expect("the copy starts");
    let (mut input, output) = (
        running.stdin.take().expect("a pipe"),
        running.stdout.take().expect("a pipe"),
    );
    let mut output = BufReader::new(output);
    let mut ask = |id: u32| {
        let call = r#""event":"call","tool":"ls","args":{}"#;
        writeln!(input, "{{{call},\"id\":{id}}}").expect("a line is read");
        input.flush().expect("a line is read");
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        line
    };
    assert!(ask(1).contains("allow"));
    // Another build of the same version.
    let mut bytes = fs::read(&program).expect("a program");
    bytes.extend(b"another build");
    fs::remove_file(&program).expect("a file");
    fs::write(&program, bytes).expect("a file");
    set_mode(&program, 0o755);
    let ran = as_person(&place, &program, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("copy replaced by this build"),
        "{}",
        ran.out
    );
    assert!(ask(2).contains("allow"));
    drop(input);
    assert!(running.wait().expect("it ends").success());
    let length = |path: &Path| fs::metadata(path).expect("a file").len();
    assert_eq!(length(&place.path(COPY)), length(&program));
}

#[test]
fn links_are_not_followed() {
    let place = Place::new("install-copy-links");
    let program = package(&place, NPX);
    place.write("elsewhere/unstuck", "mine");
    let share = place.path("home/.local/share");
    fs::create_dir_all(share.join("unstuck")).expect("a directory");
    symlink(place.path("elsewhere"), share.join("unstuck/bin")).expect("a link");
    let args = ["install", "claude-code", "--yes"];
    let ran = run(&place, &program, &args);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("it is a link or a file"), "{}", ran.err);
    assert!(ran.err.contains("--binary"), "{}", ran.err);
    assert!(!place.path("home/.claude").exists());
    fs::remove_file(share.join("unstuck/bin")).expect("a link");
    fs::create_dir(share.join("unstuck/bin")).expect("a directory");
    symlink(place.path("elsewhere/unstuck"), place.path(COPY)).expect("a link");
    install(&place, &program);
    assert!(
        !fs::symlink_metadata(place.path(COPY))
            .expect("a copy")
            .is_symlink()
    );
    assert_eq!(place.read("elsewhere/unstuck"), "mine");
    assert_eq!(names(&place, "elsewhere"), ["unstuck"]);
}

#[test]
fn a_directory_that_others_may_write_to_is_closed_to_them() {
    let place = Place::new("install-copy-modes");
    let program = package(&place, NPX);
    let directory = place.path("home/.local/share/unstuck/bin");
    fs::create_dir_all(&directory).expect("a directory");
    set_mode(&directory, 0o777);
    install(&place, &program);
    let mode = fs::metadata(&directory).expect("a directory").permissions();
    assert_eq!(mode.mode() & 0o777, 0o755);
}

#[test]
fn installs_at_the_same_time_leave_one_whole_copy() {
    let place = Place::new("install-copy-together");
    let program = package(&place, NPX);
    place.write("home/.local/share/unstuck/bin/.unstuck-killed", "half");
    let hosts = ["claude-code", "codex", "gemini-cli", "qwen-code"];
    // Each has its own state, so that only the copy is shared.
    thread::scope(|scope| {
        let runs = hosts.map(|host| {
            let (place, program) = (&place, &program);
            scope.spawn(move || {
                let args = ["install", host, "--yes"];
                let mut command = command(place, program, &args);
                command.env("UNSTUCK_HOME", place.path(&format!("state-{host}")));
                finish(command, b"")
            })
        });
        for ran in runs {
            let ran = ran.join().expect("a run");
            // One that comes later finds a copy that another one uses, and that is the same.
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    });
    let length = |path: &Path| fs::metadata(path).expect("a file").len();
    assert_eq!(length(&place.path(COPY)), length(&program));
    // A file that was left just now may still be written to.
    let directory = "home/.local/share/unstuck/bin";
    assert_eq!(names(&place, directory), [".unstuck-killed", "unstuck"]);
}

#[test]
fn an_install_from_a_place_that_lasts_takes_over_and_removes_the_copy() {
    let place = Place::new("install-copy-leaves");
    let program = package(&place, NPX);
    install(&place, &program);
    let lasting = package(&place, "home/.local/bin");
    let ran = as_person(&place, &lasting, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(registers(&place, "home/.local/bin/unstuck"), "{}", ran.out);
    assert!(
        ran.out.contains("copy removed: no agent runs it"),
        "{}",
        ran.out
    );
    assert!(!place.path("home/.local/share/unstuck").exists());
}

#[test]
fn nothing_is_registered_if_the_copy_cannot_be_made() {
    let place = Place::new("install-copy-fails");
    let program = package(&place, NPX);
    place.write("home/.local/share/unstuck", "a file");
    let ran = run(&place, &program, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(!place.path("home/.claude").exists());
    assert_eq!(place.read("home/.local/share/unstuck"), "a file");
}

/// The health, words and advice about the reachability of the only host of a report.
fn reachable(place: &Place, program: &Path) -> (String, String, String) {
    let ran = run(
        place,
        program,
        &["doctor", "claude-code", "--format", "json"],
    );
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = report["hosts"][0]["findings"].as_array().expect("findings");
    let mut of = findings
        .iter()
        .filter(|finding| finding["about"] == "reachable");
    let finding = of.next().expect("a finding");
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    (text("health"), text("seen"), text("todo"))
}

#[test]
fn doctor_names_launchers_and_caches_and_says_what_to_do() {
    let place = Place::new("install-copy-doctor");
    let program = package(&place, NPX);
    let lasting = package(&place, "home/.local/bin");
    let register = |path: &str, scope: &str| {
        let args = [
            "install",
            "claude-code",
            "--yes",
            "--scope",
            scope,
            "--binary",
            path,
        ];
        let ran = as_person(&place, &lasting, &args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    };
    let npx = program.to_str().expect("text");
    let ran = register(npx, "user");
    assert!(ran.err.contains("is in the cache of npx"), "{}", ran.err);
    let (health, seen, todo) = reachable(&place, &lasting);
    assert_eq!(health, "bad", "{seen}");
    assert!(
        seen.starts_with(npx) && seen.ends_with("is in the cache of npx, from which it disappears"),
        "{seen}"
    );
    let advice = format!("{} install claude-code", lasting.display());
    assert!(todo.ends_with(&advice), "{todo}");

    script(
        &place,
        "home/.pyenv/shims/unstuck",
        env!("CARGO_PKG_VERSION"),
    );
    let shim = place.path("home/.pyenv/shims/unstuck");
    register(shim.to_str().expect("text"), "user");
    let (health, seen, _) = reachable(&place, &lasting);
    assert_eq!(health, "bad", "{seen}");
    assert!(
        seen.ends_with("is a launcher of pyenv, not the program itself"),
        "{seen}"
    );

    // The advice mends it.
    let ran = as_person(&place, &lasting, &["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(reachable(&place, &lasting).0, "ok");

    // A name in a project's file is looked up by each person.
    as_person(&place, &lasting, &["uninstall", "claude-code", "--yes"]);
    register("unstuck", "project");
    let mut doctor = command(&place, &lasting, &["doctor", "claude-code"]);
    let shims = place.path("home/.pyenv/shims");
    doctor.env("PATH", format!("{}:/usr/bin:/bin", shims.display()));
    let ran = finish(doctor, b"");
    assert!(ran.out.contains("?     reachable"), "{}", ran.out);
    assert!(ran.out.contains("a launcher of pyenv"), "{}", ran.out);
}

#[test]
fn doctor_names_a_server_whose_proxy_is_in_a_cache() {
    let place = Place::new("install-copy-servers");
    let program = package(&place, NPX);
    place.write(
        "home/.cursor/mcp.json",
        r#"{"mcpServers": {"files": {"command": "srv"}}}"#,
    );
    let path = program.to_str().expect("text");
    let ran = at_home(
        &place,
        &["install", "mcp", "cursor", "files", "--binary", path],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = at_home(&place, &["doctor"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("is in the cache of npx"), "{}", ran.out);
    assert!(
        ran.out.contains("unstuck uninstall mcp cursor files"),
        "{}",
        ran.out
    );
}
