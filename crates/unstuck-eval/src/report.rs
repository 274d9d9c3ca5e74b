//! What the command does.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use unstuck::{RuleName, Settings};
use unstuck_config::Layer;
use unstuck_eval::{
    Contribution, Facts, Found, Half, Headline, Run, SetScore, Trajectory, beyond_headline,
    contributions, detectors, false_alarms, find, headlines, leave_one_out, load, misses, mistakes,
    replay, replay_each, rules, score, sets, show, without,
};

use crate::args::{Args, Split};

/// Where the corpus is, when the command line does not say.
const VARIABLE: &str = "UNSTUCK_CORPUS";

const NO_CORPUS: &str = "\
error: no corpus

Give files of recordings as arguments or in the variable UNSTUCK_CORPUS (a list, separated as in PATH):

  cargo xtask eval runs.jsonl.xz
";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(paths) = corpus(args) else {
        eprint!("{NO_CORPUS}");
        return Ok(ExitCode::from(2));
    };
    let layers = layers(args)?;
    let settings = unstuck_config::load(&layers, args.preset)?.settings;
    let peers = match &args.peers {
        Some(path) => read_facts(path)?,
        None => Vec::new(),
    };
    let runs = load(&paths, &args.sets)?;
    if runs.is_empty() {
        bail!("the corpus holds no runs of these sets");
    }
    if let Some(id) = &args.show {
        return show_one(&runs, id, &settings);
    }
    let replayed = replay(&runs, &settings);
    let facts = Facts::of(&runs, &replayed);
    if let Some(path) = &args.facts {
        write(path, &serde_json::to_string(&facts)?)?;
    }
    let all: Vec<_> = runs.iter().collect();
    let half = |half| {
        runs.iter()
            .filter(move |run| Half::of(run) == half)
            .collect()
    };
    let tune: Vec<&Trajectory> = half(Half::Tune);
    let holdout: Vec<&Trajectory> = half(Half::Holdout);
    let parts: Vec<(&str, BTreeMap<String, SetScore>)> =
        [("all", &all), ("tune", &tune), ("holdout", &holdout)]
            .into_iter()
            .map(|(name, runs)| (name, score(runs, &facts)))
            .collect();
    let is_chosen = |run: &Trajectory| match args.split {
        Split::All => true,
        Split::Tune => Half::of(run) == Half::Tune,
        Split::Holdout => Half::of(run) == Half::Holdout,
    };
    let chosen: Vec<_> = runs
        .iter()
        .zip(&replayed.runs)
        .filter(|(run, _)| is_chosen(run))
        .collect();
    let chosen_runs: Vec<_> = chosen.iter().map(|(run, _)| *run).collect();
    let scored = score(&chosen_runs, &facts);
    let contributed = contributions(&chosen, &settings);

    println!("{}", sets(&scored));
    println!("{}", headlines(&with_more(&parts, &facts)));
    println!("{}", rules(&contributed));
    if !peers.is_empty() {
        let mut table = vec![("ours".to_owned(), scored.clone())];
        table.extend(
            peers
                .iter()
                .map(|(name, facts)| (name.clone(), score(&chosen_runs, facts))),
        );
        println!("{}", detectors(&table));
    }
    let without = if args.leave_one_out {
        let rows = left_out(&runs, &chosen_runs, &layers, args, &settings, &facts)?;
        println!("{}", leave_one_out(&rows));
        rows
    } else {
        Vec::new()
    };
    if facts.line_errors > 0 {
        println!("{} events were answered with an error", facts.line_errors);
    }
    let of_set = |set: &str| {
        let chosen = chosen.iter().filter(move |(run, _)| run.set == set);
        chosen.copied().collect::<Vec<(&Trajectory, &Run)>>()
    };
    if let Some(set) = &args.misses {
        let list = misses(of_set(set).into_iter());
        print!("{}", mistakes("missed", &list, args.rule));
    }
    if let Some(set) = &args.false_alarms {
        let list = false_alarms(of_set(set).into_iter());
        print!("{}", mistakes("false alarm", &list, args.rule));
    }
    if let Some(path) = &args.json {
        let numbers = Numbers {
            headline: Headline::of(&scored, &facts),
            sets: &scored,
            line_errors: facts.line_errors,
            halves: parts
                .iter()
                .map(|(name, sets)| (*name, Headline::of(sets, &facts)))
                .collect(),
            rules: contributed
                .iter()
                .map(|(rule, contribution)| (*rule, contribution))
                .collect(),
            without: without.into_iter().collect(),
        };
        write(path, &serde_json::to_string_pretty(&numbers)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All numbers. The first three fields are those of the reference scorer.
#[derive(Serialize)]
struct Numbers<'a> {
    headline: Headline,
    sets: &'a BTreeMap<String, SetScore>,
    line_errors: u64,
    halves: BTreeMap<&'a str, Headline>,
    rules: BTreeMap<RuleName, &'a Contribution>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without: BTreeMap<String, Headline>,
}

fn corpus(args: &Args) -> Option<Vec<PathBuf>> {
    if !args.corpus.is_empty() {
        return Some(args.corpus.clone());
    }
    let list = env::var_os(VARIABLE)?;
    let paths: Vec<_> = env::split_paths(&list)
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    (!paths.is_empty()).then_some(paths)
}

fn layers(args: &Args) -> Result<Vec<Layer>> {
    let Some(path) = &args.config else {
        return Ok(Vec::new());
    };
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read the configuration {name}"))?;
    Ok(vec![Layer::from_bytes(name, bytes)?])
}

fn read_facts(path: &Path) -> Result<Vec<(String, Facts)>> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Facts::read(&name, &text).with_context(|| format!("{shown} holds no first-alarm facts"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn show_one(runs: &[Trajectory], id: &str, settings: &Settings) -> Result<ExitCode> {
    match find(runs, id) {
        Found::One(at) => {
            let replayed = replay(&runs[at..=at], settings);
            for (run, said) in runs[at..=at].iter().zip(&replayed.runs) {
                print!("{}", show(run, said));
            }
            Ok(ExitCode::SUCCESS)
        }
        Found::None => bail!("no run has `{id}` in its id"),
        Found::Many(ids) => bail!(
            "several runs have `{id}` in their id:\n  {}",
            ids.join("\n  ")
        ),
    }
}

fn with_more<'a>(
    parts: &[(&'a str, BTreeMap<String, SetScore>)],
    facts: &Facts,
) -> Vec<(&'a str, Headline)> {
    parts
        .iter()
        .map(|(name, sets)| (*name, wide(sets, facts)))
        .collect()
}

/// The headline and what is worth a look beside it.
fn wide(sets: &BTreeMap<String, SetScore>, facts: &Facts) -> Headline {
    let mut headline = Headline::of(sets, facts);
    headline.0.extend(beyond_headline(sets).0);
    headline
}

/// The headlines with all rules and with each rule off in turn.
fn left_out(
    runs: &[Trajectory],
    chosen: &[&Trajectory],
    layers: &[Layer],
    args: &Args,
    settings: &Settings,
    facts: &Facts,
) -> Result<Vec<(String, Headline)>> {
    let enabled = RuleName::ALL
        .iter()
        .filter(|rule| settings.rules.is_enabled(**rule));
    let mut names = Vec::new();
    let mut each = Vec::new();
    for rule in enabled {
        names.push(rule.to_string());
        each.push(without(*rule, layers, args.preset)?);
    }
    let replayed = replay_each(runs, &each.iter().collect::<Vec<_>>());
    let mut untimed = facts.clone();
    untimed.seconds = None;
    let mut rows = vec![(
        "nothing".to_owned(),
        wide(&score(chosen, &untimed), &untimed),
    )];
    for (name, said) in names.into_iter().zip(replayed) {
        let facts = Facts::of_runs(runs, &said);
        rows.push((name, wide(&score(chosen, &facts), &facts)));
    }
    Ok(rows)
}
