//! From recordings to numbers, and the command that prints them. All recordings here are made up.

#![expect(clippy::unwrap_used, reason = "what may fail here fails the test")]

#[path = "eval/command.rs"]
mod command;
#[path = "eval/contribution.rs"]
mod contribution;
#[path = "eval/events.rs"]
mod events;
#[path = "eval/page.rs"]
mod page;
#[path = "eval/review.rs"]
mod review;
#[path = "eval/scoring.rs"]
mod scoring;
#[path = "eval/support.rs"]
mod support;
#[path = "eval/worth.rs"]
mod worth;
