//! Bounded time and memory, before and after authentication.
