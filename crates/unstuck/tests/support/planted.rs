//! What the engine reports on the reference stream, by label.

use std::collections::BTreeMap;

use unstuck::{
    Engine, Event, EventError, EventReader, Preset, Settings, Verdict, settings::Attendance,
};

use super::stream::{Label, Row, Stream};

/// What came of the episodes of one label.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Caught {
    /// Loops of three laps or more, and how many of them got a nudge or more.
    loops: u32,
    found: u32,
    /// Episodes in which nothing may be reported, and how many of them something was reported in.
    harmless: u32,
    alarms: u32,
}

/// Runs the stream and gathers what was reported by label.
pub(crate) fn run(
    rows: usize,
    attendance: Attendance,
) -> Result<BTreeMap<Label, Caught>, EventError> {
    let mut settings = Settings::of(Preset::Standard);
    settings.attendance = attendance;
    let mut engine = Engine::new(settings);
    let mut reader = EventReader::default();
    let mut episodes: BTreeMap<u32, (Label, u32, bool)> = BTreeMap::new();
    for row in Stream::new(20_261_115).take(rows) {
        let Row {
            call,
            result,
            turn,
            label,
            episode,
            laps,
        } = row;
        let mut reported = false;
        for line in [call, result, turn] {
            let verdict = engine.observe(reader.read(line.as_bytes())?).verdict;
            reported |= verdict > Verdict::Allow;
            if verdict == Verdict::Halt {
                // A person resets the run.
                engine.observe(Event::parse(br#"{"event":"reset"}"#)?);
            }
        }
        let seen = episodes.entry(episode).or_insert((label, 0, false));
        seen.1 = seen.1.max(laps);
        seen.2 |= reported;
    }
    let mut caught: BTreeMap<Label, Caught> = BTreeMap::new();
    for (label, laps, reported) in episodes.into_values() {
        let caught = caught.entry(label).or_default();
        if !label.is_loop() {
            caught.harmless += 1;
            caught.alarms += u32::from(reported);
        } else if laps >= 3 {
            caught.loops += 1;
            caught.found += u32::from(reported);
        }
    }
    Ok(caught)
}

/// What is not as it has to be: each label is there, every loop is caught, and nothing harmless is reported.
pub(crate) fn faults(caught: &BTreeMap<Label, Caught>) -> Vec<String> {
    let mut faults = Vec::new();
    for label in [
        Label::Exact,
        Label::ExactShuffled,
        Label::PingPong,
        Label::ThreeCycle,
        Label::Fresh,
        Label::Poll,
        Label::EditTest,
    ] {
        let none = Caught::default();
        let Caught {
            loops,
            found,
            harmless,
            alarms,
        } = caught.get(&label).unwrap_or(&none);
        if loops + harmless == 0 {
            faults.push(format!("{label:?}: the stream has none"));
        }
        if found < loops {
            faults.push(format!("{label:?}: {found} of {loops} loops are caught"));
        }
        if *alarms > 0 {
            faults.push(format!("{label:?}: {alarms} of {harmless} are reported"));
        }
    }
    faults
}
