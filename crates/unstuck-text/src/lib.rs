//! Text from outside, made safe to print, to store and to quote.
//!
//! [`Shown`] prints text that a tool, a model or a file wrote, so that a terminal displays it and obeys nothing in it.
//! [`quiet_json`] does the same for finished JSON, without a change of its meaning. [`redact`] takes secrets out of text before it is stored or quoted. All are pure and take time linear in the text.

#![forbid(unsafe_code)]

mod boundary;
mod excerpt;
mod json;
mod notify;
mod redact;
mod shown;

pub use boundary::{ceil_char_boundary, floor_char_boundary};
pub use excerpt::{cut, readable, shorten};
pub use json::quiet_json;
pub use notify::{Notice, Notify, with_causes};
pub use redact::{
    Arguments, JsonRedactor, REDACTED, find_secrets, names_a_secret, names_own_secret,
    names_secret_value, redact, redact_excerpt, redact_json,
};
pub use shown::{Shown, acts_unseen, visible};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
