//! Compares our numbers with those that the reference scorers wrote.

use serde_json::Value;

/// Numbers may differ by so much, relative to the larger: sums are taken in another order.
const TOLERANCE: f64 = 1e-9;

/// Numbers that are measured differently.
const MEASURED: &str = "events per second";

/// Compares the reference's numbers with ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Values that were compared.
    pub compared: usize,
    /// Values that differ: where, the reference's, ours.
    pub differences: Vec<(String, String, String)>,
}

impl Agreement {
    /// Compares everything that the reference holds. What only we have is not looked at.
    pub fn between(reference: &Value, ours: &Value) -> Self {
        let mut agreement = Self::default();
        agreement.compare("", reference, ours);
        agreement
    }

    fn compare(&mut self, place: &str, reference: &Value, ours: &Value) {
        match (reference, ours) {
            (Value::Object(members), _) => {
                for (name, value) in members {
                    if name != MEASURED {
                        let other = ours.get(name).unwrap_or(&Value::Null);
                        self.compare(&format!("{place}/{name}"), value, other);
                    }
                }
            }
            (Value::Array(items), Value::Array(others)) => {
                for (at, item) in items.iter().enumerate() {
                    let other = others.get(at).unwrap_or(&Value::Null);
                    self.compare(&format!("{place}/{at}"), item, other);
                }
            }
            _ => {
                self.compared += 1;
                if !is_equal(reference, ours) {
                    let difference = (place.to_owned(), reference.to_string(), ours.to_string());
                    self.differences.push(difference);
                }
            }
        }
    }
}

fn is_equal(reference: &Value, ours: &Value) -> bool {
    match (reference.as_f64(), ours.as_f64()) {
        (Some(one), Some(other)) => {
            (one - other).abs() <= TOLERANCE * one.abs().max(other.abs()).max(1.0)
        }
        _ => reference == ours,
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
