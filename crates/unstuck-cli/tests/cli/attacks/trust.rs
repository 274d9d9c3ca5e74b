//! One trust boundary for settings, hooks and commands.
