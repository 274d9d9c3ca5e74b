//! `unstuck config`: check, show and describe the configuration.

use std::{
    env, fs,
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::{Context as _, Result};

use crate::{
    args::{ConfigCheckArgs, ConfigShowArgs, ConfigTrustArgs},
    configuration::{self, Configuration, FILE, Source, SourceKind},
    home::Home,
    person,
    style::{self, ERROR, HEADING, WARNING, paint},
};

pub(crate) fn check(args: &ConfigCheckArgs) -> Result<ExitCode> {
    let sources = if args.files.is_empty() {
        configuration::sources(&args.config)?
    } else {
        let files = args.files.iter().chain(&args.config.config);
        let kind = SourceKind::CommandLine;
        files
            .map(|path| Source {
                kind,
                path: path.clone(),
            })
            .collect()
    };
    let mut out = anstream::stdout().lock();
    if sources.is_empty() {
        writeln!(out, "no configuration file: the preset is used as it is")?;
        writeln!(out, "write {FILE} in this directory to change that")?;
    }
    for source in &sources {
        let path = source.path.display();
        writeln!(
            out,
            "read {} ({})",
            paint(HEADING, &path.to_string()),
            source.kind.as_str()
        )?;
    }
    let warnings = match configuration::from_sources(sources, &args.config) {
        Ok(Configuration { warnings, .. }) => warnings,
        Err(error) => match error.downcast::<unstuck_config::Errors>() {
            Ok(errors) => {
                for error in &errors.diagnostics {
                    writeln!(out, "\n{}", style::diagnostic(error))?;
                }
                let count = count(errors.diagnostics.len(), "error");
                writeln!(out, "\n{}", paint(ERROR, &count))?;
                return Ok(ExitCode::from(2));
            }
            Err(error) => return Err(error),
        },
    };
    for warning in &warnings {
        writeln!(out, "\n{}", style::diagnostic(warning))?;
    }
    if warnings.is_empty() {
        writeln!(out, "all is well")?;
    } else {
        let count = count(warnings.len(), "warning");
        writeln!(out, "\n{}", paint(WARNING, &count))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn schema() -> Result<ExitCode> {
    writeln!(io::stdout().lock(), "{:#}", unstuck_config::schema())?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn show(args: &ConfigShowArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration.print_warnings();
    let mut settings = configuration.settings;
    if !settings.secret.is_empty() {
        settings.secret = "(set)".into();
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "# Settings in effect. Later lines win over earlier ones:"
    )?;
    let by = if args.config.preset.is_some() {
        " (--preset)"
    } else {
        ""
    };
    writeln!(out, "# - preset {}{by}", settings.preset)?;
    for source in &configuration.sources {
        writeln!(
            out,
            "# - {} ({})",
            source.path.display(),
            source.kind.as_str()
        )?;
    }
    if configuration.mode.is_some() {
        writeln!(out, "# - UNSTUCK_MODE")?;
    }
    write!(out, "\n{}", unstuck_config::to_toml(&settings)?)?;
    let prices = unstuck_config::prices_to_toml(&configuration.prices)?;
    if !prices.is_empty() {
        write!(out, "\n{prices}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Lets a project's file count in hooks, as it is now.
pub(crate) fn trust(args: &ConfigTrustArgs) -> Result<ExitCode> {
    person::ensure()?;
    let path = if let Some(path) = &args.file {
        path.clone()
    } else {
        let here = env::current_dir().context("cannot tell the current directory")?;
        configuration::project_file_of(&here)?
            .with_context(|| format!("there is no {FILE} in this directory or above it"))?
    };
    let cannot = || format!("cannot read {}", path.display());
    // Hooks find it by its whole name.
    let path = fs::canonicalize(&path).with_context(cannot)?;
    let contents = fs::read(&path).with_context(cannot)?;
    // What hooks would ignore because of its mistakes is not worth trusting.
    unstuck_config::load(&[configuration::layer(&path)?], None)?;
    Home::find()?.trust(&path, &contents)?;
    writeln!(
        anstream::stdout(),
        "{} counts in hooks, as it is now",
        path.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
