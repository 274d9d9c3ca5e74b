//! Policies and the types of arguments.
