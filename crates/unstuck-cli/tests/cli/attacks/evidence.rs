//! Evidence that the guarded agent or a tool cannot switch off.
