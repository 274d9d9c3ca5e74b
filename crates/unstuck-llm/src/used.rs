//! What an answer says that it used.

use unstuck_json::{Json, JsonRef};
use unstuck_transcript::{Tokens, Used};

use crate::form::Form;

/// What a whole answer, or one event of a stream, says that was used.
pub fn used(form: Form, data: &str) -> Option<Used> {
    // Most events say nothing of it.
    memchr::memmem::find(data.as_bytes(), b"sage")?;
    let json = Json::lossy(data.as_bytes()).ok()?;
    let value = json.view();
    let inner = ["message", "response"];
    let places = inner.iter().filter_map(|name| value.get(name));
    let mut found = places.chain(std::iter::once(value));
    found.find_map(|place: JsonRef<'_>| form.api().answer(place)?.used)
}

/// Adds what another answer used.
pub(crate) fn sum(to: &mut Option<Used>, other: Used) {
    let Some(used) = to else {
        *to = Some(other);
        return;
    };
    used.model = other.model;
    let (a, b) = (used.tokens, other.tokens);
    used.tokens = Tokens {
        input: a.input.saturating_add(b.input),
        output: a.output.saturating_add(b.output),
        cache_read: a.cache_read.saturating_add(b.cache_read),
        cache_write: a.cache_write.saturating_add(b.cache_write),
    };
    used.cost_micros = match (used.cost_micros, other.cost_micros) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        // Where one of both is not priced, neither is the sum.
        _ => None,
    };
}

/// Adds a later account of the same answer: counts in a stream only grow.
pub(crate) fn add(to: &mut Option<Used>, later: Used) {
    let Some(used) = to else {
        *to = Some(later);
        return;
    };
    if used.model.is_empty() {
        used.model = later.model;
    }
    let (a, b) = (used.tokens, later.tokens);
    used.tokens = Tokens {
        input: a.input.max(b.input),
        output: a.output.max(b.output),
        cache_read: a.cache_read.max(b.cache_read),
        cache_write: a.cache_write.max(b.cache_write),
    };
    used.cost_micros = used.cost_micros.max(later.cost_micros);
}
