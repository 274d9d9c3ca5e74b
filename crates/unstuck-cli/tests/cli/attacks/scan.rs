//! A scan leaves no trace and stays in its tree.
