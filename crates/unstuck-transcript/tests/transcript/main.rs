//! Whole transcripts, from bytes to events.

mod detection;
mod golden;
mod lenient;
mod told;
