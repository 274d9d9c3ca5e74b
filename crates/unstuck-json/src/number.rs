//! Numbers: their grammar and their canonical spelling.

use super::JsonError;

/// A number as it is spelled.
#[derive(Clone, Copy)]
pub(crate) struct Number<'a> {
    pub(crate) text: &'a str,
    shape: Shape,
}

#[derive(Clone, Copy)]
enum Shape {
    /// Digits only, perhaps after a minus.
    Integer,
    /// With a fraction, without an exponent.
    Decimal,
    /// With an exponent.
    Scientific,
}

impl<'a> Number<'a> {
    /// Reads the number that starts at `at`.
    #[inline]
    pub(crate) fn scan(text: &'a str, at: usize) -> Result<Self, JsonError> {
        let bytes = text.as_bytes();
        let mut end = at + usize::from(bytes.get(at) == Some(&b'-'));
        end = if bytes.get(end) == Some(&b'0') {
            end + 1
        } else {
            digits(bytes, end)?
        };
        let mut shape = Shape::Integer;
        if bytes.get(end) == Some(&b'.') {
            shape = Shape::Decimal;
            end = digits(bytes, end + 1)?;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            shape = Shape::Scientific;
            let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
            end = digits(bytes, end + 1 + usize::from(sign))?;
        }
        Ok(Self {
            text: &text[at..end],
            shape,
        })
    }

    /// Appends the canonical spelling; `false` if no double can hold the number.
    #[inline]
    pub(crate) fn write(self, out: &mut String) -> bool {
        match self.shape {
            Shape::Integer if self.is_machine_integer() => {
                out.push_str(if self.text == "-0" { "0" } else { self.text });
                true
            }
            Shape::Decimal if self.is_canonical_decimal() => {
                out.push_str(self.text);
                true
            }
            _ => self.write_double(out),
        }
    }

    /// Whether the integer fits an `i64` or a `u64`.
    #[inline]
    fn is_machine_integer(self) -> bool {
        // 18 digits always fit, 21 characters never do.
        self.text.len() <= 18
            || self.text.len() <= 20
                && (self.text.parse::<i64>().is_ok() || self.text.parse::<u64>().is_ok())
    }

    /// Whether a decimal such as `120.5` is already spelled as ECMAScript would.
    ///
    /// Decimals of up to 15 digits have a double each, so the shortest spelling of that double is
    /// the decimal itself, provided that no zero trails and that it is not so small that
    /// ECMAScript prefers an exponent. This saves most fractions two conversions.
    #[inline]
    fn is_canonical_decimal(self) -> bool {
        let unsigned = self.text.strip_prefix('-').unwrap_or(self.text);
        unsigned.len() <= 16 && !unsigned.ends_with('0') && !unsigned.starts_with("0.00000")
    }

    #[cold]
    fn write_double(self, out: &mut String) -> bool {
        match self.text.parse::<f64>() {
            Ok(double) if double.is_finite() => {
                out.push_str(ryu_js::Buffer::new().format_finite(double));
                true
            }
            _ => false,
        }
    }
}

/// The end of the digits at `at`, at least one.
#[inline]
fn digits(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let mut end = at;
    while let Some(b'0'..=b'9') = bytes.get(end) {
        end += 1;
    }
    if end > at {
        return Ok(end);
    }
    Err(if at < bytes.len() {
        JsonError::Expected {
            expected: "a digit",
            at,
        }
    } else {
        JsonError::End { at: bytes.len() }
    })
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
