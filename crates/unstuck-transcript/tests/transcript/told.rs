//! What a transcript tells, as text.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use unstuck::{Event, EventKind};
use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};

/// All that was told, a line each.
#[derive(Default)]
pub(crate) struct Told(pub(crate) String);

impl Sink for Told {
    fn event(&mut self, event: Event) {
        let at = event
            .at
            .map_or_else(|| "-".to_owned(), |at| at.0.to_string());
        let line = event.line.unwrap_or(0);
        let _ = write!(self.0, "{line} {}/{} {at} ", event.session, event.agent);
        let _ = match event.kind {
            EventKind::Call(call) => {
                writeln!(self.0, "call {} {} {}", call.id, call.tool, call.args)
            }
            EventKind::Result(result) => {
                let output = result
                    .output
                    .as_ref()
                    .map_or("nothing", |output| output.as_str());
                let code = result
                    .exit_code
                    .map_or_else(String::new, |code| format!(" exit {code}"));
                writeln!(
                    self.0,
                    "result {} {:?}{code} {output}",
                    result.id, result.status
                )
            }
            EventKind::Text(text) => writeln!(self.0, "text {:?} {:?}", text.role, text.text),
            EventKind::Turn(usage) => writeln!(self.0, "turn {}", usage.tokens),
            kind => writeln!(self.0, "{kind:?}"),
        };
    }

    fn usage(&mut self, usage: Usage) {
        let tokens = usage.tokens;
        let cost = usage
            .cost_micros
            .map_or_else(String::new, |cost| format!(" cost {cost}"));
        let _ = writeln!(
            self.0,
            "{} {}/{} used {:?} input {} output {} read {} written {}{cost}",
            usage.line,
            usage.session,
            usage.agent,
            usage.model,
            tokens.input,
            tokens.output,
            tokens.cache_read,
            tokens.cache_write,
        );
    }

    fn problem(&mut self, problem: Problem) {
        let line = problem
            .line
            .map_or_else(|| "-".to_owned(), |line| line.to_string());
        let _ = writeln!(self.0, "{line} problem {}", problem.message);
    }
}

/// What these bytes tell.
pub(crate) fn told(format: Format, bytes: &[u8]) -> String {
    let origin = Origin {
        session: "from-the-file".into(),
    };
    let mut transcript = Transcript::new(format, &origin);
    let mut told = Told::default();
    transcript.document(bytes, &mut told);
    transcript.end(&mut told);
    told.0
}

/// The project's own recordings: the folder is the name of the format.
pub(crate) fn fixtures() -> Vec<(Format, PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for folder in entries(&root) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let format: Format = name.parse().unwrap();
        for path in entries(&folder) {
            if path.extension().is_some_and(|ending| ending != "events") {
                let bytes = fs::read(&path).unwrap();
                fixtures.push((format, path, bytes));
            }
        }
    }
    fixtures
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    entries
}
