//! `unstuck config path`: which files are read, in which order.

use std::{env, io::Write, path::Path, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use unstuck_session::{
    MODE_VARIABLE,
    configuration::{Applied, FILE, Origin, Source, Trust, user_file},
};
use unstuck_text::Shown;

use crate::{
    args::{ConfigArgs, OutputArgs, TextOrJson},
    commands::Run,
    configuration,
    style::{DIM, HEADING, paint},
};

/// Print which configuration files are read.
///
/// One line for each place, in the order in which they are read; later ones win. A project's file that a person has not
/// trusted (`unstuck config trust`) applies only where it makes nothing looser.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config path
  unstuck config path --format json | jq -r '.[] | select(.read) | .path'")]
pub(super) struct PathArgs {
    #[command(flatten)]
    output: OutputArgs<TextOrJson>,

    #[command(flatten)]
    config: ConfigArgs,
}

/// A place where settings may come from.
struct Candidate {
    kind: &'static str,
    path: Option<String>,
    is_read: bool,
    state: &'static str,
}

impl Run for PathArgs {
    fn run(&self) -> Result<ExitCode> {
        let candidates = candidates(&self.config)?;
        let mut out = self.output.open()?;
        match self.output.format()? {
            TextOrJson::Text => print(&mut out, &candidates)?,
            TextOrJson::Json => out.json(&candidates.iter().map(as_json).collect())?,
        }
        out.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

fn candidates(args: &ConfigArgs) -> Result<Vec<Candidate>> {
    // A file with mistakes is listed all the same, so files are examined; whether one that is not trusted applies is
    // known only where all of them can be loaded.
    let (mut sources, _) = configuration::examine(args)?;
    if let Ok(loaded) = configuration::load(args) {
        sources = loaded.sources;
    }
    let of = |wanted: fn(&Origin) -> bool| sources.iter().find(|source| wanted(&source.origin));
    let user = of(|origin| *origin == Origin::User);
    let trusted = of(|origin| *origin == Origin::Project(Trust::Trusted));
    let untrusted = of(|origin| matches!(origin, Origin::Project(Trust::Untrusted(_))));
    let named = of(|origin| *origin == Origin::CommandLine);
    let mut found = vec![match (user, args.no_config) {
        (Some(source), _) => Candidate::read("user", source),
        (None, true) => Candidate::absent("user", user_path(), "left out by --no-config"),
        (None, false) => Candidate::absent("user", user_path(), "not there"),
    }];
    let project: Vec<_> = [trusted, untrusted].into_iter().flatten().collect();
    if project.is_empty() {
        let state = if args.no_config {
            "left out by --no-config"
        } else {
            "no such file in this directory or above it"
        };
        found.push(Candidate::absent("project", Some(FILE.to_owned()), state));
    }
    found.extend(
        project
            .into_iter()
            .map(|source| Candidate::read("project", source)),
    );
    found.extend(named.map(|source| Candidate::read("--config", source)));
    if env::var_os(MODE_VARIABLE).is_some_and(|value| !value.is_empty()) {
        found.push(Candidate {
            kind: "environment",
            path: Some(MODE_VARIABLE.to_owned()),
            is_read: true,
            state: "applied to `mode`",
        });
    }
    Ok(found)
}

fn user_path() -> Option<String> {
    user_file().map(|path| path.display().to_string())
}

impl Candidate {
    fn read(kind: &'static str, source: &Source) -> Self {
        let state = match (&source.origin, source.applied) {
            (Origin::Project(Trust::Untrusted(_)), Applied::Whole) => {
                "not trusted: applied, because it only tightens"
            }
            (Origin::Project(Trust::Untrusted(_)), Applied::Nothing) => "not trusted: ignored",
            (Origin::Project(Trust::Trusted), _) => "trusted: applied",
            _ => "applied",
        };
        let path = absolute(&source.path);
        Self {
            kind,
            path: Some(path),
            is_read: source.applied == Applied::Whole,
            state,
        }
    }

    fn absent(kind: &'static str, path: Option<String>, state: &'static str) -> Self {
        Self {
            kind,
            path,
            is_read: false,
            state,
        }
    }
}

fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path);
    whole.as_deref().unwrap_or(path).display().to_string()
}

fn print(out: &mut impl Write, candidates: &[Candidate]) -> Result<()> {
    for one in candidates {
        let kind = paint(HEADING, &format!("{:<11}", one.kind));
        let path = one.path.as_deref().unwrap_or("no such directory here");
        let state = paint(DIM, &format!("({})", one.state));
        writeln!(out, "{kind}  {}  {state}", Shown::line(path))?;
    }
    Ok(())
}

fn as_json(one: &Candidate) -> Value {
    json!({"kind": one.kind, "path": one.path, "read": one.is_read, "state": one.state})
}
