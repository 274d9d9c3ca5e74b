//! Loads settings from two texts, and shows a mistake in one.
//!
//! ```text
//! cargo run -p unstuck-config --example layers
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck_config::{Layer, load};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let user = "preset = \"standard\"\n[rules.exact-repeat]\nnudge = 4\n";
    let project = "[[tools]]\ntool = \"sleep\"\nexempt = true\n";
    let loaded = load(
        &[
            Layer::new("user.toml", user),
            Layer::new("project.toml", project),
        ],
        None,
    )?;
    assert_eq!(loaded.settings.rules.exact_repeat.nudge.count(), Some(4));
    assert_eq!(loaded.settings.tools.len(), 1);

    let wrong = Layer::new("unstuck.toml", "[rules.exact-repeat]\nnudg = 4\n");
    let errors = load(&[wrong], None).err().ok_or("a mistake is an error")?;
    println!("{errors}");
    assert!(errors.to_string().contains("unstuck.toml:2:1"));
    Ok(())
}
