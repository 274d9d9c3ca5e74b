//! What is recorded stays recorded.
