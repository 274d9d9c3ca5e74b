//! `unstuck.toml`: from text to checked settings.
