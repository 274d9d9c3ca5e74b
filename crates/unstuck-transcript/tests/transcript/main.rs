//! Whole transcripts, from bytes to events.

#![allow(clippy::unwrap_used, reason = "what may fail here fails the test")]

mod detection;
mod golden;
mod lenient;
mod lines;
mod told;
