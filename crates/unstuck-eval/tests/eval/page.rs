//! The page on detection quality.

use unstuck_eval::{Facts, Half, Page, contributions, score};

use crate::support::{corpus_runs, replayed, settings};

#[test]
fn the_page_shows_every_number() {
    let runs = corpus_runs();
    let (replay, facts) = replayed(&runs);
    let both: Vec<_> = runs.iter().zip(&replay.runs).collect();
    let all: Vec<_> = runs.iter().collect();
    let half = |half| -> Vec<_> { runs.iter().filter(|run| Half::of(run) == half).collect() };
    let silent = Facts::default();
    let page = Page {
        settings: "unstuck `test`".to_owned(),
        steps: 38,
        events: facts.events,
        parts: vec![
            ("all", score(&all, &facts)),
            ("tune", score(&half(Half::Tune), &facts)),
        ],
        peers: vec![("silent | one".to_owned(), score(&all, &silent))],
        injected: Vec::new(),
        rules: contributions(&both, &settings()),
        without: vec![(unstuck::RuleName::ExactRepeat, score(&all, &silent))],
    };
    let markdown = page.markdown();
    let numbers = markdown.split("\n## Method").next().unwrap();
    if std::env::var_os("UNSTUCK_BLESS").is_some() {
        let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/eval/page.md");
        std::fs::write(place, numbers).unwrap();
        return;
    }
    assert_eq!(numbers, include_str!("page.md"));
    let order = [
        "## Headline",
        "## Beside",
        "## By set: all",
        "## What every",
        "## Method",
        "## Limits",
        "## The recordings",
    ];
    let places: Vec<_> = order
        .iter()
        .map(|title| markdown.find(title).unwrap())
        .collect();
    assert!(places.is_sorted());
}
