//! Any line is an event or an error, and an event is answered by every preset.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::{Engine, EventReader, Preset, Settings};

fuzz_target!(|bytes: &[u8]| {
    let mut reader = EventReader::default();
    let mut engines = Preset::ALL.map(|preset| Engine::new(Settings::of(preset)));
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(event) = reader.read(line) else {
            continue;
        };
        // Reading again gives the same: nothing is left behind in the reader's buffers.
        assert_eq!(reader.read(line).as_ref(), Ok(&event));
        for engine in &mut engines {
            let decision = engine.observe(event.clone());
            let text = serde_json::to_string(&decision).unwrap();
            assert!(text.starts_with("{\"line\":"));
        }
    }
});
