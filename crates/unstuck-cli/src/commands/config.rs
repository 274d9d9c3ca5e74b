//! `unstuck config`: check, show and describe the configuration.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use anyhow::Result;
use unstuck_session::configuration::FILE;
use unstuck_text::Shown;

use crate::{
    args::{ConfigCheckArgs, ConfigShowArgs, ConfigTrustArgs},
    configuration, person,
    style::{self, ERROR, HEADING, WARNING, paint},
};

pub(crate) fn check(args: &ConfigCheckArgs) -> Result<ExitCode> {
    let found_here = args.files.is_empty();
    let (mut sources, loaded) = if found_here {
        configuration::examine(&args.config)?
    } else {
        let files = args.files.iter().chain(&args.config.config);
        let files: Vec<_> = files.map(Path::new).collect();
        unstuck_session::configuration::of_files(&files, args.config.preset)?
    };
    // Files with mistakes are in effect nowhere.
    let in_effect = if found_here && loaded.is_ok() {
        Some(configuration::load(&args.config)?)
    } else {
        None
    };
    if let Some(in_effect) = &in_effect {
        sources.clone_from(&in_effect.sources);
    }
    let mut out = anstream::stdout().lock();
    if sources.is_empty() {
        writeln!(out, "no configuration file: the preset is used as it is")?;
        if let Some(user) = unstuck_session::configuration::user_file() {
            let user = Shown::line(user.display()).to_string();
            writeln!(
                out,
                "write {user} to change that, or {FILE} in a project and trust it"
            )?;
        }
    }
    for source in &sources {
        let path = source.path.display().to_string();
        let origin = source.describe();
        writeln!(out, "read {} ({origin})", paint(HEADING, &path))?;
    }
    let mut warnings = match loaded {
        Ok(loaded) => loaded.warnings,
        Err(errors) => {
            for error in &errors.diagnostics {
                writeln!(out, "\n{}", style::diagnostic(error))?;
            }
            let count = count(errors.diagnostics.len(), "error");
            writeln!(out, "\n{}", paint(ERROR, &count))?;
            return Ok(ExitCode::from(2));
        }
    };
    warnings.extend(
        in_effect
            .into_iter()
            .flat_map(|in_effect| in_effect.notices),
    );
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
    configuration::print_warnings(&configuration);
    let mut settings = configuration.settings;
    let has_secret = !std::mem::take(&mut settings.secret).is_empty();
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
        writeln!(out, "# - {} ({})", source.path.display(), source.describe())?;
    }
    if configuration.mode.is_some() {
        writeln!(out, "# - UNSTUCK_MODE")?;
    }
    let mut text = unstuck_config::to_toml(&settings)?;
    if has_secret {
        // A value in its place would be the secret of a file that is made of this.
        text = text.replacen("secret = \"\"\n", "# `secret` is set and not shown.\n", 1);
    }
    write!(out, "\n{text}")?;
    let prices = unstuck_config::prices_to_toml(&configuration.prices)?;
    if !prices.is_empty() {
        write!(out, "\n{prices}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Lets a project's file loosen settings, with the contents it has now.
pub(crate) fn trust(args: &ConfigTrustArgs) -> Result<ExitCode> {
    person::ensure()?;
    let (path, contents) = unstuck_session::configuration::to_be_trusted(args.file.as_deref())?;
    let path = configuration::state_dir()?.trust(&path, &contents)?;
    writeln!(
        anstream::stdout(),
        "{} is trusted, as it is now",
        path.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
