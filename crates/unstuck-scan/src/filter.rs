//! Which files and runs a report is about.

use std::{convert::Infallible, str::FromStr};

use unstuck::{RuleName, settings::ToolPattern};
use unstuck_report::{ReportVerdict, Run, SkipReason};

use super::{
    assemble::is_run,
    database,
    directory::{of_source, project},
    find::{Candidate, Found},
    track,
    work::FileReport,
};

/// A path, or a part of one. With `*` or `?` it is the whole path or its end from a slash on; `*` also stands for
/// slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    text: String,
    /// The whole path, and its end; none where the text has no wildcard.
    whole: Option<[ToolPattern; 2]>,
}

impl FromStr for PathPattern {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.replace('\\', "/");
        let whole = text.contains(['*', '?']).then(|| {
            [
                ToolPattern::new(&*text),
                ToolPattern::new(format!("*/{text}")),
            ]
        });
        Ok(Self { text, whole })
    }
}

impl PathPattern {
    pub fn matches(&self, path: &str) -> bool {
        let path = path.replace('\\', "/");
        match &self.whole {
            Some(patterns) => patterns.iter().any(|pattern| pattern.matches(&path)),
            None => path.contains(&self.text),
        }
    }
}

/// What was asked for. Empty lists ask for everything.
#[derive(Debug, Default)]
pub struct Filter {
    /// The directories that agents worked in.
    pub projects: Vec<PathPattern>,
    /// Files that are not read.
    pub excluded: Vec<PathPattern>,
    /// Only runs that began before this, in milliseconds since 1970.
    pub until: Option<i64>,
    pub rules: Vec<RuleName>,
}

impl Filter {
    /// Skips files before they are read.
    pub fn files(&self, found: &mut Found) {
        let skipped = &mut found.skipped.entries;
        let matches = |patterns: &[PathPattern], path: &str| {
            patterns.iter().any(|pattern| pattern.matches(path))
        };
        found.files.retain(|file| {
            let reason = if matches(&self.excluded, &file.name) {
                SkipReason::Excluded
            } else if !self.is_of_project(file) {
                SkipReason::OtherProject
            } else {
                return true;
            };
            skipped.push((reason, file.name.clone()));
            false
        });
    }

    /// Whether a file may have runs of the projects asked for. The sessions of a database are looked at one by one later.
    /// A file that names no directory is known by its own path.
    fn is_of_project(&self, file: &Candidate) -> bool {
        if self.projects.is_empty() {
            return true;
        }
        if let Some(directory) = of_source(&file.source) {
            return self.is_in(&directory);
        }
        match database::directories(&file.source) {
            Some(all) => all.values().any(|directory| self.is_in(directory)),
            None => self.is_in(&file.name),
        }
    }

    /// Whether a directory, or its last part, is one of those asked for.
    fn is_in(&self, directory: &str) -> bool {
        let name = project(directory);
        let mut projects = self.projects.iter();
        projects.any(|pattern| pattern.matches(directory) || pattern.matches(&name))
    }

    /// Leaves out runs, and of those that stay the loops that other rules saw. The report of a file gets the reason if
    /// that leaves no run in it.
    pub fn runs(&self, files: &[Candidate], reports: &mut [FileReport]) {
        for (file, report) in files.iter().zip(reports) {
            let runs = &mut report.runs;
            runs.retain(is_run);
            if runs.is_empty() {
                continue;
            }
            if let Some(until) = self.until {
                runs.retain(|run| run.started.is_none_or(|started| started < until));
                if runs.is_empty() {
                    report.left_out = Some(SkipReason::Newer);
                }
            }
            if !self.projects.is_empty()
                && !runs.is_empty()
                && let Some(directories) = database::directories(&file.source)
            {
                runs.retain(|run| {
                    let directory = directories.get(&run.session);
                    directory.is_some_and(|directory| self.is_in(directory))
                });
                if runs.is_empty() {
                    report.left_out = Some(SkipReason::OtherProject);
                }
            }
            if !self.rules.is_empty() {
                for run in runs.iter_mut() {
                    self.loops(run);
                }
            }
        }
    }

    fn loops(&self, run: &mut Run) {
        let is_asked_for = |rule: &str| self.rules.iter().any(|one| one.as_str() == rule);
        run.loops.retain(|found| {
            is_asked_for(&found.rule) || found.also.iter().any(|rule| is_asked_for(rule))
        });
        let verdicts = run.loops.iter().map(|found| found.verdict);
        run.verdict = verdicts.max().unwrap_or(ReportVerdict::Allow);
        run.wasted = track::sum(&run.loops, &run.spent);
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
