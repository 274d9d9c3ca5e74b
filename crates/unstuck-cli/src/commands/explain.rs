//! `unstuck explain`: all about a rule.

use std::{io::Write as _, process::ExitCode};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::ArgValueCandidates;
use unstuck::RuleName;
use unstuck_config::nearest;

use super::{Run, rules};
use crate::{
    args::{ConfigArgs, OutputArgs, TextOrJson, complete},
    configuration, markdown,
    style::{CODE, HEADING, paint},
};

/// Explain a rule.
///
/// What the rule reports and what it leaves alone, why, an example, and its options as they are in effect here.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck explain exact-repeat
  unstuck explain call-burst --preset ironcurtain")]
pub(crate) struct ExplainArgs {
    /// Name of the rule, such as `exact-repeat`; `unstuck rules` lists them.
    #[arg(value_name = "RULE", add = ArgValueCandidates::new(complete::rules))]
    rule: String,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,

    #[command(flatten)]
    config: ConfigArgs,
}

impl Run for ExplainArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let rule = find(&args.rule)?;
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let settings = &configuration.settings;
    let mut out = args.output.open()?;
    if args.output.format()? == TextOrJson::Json {
        let mut json = rules::as_json(settings, rule)?;
        json["documentation"] = rule.documentation().into();
        out.json(&json)?;
        out.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}: {}\n", paint(CODE, rule.as_str()), rule.summary())?;
    write!(out, "{}", markdown::render(&rule.documentation()))?;
    let heading = format!("In effect here (preset {})", settings.preset);
    writeln!(out, "\n{}\n", paint(HEADING, &heading))?;
    for line in unstuck_config::rule_to_toml(settings, rule)?.lines() {
        writeln!(out, "  {line}")?;
    }
    out.finish()?;
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
