//! `unstuck config check`: finds mistakes in the configuration.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueHint};
use serde_json::{Value, json};
use unstuck_config::Diagnostic;
use unstuck_report::counted;
use unstuck_session::configuration::{FILE, Source};
use unstuck_text::Shown;

use crate::{
    args::{ConfigArgs, OutputArgs, TextOrJson},
    commands::Run,
    configuration,
    output::Sink,
    style::{self, ERROR, HEADING, WARNING, paint},
};

/// Find mistakes.
///
/// Reads the configuration as `unstuck check` would, or only the files given (the later ones winning), and reports
/// what is wrong: with file, line, column and a suggestion. Warnings name settings that can never have an effect, and a
/// project's file that is ignored because a person has not trusted it. The exit code is 2 if there are errors.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config check
  unstuck config check unstuck.toml
  unstuck config check base.toml override.toml")]
pub(super) struct CheckArgs {
    /// Files to check, such as `unstuck.toml`, instead of those that apply here.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,

    #[command(flatten)]
    config: ConfigArgs,
}

impl Run for CheckArgs {
    fn run(&self) -> Result<ExitCode> {
        let mut out = self.output.open()?;
        let code = check(self, &mut out)?;
        out.finish()?;
        Ok(code)
    }
}

fn check(args: &CheckArgs, out: &mut Sink) -> Result<ExitCode> {
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
    let mut warnings = Vec::new();
    let errors = match loaded {
        Ok(loaded) => {
            warnings = loaded.warnings;
            Vec::new()
        }
        Err(errors) => errors.diagnostics,
    };
    if errors.is_empty() {
        warnings.extend(
            in_effect
                .into_iter()
                .flat_map(|in_effect| in_effect.notices),
        );
    }
    match args.output.format()? {
        TextOrJson::Text => print(out, &sources, &errors, &warnings)?,
        TextOrJson::Json => out.json(&as_json(&sources, &errors, &warnings))?,
    }
    Ok(if errors.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    })
}

fn print(
    out: &mut impl Write,
    sources: &[Source],
    errors: &[Diagnostic],
    warnings: &[Diagnostic],
) -> Result<()> {
    if sources.is_empty() {
        writeln!(out, "no configuration file: the preset is used as it is")?;
        if let Some(user) = unstuck_session::configuration::user_file() {
            let user = Shown::line(user.display()).to_string();
            writeln!(
                out,
                "write {user} to change that (`unstuck config edit`), or {FILE} in a project and trust it"
            )?;
        }
    }
    for source in sources {
        let path = Shown::line(source.path.display()).to_string();
        let origin = source.describe();
        writeln!(out, "read {} ({origin})", paint(HEADING, &path))?;
    }
    report(out, errors, warnings)
}

/// Prints what is wrong, and how much of it there is.
pub(super) fn report(
    out: &mut impl Write,
    errors: &[Diagnostic],
    warnings: &[Diagnostic],
) -> Result<()> {
    for diagnostic in errors.iter().chain(warnings) {
        writeln!(out, "\n{}", style::diagnostic(diagnostic))?;
    }
    if !errors.is_empty() {
        let count = counted(errors.len() as u64, "error");
        writeln!(out, "\n{}", paint(ERROR, &count))?;
    } else if !warnings.is_empty() {
        let count = counted(warnings.len() as u64, "warning");
        writeln!(out, "\n{}", paint(WARNING, &count))?;
    } else {
        writeln!(out, "all is well")?;
    }
    Ok(())
}

fn as_json(sources: &[Source], errors: &[Diagnostic], warnings: &[Diagnostic]) -> Value {
    let files = sources.iter().map(
        |source| json!({"path": source.path.display().to_string(), "origin": source.describe()}),
    );
    let diagnostics = |of: &[Diagnostic]| -> Vec<Value> { of.iter().map(diagnostic).collect() };
    json!({
        "valid": errors.is_empty(),
        "files": files.collect::<Vec<_>>(),
        "errors": diagnostics(errors),
        "warnings": diagnostics(warnings),
    })
}

fn diagnostic(of: &Diagnostic) -> Value {
    let place = of.place.as_ref();
    json!({
        "message": of.message,
        "help": of.help,
        "file": place.map(|place| &place.file),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
    })
}
