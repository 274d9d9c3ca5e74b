//! `unstuck generate`: files that are made from the code and committed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args as ClapArgs, ValueEnum as _, ValueHint};
use clap_complete::Shell;
use unstuck::{Advice, Engine, Event, Preset, RuleName, RuleStatus, Settings};
use unstuck_hosts::{Host, Invocation, Scope, Surroundings};

use super::{Run, completions, schema};
use crate::args;

const ABOUT: &str = "Keeps the agent from going in circles: nudges it out of loops, denies calls that repeat in vain, ends runs that do not move.";

/// Each advice with what a host may do about it.
const ADVICE: [(Advice, &str); 4] = [
    (
        Advice::Collapse,
        "replace repeated calls and their results, or repeated text, by one of them in what the model reads",
    ),
    (
        Advice::Summarise,
        "replace the history of failed attempts by a summary, so that the agent starts afresh from what is known",
    ),
    (
        Advice::AskUser,
        "ask the user a question: the agent does not get further without an answer",
    ),
    (
        Advice::Escalate,
        "let the person who is responsible for the run look at it",
    ),
];

/// Write everything that is generated: schema, rule pages, completions, manual pages.
#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateArgs {
    /// Directory that the files are written under; it is made where it is missing.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
}

impl Run for GenerateArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &GenerateArgs) -> Result<ExitCode> {
    let out = args.out.as_path();
    for schema in &schema::ALL {
        write(out, schema.file, schema.text().as_bytes())?;
    }
    write(
        out,
        "docs/config.md",
        unstuck_config::reference().as_bytes(),
    )?;
    write(out, "docs/rules/README.md", index().as_bytes())?;
    for rule in RuleName::ALL {
        write(
            out,
            &format!("docs/rules/{rule}.md"),
            page(*rule).as_bytes(),
        )?;
    }
    write(out, "parts/rules.md", table("docs/rules/").as_bytes())?;
    write(out, "parts/advice.md", advice()?.as_bytes())?;
    write(
        out,
        "bindings/js/ts/rules.ts",
        rules_in_typescript().as_bytes(),
    )?;
    write(
        out,
        "parts/snapshot-schema.md",
        snapshot_schema()?.as_bytes(),
    )?;
    for shell in Shell::value_variants() {
        let name = shell.to_possible_value().map_or_else(String::new, |value| {
            format!(
                "completions/unstuck.{}",
                extension(*shell, value.get_name())
            )
        });
        write(out, &name, &completions::script(*shell)?)?;
    }
    for host in Host::ALL {
        let Some(manifest) = host.plugin_manifest() else {
            continue;
        };
        let directory = format!("plugins/{host}");
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "{{\n  \"name\": \"unstuck\",\n  \"version\": \"{version}\",\n  \"description\": \"{ABOUT}\",\n  \"author\": {{ \"name\": \"the unstuck contributors\" }},\n  \"license\": \"MIT OR Apache-2.0\",\n  \"keywords\": [\"loop\", \"guard\", \"hooks\"]\n}}\n"
        );
        write(out, &format!("{directory}/{manifest}"), text.as_bytes())?;
        let hooks = hooks_of_plugin(host)?;
        write(
            out,
            &format!("{directory}/hooks/hooks.json"),
            hooks.as_bytes(),
        )?;
    }
    let man = out.join("man");
    fs::create_dir_all(&man).with_context(|| format!("cannot create {}", man.display()))?;
    clap_mangen::generate_to(args::command(), &man)
        .with_context(|| format!("cannot write to {}", man.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The hooks that an install would write into an empty file, with the program found on `PATH`.
fn hooks_of_plugin(host: Host) -> Result<String> {
    let nowhere = Path::new("/");
    let around = Surroundings {
        home: nowhere,
        config: nowhere,
        project: nowhere,
        variable: &|_| None,
        read: &|_| None,
    };
    let plan = unstuck_hosts::plan(host, Scope::User, &around, &Invocation::new("unstuck"));
    let file = plan.files.first().context("the plan has no file")?;
    Ok(file.add(None, None)?.text)
}

fn extension(shell: Shell, name: &str) -> &str {
    match shell {
        Shell::Elvish => "elv",
        Shell::PowerShell => "ps1",
        _ => name,
    }
}

/// The page of a rule.
fn page(rule: RuleName) -> String {
    let on: Vec<_> = Preset::ALL
        .into_iter()
        .filter(|preset| Settings::of(*preset).rules.is_enabled(rule))
        .map(|preset| format!("`{preset}`"))
        .collect();
    let on = if on.is_empty() {
        "no preset; give it a table to switch it on".to_owned()
    } else {
        on.join(", ")
    };
    format!(
        "# {rule}\n\n{}\n\nOn in: {on}.\n\n{}\n## Settings\n\nIn `[rules.{rule}]`; defaults of the preset `standard`.\n\n{}",
        rule.summary(),
        rule.documentation(),
        unstuck_config::rule_reference(rule),
    )
}

/// The list of the rules.
fn index() -> String {
    let start = "# Rules\n\nWhat `unstuck` watches for. `unstuck explain RULE` shows these pages on a terminal, with the options in effect.\n\n";
    start.to_owned() + &table("")
}

/// The table of the rules, with links to their pages below `place`.
fn table(place: &str) -> String {
    let settings = Settings::of(Preset::Standard);
    let start =
        "| rule | what | nudge | deny | halt | advice | status |\n|---|---|--:|--:|--:|---|---|\n"
            .to_owned();
    RuleName::ALL.iter().fold(start, |table, rule| {
        let summary = rule.summary();
        let on = settings.rules.is_enabled(*rule);
        let ladder = settings.rules.ladder(*rule);
        let threshold = |count: Option<u32>| {
            let count = count.filter(|_| on);
            count.map_or_else(|| "–".to_owned(), |count| count.to_string())
        };
        let (nudge, deny, halt) = (
            threshold(ladder.nudge.count()),
            threshold(ladder.deny.count()),
            threshold(ladder.halt.count()),
        );
        let status = match rule.traits().status {
            RuleStatus::Stable => "stable",
            RuleStatus::Preview => "preview",
            RuleStatus::Deprecated => "deprecated",
            _ => "",
        };
        let advice = rule.traits().advice;
        let off = if on { "" } else { ", off" };
        table
            + &format!(
                "| [`{rule}`]({place}{rule}.md) | {summary} | {nudge} | {deny} | {halt} | `{advice}` | {status}{off} |\n"
            )
    })
}

/// The table of advice with the rules that give it.
fn advice() -> Result<String> {
    let unlisted = |rule: &&RuleName| {
        !ADVICE
            .iter()
            .any(|(known, _)| *known == rule.traits().advice)
    };
    if let Some(rule) = RuleName::ALL.iter().find(unlisted) {
        bail!("the advice of `{rule}` is not listed in generate.rs");
    }
    let start = "| advice | what the host may do | rules |\n|---|---|---|\n".to_owned();
    let table = ADVICE.iter().fold(start, |table, (advice, what)| {
        let mut rules = names(|rule| rule.traits().advice == *advice);
        if *advice == Advice::Escalate {
            rules += ", and every halt";
        }
        table + &format!("| `{advice}` | {what} | {rules} |\n")
    });
    let wasteless = names(|rule| !rule.wastes_calls());
    Ok(table
        + &format!(
            "\nThese rules count something else than repeated calls, so that `wasted.calls` is 0: {wasteless}.\n"
        ))
}

/// The names of some rules in the order of the alphabet.
fn names(wanted: impl Fn(RuleName) -> bool) -> String {
    let rules = RuleName::ALL.iter().filter(|rule| wanted(**rule));
    let mut names: Vec<_> = rules.map(|rule| format!("`{rule}`")).collect();
    names.sort();
    names.join(", ")
}

/// The names of all rules, for the packages for JavaScript.
fn rules_in_typescript() -> String {
    let start = "// Made by `cargo xtask generate`.\n\n/** Names of all rules. */\nexport const RULES = [\n";
    let rules = RuleName::ALL.iter();
    rules.fold(start.to_owned(), |text, rule| {
        text + &format!("  \"{rule}\",\n")
    }) + "] as const;\n\nexport type RuleName = (typeof RULES)[number];\n"
}

/// The schema of snapshots, as one is written: two bytes behind the magic word.
fn snapshot_schema() -> Result<String> {
    let mut engine = Engine::new(Settings::default());
    let decision = engine.observe(Event::turn());
    let snapshot = engine
        .snapshot(&decision.session, &decision.agent)
        .context("there is no snapshot of an agent that was seen")?;
    let schema = snapshot
        .strip_prefix(b"unstuck")
        .and_then(|rest| rest.first_chunk())
        .context("the snapshot has no schema behind its magic word")?;
    let schema = u16::from_le_bytes(*schema);
    Ok(format!(
        "Snapshots have schema {schema}. A snapshot of another schema is refused, never misread.\n"
    ))
}

fn write(out: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = out.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot create {}", parent.display()))?;
    }
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
