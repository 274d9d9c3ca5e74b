//! Where settings come from: files, command line, environment.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use unstuck::{Mode, Settings};
use unstuck_config::{Diagnostic, Layer, Prices};

use crate::{args::ConfigArgs, home::mode_from_environment, style};

/// The name of every configuration file.
pub(crate) const FILE: &str = "unstuck.toml";

/// The directory of the user's file, in place of the platform's.
const HOME_VARIABLE: &str = "UNSTUCK_CONFIG_HOME";

/// Settings, and how they came about.
pub(crate) struct Configuration {
    pub(crate) settings: Settings,
    /// What models cost.
    pub(crate) prices: Prices,
    pub(crate) warnings: Vec<Diagnostic>,
    /// What was read, the file that wins last.
    pub(crate) sources: Vec<Source>,
    /// The mode that the environment gave.
    pub(crate) mode: Option<Mode>,
}

/// A file that is part of the configuration.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    pub(crate) path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    User,
    Project,
    CommandLine,
}

impl SourceKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::CommandLine => "command line",
        }
    }
}

/// Reads everything that counts here.
pub(crate) fn load(args: &ConfigArgs) -> Result<Configuration> {
    from_sources(sources(args)?, args)
}

/// Reads these files, and no others.
pub(crate) fn from_sources(sources: Vec<Source>, args: &ConfigArgs) -> Result<Configuration> {
    let mode = mode_from_environment()?;
    let layers = sources.iter().map(|source| layer(&source.path));
    let layers = layers.collect::<Result<Vec<_>>>()?;
    let loaded = unstuck_config::load(&layers, args.preset)?;
    let mut settings = loaded.settings;
    if let Some(mode) = mode {
        settings.mode = mode;
    }
    Ok(Configuration {
        settings,
        prices: loaded.prices,
        warnings: loaded.warnings,
        sources,
        mode,
    })
}

impl Configuration {
    /// Tells the user what can never have an effect.
    pub(crate) fn print_warnings(&self) {
        for warning in &self.warnings {
            anstream::eprintln!("{}\n", style::diagnostic(warning));
        }
    }
}

pub(crate) fn layer(path: &Path) -> Result<Layer> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read the configuration {name}"))?;
    Ok(Layer::from_bytes(name, bytes)?)
}

/// The files that count here, the one that wins last.
pub(crate) fn sources(args: &ConfigArgs) -> Result<Vec<Source>> {
    let mut sources: Vec<Source> = Vec::new();
    let mut add = |kind, path: PathBuf| {
        // A file that is there twice, as the project's and on the command line, counts once, as the stronger.
        let same = fs::canonicalize(&path).ok();
        sources.retain(|source| same.is_none() || fs::canonicalize(&source.path).ok() != same);
        sources.push(Source { kind, path });
    };
    if !args.no_config {
        if let Some(path) = existing(user_file())? {
            add(SourceKind::User, path);
        }
        if let Some(path) = project_file()? {
            add(SourceKind::Project, path);
        }
    }
    if let Some(path) = &args.config {
        add(SourceKind::CommandLine, path.clone());
    }
    Ok(sources)
}

/// The user's file, whether it exists or not.
pub(crate) fn user_file() -> Option<PathBuf> {
    if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
        return Some(PathBuf::from(home).join(FILE));
    }
    let platform = etcetera::choose_base_strategy().ok()?;
    Some(platform.config_dir().join("unstuck").join(FILE))
}

/// The file of the current directory, or of the nearest directory above it that has one.
fn project_file() -> Result<Option<PathBuf>> {
    let here = env::current_dir().context("cannot tell the current directory")?;
    // Close by, the short name is the clearer one.
    let near = here.join(FILE);
    let found = project_file_of(&here)?;
    Ok(found.map(|path| if path == near { FILE.into() } else { path }))
}

/// The file of a directory, or of the nearest directory above it that has one.
pub(crate) fn project_file_of(directory: &Path) -> Result<Option<PathBuf>> {
    for directory in directory.ancestors() {
        if let Some(path) = existing(Some(directory.join(FILE)))? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

pub(crate) fn existing(path: Option<PathBuf>) -> Result<Option<PathBuf>> {
    let Some(path) = path else {
        return Ok(None);
    };
    match fs::metadata(&path) {
        Ok(found) => Ok(found.is_file().then_some(path)),
        Err(error) => match error.kind() {
            // A place one may not look into holds no configuration for us.
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::PermissionDenied => Ok(None),
            _ => Err(error).with_context(|| format!("cannot look for {}", path.display())),
        },
    }
}
