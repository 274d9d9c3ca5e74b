//! What the command does.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use unstuck::{RuleName, Settings};
use unstuck_config::Layer;
use unstuck_eval::{
    Contribution, Facts, Found, Half, Headline, Page, Replay, Run, SetScore, Trajectory,
    contributions, detectors, false_alarms, find, headlines, how_to_get, load, misses, mistakes,
    redaction, replay, replay_each, rules, rules_by_set, score, sets, show, steps, without,
    write_events,
};

use crate::args::{Args, Split};

/// Where the corpus is, when the command line does not say.
const VARIABLE: &str = "UNSTUCK_CORPUS";

type Scores = BTreeMap<String, SetScore>;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(paths) = corpus(args) else {
        bail!("{}", how_to_get().trim_end());
    };
    if let Some(path) = &args.events {
        return write_stream(&paths, path);
    }
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
    if args.redaction {
        print!("{}", redaction(&runs));
        return Ok(ExitCode::SUCCESS);
    }
    if !args.show.is_empty() {
        for id in &args.show {
            print!("{}", show_one(&runs, id, &settings)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let replayed = replay(&runs, &settings);
    let evaluation = Evaluation::new(args, &runs, &replayed, &settings);
    let without = if args.leave_one_out || args.write_docs.is_some() {
        evaluation.without(&layers, args)?
    } else {
        Vec::new()
    };
    let peers: Vec<_> = peers
        .into_iter()
        .map(|(name, facts)| (name, score(&evaluation.runs(), &facts)))
        .collect();
    evaluation.print(&peers, &without);
    evaluation.print_mistakes(args);
    if let Some(path) = &args.facts {
        write(path, &serde_json::to_string(&evaluation.facts)?)?;
    }
    if let Some(path) = &args.json {
        let numbers = evaluation.numbers(&without);
        write(path, &serde_json::to_string_pretty(&numbers)?)?;
    }
    if let Some(path) = &args.write_docs {
        write(path, &evaluation.page(args, peers, without).markdown())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_stream(paths: &[PathBuf], to: &Path) -> Result<ExitCode> {
    let context = || format!("cannot write {}", to.display());
    let file = File::create(to).with_context(context)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let lines = write_events(paths, &mut out)?;
    out.flush().with_context(context)?;
    if lines == 0 {
        bail!("the corpus holds no events");
    }
    println!("{lines} events in {}", to.display());
    Ok(ExitCode::SUCCESS)
}

/// A replay of a corpus, scored.
struct Evaluation<'a> {
    all: &'a [Trajectory],
    settings: &'a Settings,
    facts: Facts,
    /// The half that is asked for.
    chosen: Vec<(&'a Trajectory, &'a Run)>,
    scores: Scores,
    /// The whole and both halves.
    parts: Vec<(&'static str, Scores)>,
    replayed: &'a Replay,
    rules: Vec<(RuleName, Contribution)>,
}

impl<'a> Evaluation<'a> {
    fn new(
        args: &Args,
        all: &'a [Trajectory],
        replayed: &'a Replay,
        settings: &'a Settings,
    ) -> Self {
        let facts = Facts::of(all, replayed);
        let part = |split| {
            let runs: Vec<_> = all.iter().filter(|run| is_in(split, run)).collect();
            score(&runs, &facts)
        };
        let parts = vec![
            ("all", part(Split::All)),
            ("tune", part(Split::Tune)),
            ("holdout", part(Split::Holdout)),
        ];
        let chosen: Vec<_> = all
            .iter()
            .zip(&replayed.runs)
            .filter(|(run, _)| is_in(args.split, run))
            .collect();
        Self {
            all,
            settings,
            scores: part(args.split),
            parts,
            rules: contributions(&chosen, settings),
            chosen,
            facts,
            replayed,
        }
    }

    /// The headline of one part of the corpus.
    fn headline(&self, part: &str, scores: &Scores) -> Headline {
        let split = match part {
            "tune" => Split::Tune,
            "holdout" => Split::Holdout,
            _ => Split::All,
        };
        let runs = self.all.iter().zip(&self.replayed.runs);
        let runs = runs.filter(|(run, _)| is_in(split, run));
        Headline::of(scores)
            .wide(scores)
            .told(runs.map(|(_, said)| said))
    }

    fn runs(&self) -> Vec<&'a Trajectory> {
        self.chosen.iter().map(|(run, _)| *run).collect()
    }

    /// The numbers with each rule off in turn.
    fn without(&self, layers: &[Layer], args: &Args) -> Result<Vec<(RuleName, Scores)>> {
        let names: Vec<_> = self.rules.iter().map(|(rule, _)| *rule).collect();
        let settings = names
            .iter()
            .map(|rule| without(*rule, layers, args.preset))
            .collect::<Result<Vec<_>, _>>()?;
        let replayed = replay_each(self.all, &settings.iter().collect::<Vec<_>>());
        let scores = replayed
            .iter()
            .map(|said| score(&self.runs(), &Facts::of_runs(self.all, said)));
        Ok(names.into_iter().zip(scores).collect())
    }

    fn print(&self, peers: &[(String, Scores)], without: &[(RuleName, Scores)]) {
        println!("{}", sets(&self.scores).terminal());
        println!("{}", steps(&self.scores).terminal());
        let parts: Vec<_> = self
            .parts
            .iter()
            .map(|(name, scores)| (*name, self.headline(name, scores)))
            .collect();
        println!("{}", headlines(&parts).terminal());
        println!("{}", rules(&self.rules).terminal());
        println!("{}", rules_by_set(&self.rules).terminal());
        let ours = |name: &str| vec![(name.to_owned(), self.scores.clone())];
        if !peers.is_empty() {
            let mut rows = ours("ours");
            rows.extend(peers.iter().cloned());
            println!("{}", detectors("detector", &rows).terminal());
        }
        if !without.is_empty() {
            let mut rows = ours("all rules");
            let each = without.iter();
            rows.extend(each.map(|(rule, scores)| (format!("without {rule}"), scores.clone())));
            println!("{}", detectors("rules", &rows).terminal());
        }
        if let Some(seconds) = self.facts.seconds {
            println!("{} events in {seconds:.1} s", self.facts.events);
        }
        if self.facts.line_errors > 0 {
            println!("{} of them cannot be read", self.facts.line_errors);
        }
    }

    fn print_mistakes(&self, args: &Args) {
        let of_set = |set: &String| {
            let runs = self.chosen.iter().copied();
            runs.filter(|(run, _)| run.set == *set).collect::<Vec<_>>()
        };
        if let Some(set) = &args.misses {
            let list = misses(of_set(set).into_iter());
            print!("\n{}", mistakes("missed", &list, args.rule));
        }
        if let Some(set) = &args.false_alarms {
            let list = false_alarms(of_set(set).into_iter());
            print!("\n{}", mistakes("false alarm", &list, args.rule));
        }
    }

    fn numbers(&self, without: &[(RuleName, Scores)]) -> Numbers<'_> {
        Numbers {
            headline: Headline::of(&self.scores)
                .told(self.chosen.iter().map(|(_, said)| *said))
                .timed(&self.facts),
            sets: &self.scores,
            line_errors: self.facts.line_errors,
            parts: self
                .parts
                .iter()
                .map(|(name, scores)| (*name, self.headline(name, scores)))
                .collect(),
            rules: self.rules.iter().map(|(rule, one)| (*rule, one)).collect(),
            without: without
                .iter()
                .map(|(rule, scores)| (*rule, Headline::of(scores).wide(scores)))
                .collect(),
        }
    }

    fn page(
        self,
        args: &Args,
        peers: Vec<(String, Scores)>,
        without: Vec<(RuleName, Scores)>,
    ) -> Page {
        let preset = self.settings.preset.as_str();
        let changed = match args.config {
            Some(_) => " with a configuration",
            None => "",
        };
        Page {
            settings: format!("unstuck `{preset}`{changed}"),
            steps: self.all.iter().map(|run| run.steps.len()).sum(),
            events: self.facts.events,
            parts: self.parts,
            peers,
            rules: self.rules,
            without,
        }
    }
}

/// All numbers. The first three fields are those of the reference scorer.
#[derive(Serialize)]
struct Numbers<'a> {
    headline: Headline,
    sets: &'a Scores,
    line_errors: u64,
    parts: BTreeMap<&'a str, Headline>,
    rules: BTreeMap<RuleName, &'a Contribution>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without: BTreeMap<RuleName, Headline>,
}

fn is_in(split: Split, run: &Trajectory) -> bool {
    match split {
        Split::All => true,
        Split::Tune => Half::of(run) == Half::Tune,
        Split::Holdout => Half::of(run) == Half::Holdout,
    }
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

fn show_one(runs: &[Trajectory], id: &str, settings: &Settings) -> Result<String> {
    match find(runs, id) {
        Found::One(run) => {
            let replayed = replay(std::slice::from_ref(run), settings);
            let said = replayed.runs.first().cloned().unwrap_or_default();
            Ok(show(run, &said))
        }
        Found::None => bail!("no run has `{id}` in its id"),
        Found::Many(ids) => bail!(
            "several runs have `{id}` in their id:\n  {}",
            ids.join("\n  ")
        ),
    }
}
