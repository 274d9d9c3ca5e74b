//! Any text is a configuration or a list of errors with their places.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_config::{Layer, load};

fuzz_target!(|text: &str| {
    let layers = [Layer::new("unstuck.toml", text)];
    match load(&layers, None) {
        Ok(loaded) => {
            // TOML has no integers above the range of i64; anything else is read back as it was written.
            let Ok(written) = unstuck_config::to_toml(&loaded.settings) else {
                return;
            };
            let again = load(&[Layer::new("again.toml", written)], None);
            assert_eq!(again.map(|again| again.settings).ok(), Some(loaded.settings));
        }
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
});
