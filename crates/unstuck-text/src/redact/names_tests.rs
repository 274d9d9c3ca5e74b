use proptest::prelude::*;

use super::*;

/// The strength of a name, by a search for every name at every letter.
fn plain_strength(name: &str) -> Option<Strength> {
    if name.len() > LONGEST || name.len() < 2 {
        return None;
    }
    let letters = Letters::of(name.as_bytes());
    let mut best = None;
    for start in 0..letters.length {
        for Named(known, stands, strength) in TABLE {
            let end = start + known.len();
            let fits = letters.bytes[start..letters.length].starts_with(known.as_bytes())
                && (*stands == Joined || letters.is_start(start))
                && letters.is_start(end);
            if fits {
                let strength = if letters.leaves(end) { *strength } else { Weak };
                best = best.max(Some(strength));
            }
        }
    }
    best
}

#[test]
fn names_are_found_by_their_ends() {
    for Named(name, ..) in TABLE {
        for before in ["", "a", "db", "db_", "-", "é", "X", "7"] {
            for after in ["", "s", "_", "_id", "Key", "_hash_1", "9", "x_y"] {
                for name in [(*name).to_owned(), name.to_uppercase()] {
                    let name = format!("{before}{name}{after}");
                    assert_eq!(strength(&name), plain_strength(&name), "{name}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_name_is_found_by_its_end(
        name in "((?i)password|secret|key|token|auth|pw|pin|sid|api|access|pass|id|hash|dsn|[A-Za-z]{1,3}|[_./%~+-]|[0-9]|é){0,9}"
    ) {
        prop_assert_eq!(strength(&name), plain_strength(&name));
    }
}
