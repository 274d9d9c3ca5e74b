//! Secrets in files, and foreign text on terminals and in model context.
