//! "Did you mean …?"

/// The known name that a misspelt one was probably meant to be.
///
/// ```
/// use unstuck_config::nearest;
///
/// assert_eq!(nearest("exact_repeet", ["cycle", "exact-repeat"]), Some("exact-repeat"));
/// assert_eq!(nearest("something else", ["cycle", "exact-repeat"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = plain(name);
    // One slip in three characters, so that short names are not taken for each other.
    let slips = (name.len() / 3).max(1);
    known
        .into_iter()
        .map(|known| (distance(&name, &plain(known)), known))
        .filter(|(distance, _)| *distance <= slips)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Normalises a name: case and the kind of dash are ignored.
fn plain(name: &str) -> Vec<char> {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower
        .map(|c| if c == '_' || c == ' ' { '-' } else { c })
        .take(64)
        .collect()
}

/// Characters to insert, remove, replace or swap with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
