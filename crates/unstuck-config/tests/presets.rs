//! A preset is data: its settings decide the same under the name of every other preset.
//!
//! `unstuck config show` prints the settings of a preset as [`unstuck_config::to_toml`] writes them. Here they are loaded
//! on top of every other preset, and all streams in `conformance/` are judged with them.

#![allow(clippy::unwrap_used, reason = "what may fail here fails the test")]

use std::{fs, path::Path};

use serde_json::Value;
use unstuck::{Engine, Event, Preset, Settings};
use unstuck_config::{Layer, load, to_toml};

/// The streams of all vectors and reported cases, each with its name.
fn streams() -> Vec<(String, Vec<Event>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut streams = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            // Vectors of canonical JSON have no events.
            if let Some(events) = case["events"].as_array() {
                let event = |event: &Value| Event::parse(event.to_string().as_bytes()).unwrap();
                let events = events.iter().map(event).collect();
                streams.push((case["id"].to_string(), events));
            }
        }
    }
    assert!(streams.len() > 500, "only {} streams", streams.len());
    streams
}

fn decisions(settings: &Settings, events: &[Event]) -> Vec<String> {
    let mut engine = Engine::new(settings.clone());
    let events = events.iter().cloned();
    events
        .map(|event| serde_json::to_string(&engine.observe(event)).unwrap())
        .collect()
}

/// The settings of a preset, given back as a file under the name of another one.
fn renamed(preset: Preset, other: Preset) -> Settings {
    let text = to_toml(&Settings::of(preset)).unwrap();
    let name = format!("preset = \"{preset}\"\n");
    let file = text.replacen(&name, &format!("preset = \"{other}\"\n"), 1);
    assert!(text.starts_with(&name));
    let loaded = load(&[Layer::new("unstuck.toml", file)], None).unwrap();
    assert_eq!(loaded.settings.preset, other);
    // `--preset` does the same as another name in the file.
    let asked = load(&[Layer::new("unstuck.toml", text)], Some(other)).unwrap();
    assert_eq!(asked.settings, loaded.settings);
    loaded.settings
}

fn decides_the_same_under_every_name(preset: Preset) {
    let settings = Settings::of(preset);
    let others: Vec<Settings> = Preset::ALL
        .into_iter()
        .map(|other| renamed(preset, other))
        .collect();
    for other in &others {
        let mut named = other.clone();
        named.preset = preset;
        assert_eq!(named, settings, "{preset} as {}", other.preset);
    }
    let mut warned = false;
    for (name, events) in streams() {
        let expected = decisions(&settings, &events);
        warned |= expected
            .iter()
            .any(|said| !said.contains(r#""verdict":"allow""#));
        for other in &others {
            let found = decisions(other, &events);
            assert!(found == expected, "{name}: {preset} as {}", other.preset);
        }
    }
    assert!(warned);
}

#[test]
fn standard() {
    decides_the_same_under_every_name(Preset::Standard);
}

#[test]
fn ironcurtain() {
    decides_the_same_under_every_name(Preset::Ironcurtain);
}

#[test]
fn attractor() {
    decides_the_same_under_every_name(Preset::Attractor);
}

#[test]
fn attocode() {
    decides_the_same_under_every_name(Preset::Attocode);
}

#[test]
fn tool_loop_detector() {
    decides_the_same_under_every_name(Preset::ToolLoopDetector);
}

/// Presets differ on these streams, so that a hidden use of the name would show.
#[test]
fn presets_decide_differently() {
    let streams = streams();
    for (at, preset) in Preset::ALL.into_iter().enumerate() {
        for other in &Preset::ALL[..at] {
            let differ = streams.iter().any(|(_, events)| {
                decisions(&Settings::of(preset), events) != decisions(&Settings::of(*other), events)
            });
            assert!(differ, "{preset} and {other}");
        }
    }
}
