//! The founding systems.
