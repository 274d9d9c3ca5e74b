//! The vectors under `conformance/`: events with what is expected of the decisions.
//!
//! [`Vectors`] reads a file, [`preset`] and [`reported`] compare decisions with what a case expects. Who makes the
//! decisions is left to the caller: the engine as a library, or a program on standard streams.

mod judge;
mod vectors;

pub use judge::{preset, reported};
pub use vectors::{
    Bounds, CanonicalRow, Case, Event, Form, Unit, Vectors, Verdict, quoted, start_of,
};
