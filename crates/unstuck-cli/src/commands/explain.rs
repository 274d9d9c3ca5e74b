//! `unstuck explain`: all about a rule.

use std::{io::Write as _, process::ExitCode};

use anyhow::{Result, bail};
use unstuck::RuleName;
use unstuck_config::nearest;

use crate::{
    args::ExplainArgs,
    configuration, markdown,
    style::{CODE, HEADING, paint},
};

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let rule = find(&args.rule)?;
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let settings = &configuration.settings;
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}: {}\n", paint(CODE, rule.as_str()), rule.summary())?;
    write!(out, "{}", markdown::render(&rule.documentation()))?;
    let heading = format!("In effect here (preset {})", settings.preset);
    writeln!(out, "\n{}\n", paint(HEADING, &heading))?;
    for line in unstuck_config::rule_to_toml(settings, rule)?.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn find(name: &str) -> Result<RuleName> {
    let names = RuleName::ALL.iter().map(|rule| rule.as_str());
    match name.parse() {
        Ok(rule) => Ok(rule),
        Err(error) => {
            let list: Vec<_> = names.clone().map(|name| format!("  {name}")).collect();
            let meant = nearest(name, names);
            let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            bail!("{error}{hint}\n\nThe rules are:\n{}", list.join("\n"))
        }
    }
}
