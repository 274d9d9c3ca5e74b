//! What several tests and benches share.

#![allow(
    dead_code,
    reason = "every test binary compiles this and uses its own part"
)]

pub(crate) mod planted;
pub(crate) mod stream;
