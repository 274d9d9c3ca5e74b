//! `unstuck rules`: what is watched for.

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use unstuck::{
    RuleName, Settings,
    settings::{DenyRung, Ladder, Rung},
};

use super::Run;
use crate::{
    args::{ConfigArgs, OutputArgs, TextOrJson},
    configuration,
    style::{CODE, DIM, HEADING, paint},
};

/// List the rules, and which of them are on.
///
/// Shows every rule with its thresholds: after how many occurrences, counted including the first one, there is a nudge,
/// a denied call, a halted run. `unstuck check` uses the same thresholds here, with the same options. JSON has all
/// options of every rule.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck rules
  unstuck rules --preset attocode
  unstuck rules --format json | jq -r '.[] | select(.enabled) | .name'")]
pub(crate) struct RulesArgs {
    #[command(flatten)]
    output: OutputArgs<TextOrJson>,

    #[command(flatten)]
    config: ConfigArgs,
}

impl Run for RulesArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &RulesArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let settings = &configuration.settings;
    let mut out = args.output.open()?;
    match args.output.format()? {
        TextOrJson::Text => write!(out, "{}", table(settings))?,
        TextOrJson::Json => {
            let rules = RuleName::ALL.iter().map(|rule| as_json(settings, *rule));
            out.json(&rules.collect::<Result<_>>()?)?;
        }
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// A rule with its options in effect.
pub(super) fn as_json(settings: &Settings, rule: RuleName) -> Result<serde_json::Value> {
    let mut options = serde_json::to_value(&settings.rules)?[rule.as_str()].take();
    if let Some(options) = options.as_object_mut() {
        options.remove("enabled");
    }
    Ok(json!({
        "name": rule.as_str(),
        "summary": rule.summary(),
        "enabled": settings.rules.is_enabled(rule),
        "options": options,
    }))
}

fn table(settings: &Settings) -> String {
    let rows: Vec<_> = RuleName::ALL
        .iter()
        .map(|rule| {
            let rungs = if settings.rules.is_enabled(*rule) {
                rungs(settings, *rule)
            } else {
                "off".to_owned()
            };
            (*rule, rungs)
        })
        .collect();
    let widest = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0);
    let name_width = widest(&mut rows.iter().map(|(rule, _)| rule.as_str().len()));
    let rungs_width = widest(&mut rows.iter().map(|(_, rungs)| rungs.chars().count()));
    let heading = format!(
        "{:name_width$}  {:rungs_width$}  WHAT",
        "RULE", "THRESHOLDS"
    );
    let mut table = paint(HEADING, &heading) + "\n";
    for (rule, rungs) in &rows {
        let enabled = settings.rules.is_enabled(*rule);
        let name = format!("{:name_width$}", rule.as_str());
        let rest = format!("  {rungs:rungs_width$}  {}", rule.summary());
        table += &if enabled {
            paint(CODE, &name) + &rest
        } else {
            paint(DIM, &(name + &rest))
        };
        table.push('\n');
    }
    let preset = settings.preset;
    table
        + &format!(
            "\nThresholds are occurrences, the first included; `stagnation` and `stuck-outcome` count without it, `chant` counts findings.\nAn occurrence may weigh less or more than one: `unstuck explain RULE`.\npreset {preset}: {}\n",
            preset.summary()
        )
}

/// `nudge 3, deny 5, halt 8`.
fn rungs(settings: &Settings, rule: RuleName) -> String {
    match rule {
        RuleName::CallBurst => {
            let burst = &settings.rules.call_burst;
            let (limit, window) = (burst.limit, burst.window_ms.get());
            if window % 1_000 == 0 {
                format!("deny after {limit} in {} s", window / 1_000)
            } else {
                format!("deny after {limit} in {window} ms")
            }
        }
        RuleName::Budget => match settings.rules.budget.nudge_percent {
            Some(percent) => format!("nudge {percent} %, halt 100 %"),
            None => "halt 100 %".to_owned(),
        },
        _ => ladder(&settings.rules.ladder(rule)),
    }
}

fn ladder(ladder: &Ladder) -> String {
    let rung = |name, rung: Rung| Some(format!("{name} {}", rung.count()?));
    let deny = match ladder.deny {
        DenyRung::AfterCritical => Some("deny after critical".to_owned()),
        deny => deny.count().map(|count| format!("deny {count}")),
    };
    let rungs = [
        rung("nudge", ladder.nudge),
        rung("warning", ladder.warning),
        rung("critical", ladder.critical),
        deny,
        rung("halt", ladder.halt),
    ];
    rungs.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
