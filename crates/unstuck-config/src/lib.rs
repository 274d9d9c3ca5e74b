//! `unstuck.toml`: from text to checked settings.
//!
//! ```text
//!  user file ┐
//!  project   ┼─> Layers ─> checked against the schema ─> merged on a preset ─> Settings, warnings
//!  --config  ┘             (errors with file, line, column, suggestion)
//! ```
//!
//! This crate is pure: it reads no files. A [`Layer`] is the text of one file. [`load`] applies layers on top of a
//! preset, in order; later layers win. Mistakes are returned as [`Errors`]: all mistakes of all layers, each with its
//! place and, where there is one, a suggestion.
//!
//! ```
//! use unstuck_config::{Layer, load};
//!
//! let layer = Layer::new("unstuck.toml", "[rules.exact-repeat]\nnudge = 4\n");
//! let loaded = load(&[layer], None)?;
//! assert_eq!(loaded.settings.rules.exact_repeat.nudge, unstuck::settings::Rung::at(4));
//!
//! let layer = Layer::new("unstuck.toml", "[rules.exact-repeat]\nnudg = 4\n");
//! let errors = load(&[layer], None).unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "\
//! error: unknown key `nudg` in `rules.exact-repeat`
//!  --> unstuck.toml:2:1
//!   |
//! 2 | nudg = 4
//!   | ^^^^
//!   = help: did you mean `nudge`?"
//! );
//! # Ok::<(), unstuck_config::Errors>(())
//! ```

#![forbid(unsafe_code)]

mod check;
mod diagnostic;
mod fail;
mod layer;
mod load;
mod nearest;
mod notify;
mod pattern;
mod prices;
mod quick;
mod reference;
mod schema;
mod shape;
mod spending;
mod write;

pub use diagnostic::{Diagnostic, Errors, Place, Severity};
pub use fail::{Fail, UnknownFail};
pub use layer::Layer;
pub use load::{Loaded, load};
pub use nearest::nearest;
pub use notify::NotifySettings;
pub use pattern::foreign_pattern;
pub use prices::{Price, Prices};
pub use reference::{reference, rule_reference};
pub use schema::schema;
pub use spending::SpendingSettings;
pub use write::{
    WriteError, notify_to_toml, prices_to_toml, rule_to_toml, spending_to_toml, to_toml,
    tools_to_toml,
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
