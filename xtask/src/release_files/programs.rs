//! The programs of a platform as they are released.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use unstuck_dev::{CmdExt as _, Install, Shell, add_target, apt, executable, find};

/// Programs of one platform.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    pub(crate) command: PathBuf,
    pub(crate) hook: PathBuf,
    pub(crate) target: String,
}

impl Programs {
    /// How the programs are linked, for people.
    pub(crate) fn linkage(&self) -> &'static str {
        match self.target.as_str() {
            target if target.contains("-linux-musl") => "linked statically with musl",
            target if target.contains("-linux-gnu") => "linked statically with glibc",
            _ => "linked as the platform does",
        }
    }
}

/// The platform that is built for unless another one is named: on Linux with musl, or with static glibc where the target or a
/// C compiler for it cannot be had.
pub(crate) fn default_target(shell: &Shell, install: Install) -> Result<String> {
    let host = host(shell)?;
    let Some((processor, _)) = host.split_once("-unknown-linux-") else {
        return Ok(host);
    };
    let musl = format!("{processor}-unknown-linux-musl");
    if let Err(error) = ensure(shell, &musl, install) {
        println!("{musl} cannot be built for: {error:#}; static glibc takes its place");
        return Ok(format!("{processor}-unknown-linux-gnu"));
    }
    Ok(musl)
}

/// Builds both programs, and checks what can be seen from outside.
pub(super) fn build(
    shell: &Shell,
    target: &str,
    profile: &str,
    install: Install,
) -> Result<Programs> {
    ensure(shell, target, install)?;
    let programs = Programs {
        command: build_one(shell, target, profile, "unstuck-cli", "unstuck", Place::Any)?,
        hook: static_program(shell, target, profile)?,
        target: target.to_owned(),
    };
    for program in [&programs.command, &programs.hook] {
        check(shell, program, target)?;
    }
    Ok(programs)
}

/// Builds programs that tests take for those of a release, from what is compiled already where that is possible.
///
/// The command is the one of `cargo build --release`, linked statically: only its own package is compiled for that. The
/// program for hooks is compiled as it is released, for its target and at its address, but is not optimised.
pub(super) fn build_for_tests(shell: &Shell, target: &str, install: Install) -> Result<Programs> {
    ensure(shell, target, install)?;
    let hook = static_program(shell, target, "dev")?;
    check(shell, &hook, target)?;
    let mut rustc = shell.cargo(["rustc", "--locked", "--release", "--package", "unstuck-cli"]);
    rustc = rustc.args([
        "--bin",
        "unstuck",
        "--message-format=json-render-diagnostics",
    ]);
    if target.contains("-linux-") {
        rustc = rustc.args(["--", "-Ctarget-feature=+crt-static"]);
    }
    let built = executable(&rustc.read_shown()?, "unstuck").context("cargo built no command")?;
    // The next build puts its own there.
    let place = shell.root().join("target").join("release-build-tested");
    fs::create_dir_all(&place)?;
    let command = place.join(built.file_name().context("a program has a name")?);
    fs::copy(&built, &command)?;
    let bytes = fs::read(&command)?;
    if target.contains("-linux-") && needs_interpreter(&bytes)? {
        bail!("{} is not linked statically", command.display());
    }
    Ok(Programs {
        command,
        hook,
        target: target.to_owned(),
    })
}

/// Builds the program for hooks, which starts at a fixed address: it starts before and after every call of an agent.
pub(crate) fn static_program(shell: &Shell, target: &str, profile: &str) -> Result<PathBuf> {
    let place = if target.contains("-linux-") {
        Place::Fixed
    } else {
        Place::Any
    };
    build_one(
        shell,
        target,
        profile,
        "unstuck-hook",
        "unstuck-hook",
        place,
    )
}

/// Where the code of a program lies when it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Any,
    Fixed,
}

fn build_one(
    shell: &Shell,
    target: &str,
    profile: &str,
    package: &str,
    name: &str,
    place: Place,
) -> Result<PathBuf> {
    let mut flags = Vec::new();
    for (from, to) in replaced_paths(shell) {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    }
    if target.contains("-linux-") {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    let directory = match place {
        Place::Any => "release-build",
        Place::Fixed => {
            flags.push("-Crelocation-model=static".to_owned());
            "release-build-fixed"
        }
    };
    let directory = shell.root().join("target").join(directory);
    let replaced = replaced_paths(shell);
    let c_flags: Vec<_> = replaced
        .iter()
        .map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()))
        .collect();
    let variable = |start: &str| format!("{start}_{}", target.replace('-', "_"));
    let mut command = shell
        .cargo(["build", "--locked", "--profile", profile])
        .args(["--package", package, "--target", target, "--target-dir"])
        .arg(&directory)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    // The flag is one of GCC and Clang.
    if !target.contains("-msvc") {
        command = command.env(variable("CFLAGS"), c_flags.join(" "));
    }
    if let Some(compiler) = c_compiler(target) {
        command = command.env(variable("CC"), compiler);
    }
    command.run()?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let ending = if target.contains("-windows-") {
        ".exe"
    } else {
        ""
    };
    Ok(directory
        .join(target)
        .join(folder)
        .join(format!("{name}{ending}")))
}

/// Paths of this machine that stay out of programs, with what takes their place.
fn replaced_paths(shell: &Shell) -> Vec<(PathBuf, &'static str)> {
    let mut paths = vec![(shell.root().to_path_buf(), "/unstuck")];
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = env::home_dir();
    if let Some(cargo) = cargo.or_else(|| home.map(|home| home.join(".cargo"))) {
        paths.push((cargo, "/cargo"));
    }
    paths
}

/// A C compiler for musl on this processor, unless the user has named one.
fn c_compiler(target: &str) -> Option<String> {
    let named = ["CC", "TARGET_CC"]
        .into_iter()
        .map(str::to_owned)
        .chain([format!("CC_{}", target.replace('-', "_"))]);
    let is_named = named.into_iter().any(|name| env::var_os(name).is_some());
    if !target.contains("-linux-musl") || is_named {
        return None;
    }
    find(&["musl-gcc"])
}

fn ensure(shell: &Shell, target: &str, install: Install) -> Result<()> {
    let has_target = || {
        let directory = shell
            .program("rustc")
            .args(["--print", "target-libdir", "--target", target])
            .ignore_stderr()
            .read();
        directory.is_ok_and(|directory| Path::new(directory.trim_end()).is_dir())
    };
    if !has_target() {
        if install == Install::Never {
            bail!("the target {target} is not installed");
        }
        add_target(shell, target)?;
    }
    let is_this_processor = target.starts_with(env::consts::ARCH);
    let needs_compiler = target.contains("-linux-musl") && is_this_processor;
    if needs_compiler && c_compiler(target).is_none() && env::var_os("CC").is_none() {
        if install == Install::Never {
            bail!("musl-gcc is not installed");
        }
        apt(shell, &["musl-tools"])?;
    }
    Ok(())
}

fn host(shell: &Shell) -> Result<String> {
    let said = shell.program("rustc").arg("-vV").read()?;
    let line = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc names no host")?.to_owned())
}

/// A program for Linux needs no other file, and none names a directory of this machine.
fn check(shell: &Shell, program: &Path, target: &str) -> Result<()> {
    let bytes = fs::read(program).with_context(|| format!("no {}", program.display()))?;
    let shown = program.display();
    if target.contains("-linux-") && needs_interpreter(&bytes)? {
        bail!("{shown} is not linked statically");
    }
    for (path, _) in replaced_paths(shell) {
        let path = path.to_string_lossy().into_owned();
        if has(&bytes, path.as_bytes()) {
            bail!("{shown} has the path {path} of this machine in it");
        }
    }
    let runs = target.starts_with(env::consts::ARCH) && target.contains(env::consts::OS);
    if runs && !shell.program(program).arg("--version").succeeds() {
        bail!("{shown} cannot be run");
    }
    Ok(())
}

pub(super) fn has(bytes: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && memchr::memmem::find(bytes, part).is_some()
}

/// Whether a program in the format ELF of 64 bits names a program that loads it.
pub(super) fn needs_interpreter(bytes: &[u8]) -> Result<bool> {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, length: usize| -> Result<usize> {
        let part = bytes.get(at..at + length).context("the program is cut")?;
        let part = part.iter().rev();
        Ok(part.fold(0, |sum, byte| (sum << 8) | usize::from(*byte)))
    };
    if bytes.get(..6) != Some(b"\x7fELF\x02\x01") {
        bail!("the program is not ELF of 64 bits, little-endian");
    }
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for index in 0..count {
        if number(table + index * size, 4)? as u32 == INTERPRETER {
            return Ok(true);
        }
    }
    Ok(false)
}
