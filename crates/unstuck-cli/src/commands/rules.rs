//! `unstuck rules`: what is watched for.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use serde_json::json;
use unstuck::{
    RuleName, Settings,
    settings::{DenyRung, Ladder, Rung},
};

use crate::{
    args::RulesArgs,
    configuration,
    style::{CODE, DIM, HEADING, paint},
};

pub(crate) fn run(args: &RulesArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    if args.json {
        writeln!(
            io::stdout().lock(),
            "{:#}",
            as_json(&configuration.settings)?
        )?;
    } else {
        write!(
            anstream::stdout().lock(),
            "{}",
            table(&configuration.settings)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(settings: &Settings) -> Result<serde_json::Value> {
    let options = serde_json::to_value(&settings.rules)?;
    let rules = RuleName::ALL.iter().map(|rule| {
        let mut options = options[rule.as_str()].clone();
        if let Some(options) = options.as_object_mut() {
            options.remove("enabled");
        }
        json!({
            "name": rule.as_str(),
            "summary": rule.summary(),
            "enabled": settings.rules.is_enabled(*rule),
            "options": options,
        })
    });
    Ok(rules.collect())
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
