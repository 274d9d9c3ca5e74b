use super::*;

fn by_path(path: &str) -> Option<Transient> {
    by_name(Path::new(path))
}

#[test]
fn places_of_package_runners_and_managers_are_known_by_their_paths() {
    for (path, expected) in [
        (
            "/home/a/.npm/_npx/0a1b/node_modules/@unstuck/linux-x64-gnu/unstuck",
            Transient::Npx,
        ),
        (
            "/home/a/.cache/pnpm/dlx/ab/cd/node_modules/.pnpm/u/node_modules/u/unstuck",
            Transient::PnpmDlx,
        ),
        (
            "/tmp/xfs-1a2b/dlx-3344/node_modules/@unstuck/linux-x64-gnu/unstuck",
            Transient::YarnDlx,
        ),
        (
            "/tmp/bunx-1000-unstuck@latest/node_modules/@unstuck/linux-x64-gnu/unstuck",
            Transient::Bunx,
        ),
        (
            "/home/a/.nvm/versions/node/v22.1.0/lib/node_modules/unstuck/unstuck",
            Transient::NodeModules,
        ),
        (
            "/home/a/.cache/uv/archive-v0/4xT/bin/unstuck",
            Transient::Uvx,
        ),
        (
            "/home/a/.local/share/uv/tools/unstuck/bin/unstuck",
            Transient::UvTool,
        ),
        (
            "/home/a/.local/share/pipx/venvs/unstuck/bin/unstuck",
            Transient::Pipx,
        ),
        (
            "/home/a/.pyenv/versions/3.12.1/bin/unstuck",
            Transient::Version("pyenv"),
        ),
        (
            "/home/a/.local/share/mise/installs/pipx-unstuck/1/bin/unstuck",
            Transient::Version("mise"),
        ),
        (
            "/home/a/.asdf/installs/unstuck/1/bin/unstuck",
            Transient::Version("asdf"),
        ),
        (
            "/home/a/.volta/tools/image/packages/unstuck/unstuck",
            Transient::Version("volta"),
        ),
    ] {
        assert_eq!(by_path(path), Some(expected), "{path}");
    }
    for path in [
        "/usr/bin/unstuck",
        "/usr/local/bin/unstuck",
        "/home/a/.cargo/bin/unstuck",
        "/home/a/.local/bin/unstuck",
        "/home/a/.local/share/unstuck/bin/unstuck",
        "/opt/homebrew/Cellar/unstuck/1.0.0/bin/unstuck",
        "/home/a/tools/uv/bin/unstuck",
        "/srv/versions/1/bin/unstuck",
    ] {
        assert_eq!(by_path(path), None, "{path}");
    }
}

#[test]
fn launchers_are_known_by_their_directory_their_target_and_their_first_bytes() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, bytes).expect("a file");
        path
    };
    let native = b"\x7fELF and more";
    assert_eq!(launcher(&place("bin/unstuck", native)), None);
    assert_eq!(launcher(&place("shims/unstuck", native)), None);
    for (name, bytes, expected) in [
        (".pyenv/shims/unstuck", &native[..], "a launcher of pyenv"),
        ("mise/shims/unstuck", native, "a launcher of mise"),
        (".volta/bin/unstuck", native, "a launcher of volta"),
        ("node_modules/.bin/unstuck", native, "a launcher of npm"),
        (
            "a/unstuck",
            b"#!/usr/bin/env node\n",
            "a script that starts another one",
        ),
        (
            "b/unstuck.cmd",
            b"@node %*",
            "a script that starts another one",
        ),
    ] {
        assert_eq!(launcher(&place(name, bytes)).as_deref(), Some(expected));
    }
    #[cfg(unix)]
    {
        let shim = place("c/volta-shim", native);
        let link = directory.path().join("c/unstuck");
        std::os::unix::fs::symlink(shim, &link).expect("a link");
        assert_eq!(launcher(&link).as_deref(), Some("a link to `volta-shim`"));
        // A version that a person keeps beside others.
        let kept = place("c/unstuck-1.2.0", native);
        let link = directory.path().join("c/current");
        std::os::unix::fs::symlink(kept, &link).expect("a link");
        assert_eq!(launcher(&link), None);
    }
}

#[test]
fn environments_builds_and_temporary_directories_are_known_by_what_is_around() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a path");
    let home = Path::new("/home/a");
    let by_surroundings = |program: &Path| by_surroundings(program, home);
    let file = |name: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, "").expect("a file");
        path
    };
    let program = file("venv/bin/unstuck");
    file("venv/pyvenv.cfg");
    assert_eq!(by_surroundings(&program), Some(Transient::Environment));
    let program = file("target/debug/unstuck");
    file("target/debug/unstuck.d");
    assert_eq!(by_surroundings(&program), Some(Transient::Cargo));
    let program = file("target/release/deps/unstuck");
    file("target/release/.cargo-lock");
    assert_eq!(by_surroundings(&program), Some(Transient::Cargo));
    let program = file("plain/unstuck");
    assert_eq!(by_surroundings(&program), Some(Transient::Temporary));
    let within = super::by_surroundings(&program, &root.join("home"));
    assert_eq!(within, None, "the home directory is temporary, too");
    let nix = Path::new("/nix/store/0a-unstuck/bin/unstuck");
    assert_eq!(by_surroundings(nix), Some(Transient::Nix));
    let cache = Path::new("/home/a/.cache/some/unstuck");
    assert_eq!(by_surroundings(cache), Some(Transient::Cache));
    for path in ["/usr/bin/unstuck", "/home/a/.cargo/bin/unstuck"] {
        assert_eq!(by_surroundings(Path::new(path)), None, "{path}");
    }
}
