//! Places from which programs disappear, and programs that only start another one.

use std::{
    env,
    ffi::OsStr,
    fmt, fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use unstuck_store::regular;

/// A place that does not last: what is in it is removed or replaced while hooks still name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transient {
    Npx,
    PnpmDlx,
    YarnDlx,
    Bunx,
    /// A folder of npm packages, for a project or for one version of Node.js.
    NodeModules,
    Uvx,
    UvTool,
    Pipx,
    /// Any other virtual environment of Python.
    Environment,
    /// What this manager keeps for one version of a language.
    Version(&'static str),
    Cargo,
    Nix,
    Cache,
    Temporary,
}

/// Why hooks should not run a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It disappears.
    Transient(Transient),
    /// It starts another program each time, which takes longer than the hook itself.
    Launcher(String),
}

/// Managers of versions: the directory that each keeps versions in, as its last components.
const MANAGERS: [(&str, &str, &str); 8] = [
    (".pyenv", "versions", "pyenv"),
    ("pyenv", "versions", "pyenv"),
    (".asdf", "installs", "asdf"),
    ("asdf", "installs", "asdf"),
    ("mise", "installs", "mise"),
    ("rtx", "installs", "mise"),
    (".volta", "tools", "volta"),
    ("volta", "tools", "volta"),
];

/// Directories of launchers: the component before it, if it matters, and the manager.
const SHIMS: [(&str, &str, &str); 8] = [
    (".pyenv", "shims", "pyenv"),
    ("pyenv", "shims", "pyenv"),
    (".asdf", "shims", "asdf"),
    ("asdf", "shims", "asdf"),
    ("mise", "shims", "mise"),
    ("scoop", "shims", "scoop"),
    (".volta", "bin", "volta"),
    ("node_modules", ".bin", "npm"),
];

impl Transient {
    /// Looks at the path of a program, with links resolved, and at what lies around the program. A cache that the home
    /// directory itself is in lasts as long as a copy at home.
    pub(crate) fn of(program: &Path, home: &Path) -> Option<Self> {
        let program = whole(program);
        by_name(&program).or_else(|| by_surroundings(&program, &whole(home)))
    }

    /// What a person types to run the package again.
    pub(crate) fn runner(self) -> Option<&'static str> {
        match self {
            Self::Npx | Self::NodeModules => Some("npx unstuck"),
            Self::PnpmDlx => Some("pnpm dlx unstuck"),
            Self::YarnDlx => Some("yarn dlx unstuck"),
            Self::Bunx => Some("bunx unstuck"),
            Self::Uvx => Some("uvx unstuck"),
            _ => None,
        }
    }
}

impl fmt::Display for Transient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Npx => "the cache of npx",
            Self::PnpmDlx => "the cache of `pnpm dlx`",
            Self::YarnDlx => "the cache of `yarn dlx`",
            Self::Bunx => "the cache of bunx",
            Self::NodeModules => "a folder of npm packages",
            Self::Uvx => "the cache of uvx",
            Self::UvTool => "an environment of `uv tool`",
            Self::Pipx => "an environment of pipx",
            Self::Environment => "a virtual environment of Python",
            Self::Version(manager) => {
                return write!(f, "a version that {manager} manages");
            }
            Self::Cargo => "a build directory of cargo",
            Self::Nix => "the store of Nix",
            Self::Cache => "a cache",
            Self::Temporary => "a directory for temporary files",
        })
    }
}

impl Unfit {
    /// Why a program should not be named in a hook; `None` for one that can be.
    pub(crate) fn of(program: &Path, home: &Path) -> Option<Self> {
        // What a launcher leads to lasts or not, but the launcher is what the hook runs.
        launcher(program)
            .map(Self::Launcher)
            .or_else(|| Transient::of(program, home).map(Self::Transient))
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transient(place) => write!(f, "is in {place}, from which it disappears"),
            Self::Launcher(what) => write!(f, "is {what}, not the program itself"),
        }
    }
}

fn by_name(program: &Path) -> Option<Transient> {
    let words = components(program);
    let has = |word: &str| words.contains(&word);
    let starts = |start: &str| words.iter().any(|word| word.starts_with(start));
    let follow = |first: &str, second: &str| follow(&words, first, second);
    if has("_npx") {
        return Some(Transient::Npx);
    }
    if starts("bunx-") {
        return Some(Transient::Bunx);
    }
    if has("dlx") || starts("dlx-") {
        return Some(if has("pnpm") || has(".pnpm") {
            Transient::PnpmDlx
        } else {
            Transient::YarnDlx
        });
    }
    if has("node_modules") {
        return Some(Transient::NodeModules);
    }
    if has("archive-v0") {
        return Some(Transient::Uvx);
    }
    if follow("uv", "tools") {
        return Some(Transient::UvTool);
    }
    if follow("pipx", "venvs") {
        return Some(Transient::Pipx);
    }
    let mut managers = MANAGERS.iter();
    let manager = managers.find(|(first, second, _)| follow(first, second));
    manager.map(|(_, _, name)| Transient::Version(name))
}

fn by_surroundings(program: &Path, home: &Path) -> Option<Transient> {
    let directory = program.parent()?;
    let above = directory.parent();
    if above.is_some_and(|above| above.join("pyvenv.cfg").is_file()) {
        return Some(Transient::Environment);
    }
    let is_build = |directory: &Path| directory.join(".cargo-lock").exists();
    if program.with_extension("d").is_file() || is_build(directory) || above.is_some_and(is_build) {
        return Some(Transient::Cargo);
    }
    if program.starts_with("/nix/store") {
        return Some(Transient::Nix);
    }
    let holds = |directory: PathBuf| {
        let directory = whole(&directory);
        let is_root = directory.parent().is_none();
        !is_root && program.starts_with(&directory) && !home.starts_with(&directory)
    };
    let named = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty());
    let above = program
        .ancestors()
        .filter(|above| above.ends_with(".cache") || above.ends_with("Library/Caches"));
    let mut caches = above.map(PathBuf::from).chain(named.map(PathBuf::from));
    if caches.any(holds) {
        return Some(Transient::Cache);
    }
    let fixed = ["/tmp", "/var/tmp", "/run", "/dev/shm"].map(PathBuf::from);
    let mut temporary = fixed.into_iter().chain([env::temp_dir()]);
    temporary.any(holds).then_some(Transient::Temporary)
}

/// What starts another program each time, if this does.
fn launcher(program: &Path) -> Option<String> {
    let words = components(program);
    let mut shims = SHIMS.iter();
    if let Some((_, _, manager)) = shims.find(|(first, second, _)| {
        // The directory that the program itself is in.
        let end = words.len().saturating_sub(1);
        end >= 2 && words[end - 2] == *first && words[end - 1] == *second
    }) {
        return Some(format!("a launcher of {manager}"));
    }
    let real = fs::canonicalize(program).ok()?;
    let name = real.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    // A file may be named with its version, such as `unstuck-1.2.0`.
    if name != "unstuck" && !name.starts_with("unstuck-") {
        let name = unstuck_text::Shown::line(name);
        return Some(format!("a link to `{name}`"));
    }
    let ending = real.extension().and_then(OsStr::to_str);
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    if matches!(
        ending.as_str(),
        "cmd" | "bat" | "ps1" | "js" | "mjs" | "cjs" | "py" | "sh"
    ) {
        return Some("a script that starts another one".to_owned());
    }
    let mut start = [0; 2];
    let mut file = regular::open(&real).ok()?;
    file.read_exact(&mut start).ok()?;
    (&start == b"#!").then(|| "a script that starts another one".to_owned())
}

/// Components of a path that are text; others are none of the names that are looked for.
fn components(path: &Path) -> Vec<&str> {
    path.iter().filter_map(OsStr::to_str).collect()
}

fn follow(words: &[&str], first: &str, second: &str) -> bool {
    words.windows(2).any(|pair| pair == [first, second])
}

/// The path without links, where it exists.
fn whole(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
#[path = "transient_tests.rs"]
mod tests;
