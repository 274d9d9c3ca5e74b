//! The table of the README: the half of the recordings that nothing was chosen on.

use std::collections::BTreeMap;

use crate::{
    headline::{Figure, Headline},
    render::figure,
    score::SetScore,
    table::Table,
};

/// What stands before the table.
const START: &str = "<!-- written by `cargo xtask eval --write-docs`: start -->";

/// What stands behind it.
const END: &str = "<!-- written by `cargo xtask eval --write-docs`: end -->";

/// Rows: the text, and the numbers by their names in the headline.
const ROWS: [(&str, &[&str]); 9] = [
    (
        "SWE-bench runs that were solved and got a denial",
        &["overthinking solved runs with deny+"],
    ),
    (
        "tokens that unsolved runs spent after the first denial",
        &["overthinking unsolved tokens after first deny+"],
    ),
    (
        "solved runs with a nudge",
        &["overthinking solved runs with nudge+"],
    ),
    (
        "tokens that unsolved runs spent after the first nudge",
        &["overthinking unsolved tokens after first nudge+"],
    ),
    (
        "cost of redundant steps after the first nudge; after the first denial",
        &[
            "overthinking waste caught by nudge+",
            "overthinking waste caught by deny+",
        ],
    ),
    (
        "solved runs halted before their last edit, all sets",
        &["runs lost, all sets"],
    ),
    (
        "denied calls that would have returned something new",
        &["overthinking wrong denials"],
    ),
    (
        "solved runs of a strong model (mini-swe, Gemini 3) with a nudge",
        &["mini-swe Gemini 3 solved runs with nudge+"],
    ),
    (
        "runs of agent teams labelled as looping (Who&When): precision; recall of nudges",
        &[
            "Who&When is_in_loop P (nudge+)",
            "Who&When is_in_loop R (nudge+)",
        ],
    ),
];

/// A README without the markers between which the table stands.
#[derive(Debug, thiserror::Error)]
#[error("the README has no lines `{START}` and `{END}`")]
pub struct NoPlace;

/// The README with its table written anew.
pub fn readme(
    text: &str,
    settings: &str,
    ours: &BTreeMap<String, SetScore>,
    peers: &[(String, BTreeMap<String, SetScore>)],
) -> Result<String, NoPlace> {
    let (before, rest) = text.split_once(START).ok_or(NoPlace)?;
    let (_, after) = rest.split_once(END).ok_or(NoPlace)?;
    let table = table(settings, ours, peers).markdown();
    Ok(format!("{before}{START}\n\n{table}\n{END}{after}"))
}

fn table(
    settings: &str,
    ours: &BTreeMap<String, SetScore>,
    peers: &[(String, BTreeMap<String, SetScore>)],
) -> Table {
    let names = peers.iter().map(|(name, _)| name.clone());
    let header = [String::new(), settings.to_owned()]
        .into_iter()
        .chain(names);
    let mut table = Table::with_header(1, header.collect());
    let full = Headline::of(ours).wide(ours);
    let peers: Vec<_> = peers
        .iter()
        .map(|(_, sets)| Headline::of(sets).wide(sets))
        .collect();
    for (text, numbers) in ROWS {
        let cells = |headline: &Headline, cell: fn(Option<Figure>) -> String| {
            let cells: Vec<_> = numbers
                .iter()
                .map(|name| cell(headline.figure(name)))
                .collect();
            cells.join("; ")
        };
        let mut row = vec![text.to_owned(), cells(&full, figure)];
        row.extend(peers.iter().map(|peer| cells(peer, without_details)));
        table.push(row);
    }
    table
}

fn without_details(known: Option<Figure>) -> String {
    figure(known.map(|known| Figure {
        of: None,
        interval: None,
        ..known
    }))
}

#[cfg(test)]
#[path = "readme_tests.rs"]
mod tests;
