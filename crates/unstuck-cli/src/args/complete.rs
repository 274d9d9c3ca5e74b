//! Candidates for the completion of a shell: what is known here and now.

use clap_complete::CompletionCandidate;
use unstuck::RuleName;
use unstuck_text::Shown;
use unstuck_transcript::Format;

use crate::configuration;

/// Sessions and tools that are offered, the newest ones.
const MOST: usize = 100;

pub(crate) fn rules() -> Vec<CompletionCandidate> {
    let rules = RuleName::ALL.iter();
    rules
        .map(|rule| candidate(rule.as_str(), rule.summary()))
        .collect()
}

pub(crate) fn formats() -> Vec<CompletionCandidate> {
    let formats = Format::ALL.iter();
    formats
        .map(|format| candidate(format.name(), format.title()))
        .collect()
}

/// Sessions that hooks have seen.
pub(crate) fn sessions() -> Vec<CompletionCandidate> {
    let mut watched = watched();
    let mut seen = std::collections::BTreeSet::new();
    watched.retain(|about| seen.insert(about.session.clone()));
    watched
        .iter()
        .filter(|about| is_plain(&about.session))
        .take(MOST)
        .map(|about| candidate(&about.session, &about.host))
        .collect()
}

/// Sessions that hooks have seen, and running MCP proxies.
pub(crate) fn sessions_and_proxies() -> Vec<CompletionCandidate> {
    let running = configuration::state_dir().map_or(Vec::new(), |home| home.reset_targets());
    let plain = running.iter().filter(|named| is_plain(&named.name));
    let proxies = plain.map(|named| candidate(&named.name, "MCP proxy"));
    proxies.take(MOST).chain(sessions()).collect()
}

/// Tools that watched agents have used.
pub(crate) fn tools() -> Vec<CompletionCandidate> {
    let watched = watched();
    let tools = watched.iter().flat_map(|about| &about.activity.tools);
    let mut names: Vec<_> = tools.map(|used| &*used.tool).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter(|name| is_plain(name))
        .take(MOST)
        .map(|name| candidate(name, ""))
        .collect()
}

fn watched() -> Vec<unstuck_store::About> {
    configuration::state_dir().map_or(Vec::new(), |home| home.agents())
}

/// Whether a foreign name can be put on a command line as it is.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(plain)
}

fn candidate(name: &str, about: &str) -> CompletionCandidate {
    let help = (!about.is_empty()).then(|| Shown::line(about).to_string().into());
    CompletionCandidate::new(name).help(help)
}
