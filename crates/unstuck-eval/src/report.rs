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
use serde_json::Value;
use unstuck::{RuleName, Settings};
use unstuck_config::Layer;
use unstuck_eval::{
    Agreement, Contribution, Detailed, Facts, Found, Half, Headline, Injected, Neighbour, Page,
    Replay, Run, SetScore, SweepRow, Table, Trajectory, contributions, detectors, false_alarms,
    find, headlines, how_to_get, injected_headlines, injected_kinds, is_injected, load, misses,
    mistakes, neighbours, readme, redaction, replay, replay_each, rules, rules_by_set, score, sets,
    show, steps, sweep, without, worths, write_events,
};

use crate::args::{Args, Split};

/// Where the corpus is, when the command line does not say.
const VARIABLE: &str = "UNSTUCK_CORPUS";

/// Other detectors that the README compares with, by the start of their names.
const README_PEERS: [&str; 3] = [
    "attocode LoopDetector (TypeScript)",
    "gemini-cli",
    "trajectory-fuse",
];

/// The whole corpus and its halves.
const PARTS: [(&str, Split); 3] = [
    ("all", Split::All),
    ("tune", Split::Tune),
    ("holdout", Split::Holdout),
];

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
    let loaded = load(&paths, &args.sets)?;
    if loaded.is_empty() {
        bail!("the corpus holds no runs of these sets");
    }
    if args.redaction {
        print!("{}", redaction(&loaded));
        return Ok(ExitCode::SUCCESS);
    }
    if !args.show.is_empty() {
        for id in &args.show {
            print!("{}", show_one(&loaded, id, &settings)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let neighbours = neighbours(&args.sweep, &settings, &layers, args.preset)?;
    let (cases, runs): (Vec<_>, Vec<_>) = loaded.into_iter().partition(is_injected);
    let replayed = replay(&runs, &settings);
    let cases_replayed = replay(&cases, &settings);
    let cases = Cases {
        all: &cases,
        said: &cases_replayed.runs,
    };
    let evaluation = Evaluation::new(args, (&runs, &replayed), cases, &settings);
    let without = if args.leave_one_out || args.write_docs.is_some() {
        evaluation.without(&layers, args)?
    } else {
        Vec::new()
    };
    let peer_facts = peers;
    let peers: Vec<_> = peer_facts
        .iter()
        .map(|(name, facts)| (name.clone(), score(&evaluation.runs(), facts)))
        .collect();
    evaluation.print(&peers, &without);
    evaluation.print_mistakes(args);
    if !neighbours.is_empty() {
        println!("{}", evaluation.sweep(&neighbours).terminal());
    }
    if let Some(path) = &args.facts {
        write(path, &serde_json::to_string(&evaluation.facts)?)?;
    }
    if let Some(path) = &args.json {
        let numbers = evaluation.numbers(&without);
        write(path, &serde_json::to_string_pretty(&numbers)?)?;
    }
    let mut code = ExitCode::SUCCESS;
    for path in &args.compare_with {
        let ours = serde_json::to_value(evaluation.numbers(&without))?;
        if !compare(path, &ours)? {
            code = ExitCode::FAILURE;
        }
    }
    if let Some(path) = &args.write_readme {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        write(path, &evaluation.readme(&text, &peer_facts)?)?;
    }
    if let Some(path) = &args.write_docs {
        write(path, &evaluation.page(args, peers, without).markdown())?;
    }
    Ok(code)
}

/// Compares our numbers with those of a reference scorer: of the recordings, or of the injected cases, which stand
/// under the name of the settings. Returns whether they agree.
fn compare(path: &Path, ours: &Value) -> Result<bool> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let reference: Value =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not JSON"))?;
    let mut members = reference.as_object().into_iter().flatten();
    let of_cases = members.find(|(_, value)| value.get("kinds").is_some());
    let agreement = match of_cases {
        Some((_, numbers)) => Agreement::between(numbers, &ours["injected"]),
        None if reference.get("sets").is_some() => Agreement::between(&reference, ours),
        None => bail!("{shown} holds no numbers of a reference scorer"),
    };
    for (place, theirs, ours) in &agreement.differences {
        println!("{place}: {theirs} in {shown}, {ours} here");
    }
    let differences = agreement.differences.len();
    println!(
        "{} numbers compared with {shown}: {differences} differ",
        agreement.compared
    );
    Ok(agreement.differences.is_empty())
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

/// Injected cases and what was said to them.
#[derive(Clone, Copy)]
struct Cases<'a> {
    all: &'a [Trajectory],
    said: &'a [Run],
}

impl Cases<'_> {
    fn count(self, split: Split) -> Option<Injected> {
        let cases = self.all.iter().zip(self.said);
        Injected::of(cases.filter(|(run, _)| is_in(split, run)))
    }
}

/// A replay of a corpus, scored.
struct Evaluation<'a> {
    all: &'a [Trajectory],
    cases: Cases<'a>,
    /// The injected cases of the half that is asked for.
    injected: Option<Injected>,
    split: Split,
    settings: &'a Settings,
    facts: Facts,
    /// The half that is asked for.
    chosen: Vec<(&'a Trajectory, &'a Run)>,
    scores: Scores,
    /// The whole and both halves.
    parts: Vec<(&'static str, Scores)>,
    rules: Vec<(RuleName, Contribution)>,
}

impl<'a> Evaluation<'a> {
    fn new(
        args: &Args,
        (all, replayed): (&'a [Trajectory], &'a Replay),
        cases: Cases<'a>,
        settings: &'a Settings,
    ) -> Self {
        let facts = Facts::of(all, replayed);
        let part = |split| {
            let runs: Vec<_> = all.iter().filter(|run| is_in(split, run)).collect();
            score(&runs, &facts)
        };
        let parts = PARTS.map(|(name, split)| (name, part(split))).to_vec();
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
            cases,
            injected: cases.count(args.split),
            split: args.split,
        }
    }

    /// The headlines of the whole corpus and of its halves.
    fn headlines(&self) -> Vec<(&'static str, Headline)> {
        let parts = self.parts.iter();
        parts
            .map(|(name, scores)| (*name, Headline::of(scores).wide(scores)))
            .collect()
    }

    /// The injected cases of all runs and of the halves; nothing without any.
    fn injected_parts(&self) -> Vec<(&'static str, Injected)> {
        PARTS
            .iter()
            .filter_map(|(name, split)| Some((*name, self.cases.count(*split)?)))
            .collect()
    }

    /// The numbers with other settings beside ours.
    fn sweep(&self, neighbours: &[Neighbour]) -> Table {
        let settings: Vec<_> = neighbours.iter().map(|one| &one.settings).collect();
        let replayed = replay_each(self.all, &settings);
        let cases = replay_each(self.cases.all, &settings);
        let mut rows = vec![SweepRow::new("ours", &self.scores, self.injected.as_ref())];
        for ((neighbour, said), said_of_cases) in neighbours.iter().zip(&replayed).zip(&cases) {
            let scores = score(&self.runs(), &Facts::of_runs(self.all, said));
            let cases = Cases {
                said: said_of_cases,
                ..self.cases
            };
            let injected = cases.count(self.split);
            rows.push(SweepRow::new(&neighbour.name, &scores, injected.as_ref()));
        }
        sweep(&rows)
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
        if let Some(injected) = &self.injected {
            println!("{}", injected_kinds(injected).terminal());
            println!("{}", injected_headlines(&self.injected_parts()).terminal());
        }
        if self.all.is_empty() {
            return;
        }
        println!("{}", sets(&self.scores).terminal());
        println!("{}", steps(&self.scores).terminal());
        println!("{}", worths(&self.scores).terminal());
        println!("{}", headlines(&self.headlines()).terminal());
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
            headline: Headline::of(&self.scores).timed(&self.facts),
            sets: &self.scores,
            line_errors: self.facts.line_errors,
            injected: self.injected.as_ref(),
            parts: self
                .headlines()
                .into_iter()
                .map(|(name, headline)| (name, Detailed(headline)))
                .collect(),
            injected_parts: self.injected_parts().into_iter().collect(),
            rules: self.rules.iter().map(|(rule, one)| (*rule, one)).collect(),
            without: without
                .iter()
                .map(|(rule, scores)| (*rule, Headline::of(scores).wide(scores)))
                .collect(),
        }
    }

    /// A README with the numbers of the half that nothing was chosen on, ours and those of some peers.
    fn readme(&self, text: &str, peers: &[(String, Facts)]) -> Result<String> {
        let runs: Vec<_> = self
            .all
            .iter()
            .filter(|run| is_in(Split::Holdout, run))
            .collect();
        let peers: Vec<_> = peers
            .iter()
            .filter(|(name, _)| README_PEERS.iter().any(|peer| name.starts_with(peer)))
            .map(|(name, facts)| (name.clone(), score(&runs, facts)))
            .collect();
        let settings = format!("unstuck `{}`", self.settings.preset.as_str());
        Ok(readme(text, &settings, &score(&runs, &self.facts), &peers)?)
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
            injected: self.injected_parts(),
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
    /// In the form of the script that makes the injected cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    injected: Option<&'a Injected>,
    parts: BTreeMap<&'a str, Detailed>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    injected_parts: BTreeMap<&'a str, Injected>,
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
