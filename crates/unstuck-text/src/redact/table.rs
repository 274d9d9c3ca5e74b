//! How tables of shapes are written: one line each, with an example that holds a secret and one that holds none.

/// Declares `TABLE`, and for tests `EXAMPLES`: what the shape is, a text with the secret between `«` and `»`, and a text
/// that stays as it is. Holes such as `{A36}` are filled by the test.
macro_rules! table {
    ($type:ty; $($shape:expr, $what:literal, $secret:literal, $plain:literal;)*) => {
        pub(super) const TABLE: &[$type] = &[$($shape),*];

        #[cfg(test)]
        pub(super) const EXAMPLES: &[(&str, &str, &str)] = &[$(($what, $secret, $plain)),*];
    };
}
pub(super) use table;
