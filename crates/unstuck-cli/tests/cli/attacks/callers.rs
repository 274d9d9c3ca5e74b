//! Names that a caller chooses do not widen what it may do.
