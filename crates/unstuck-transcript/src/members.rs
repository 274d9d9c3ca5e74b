//! Members of an object, read in one pass over its bytes.

use std::borrow::Cow;

use unstuck::JsonError;
use unstuck_json::{JsonKind, Scanner};

/// Walks the members of an object; any other value is skipped.
pub(crate) fn for_members<'a>(
    scanner: &mut Scanner<'a, '_>,
    mut member: impl FnMut(&str, &mut Scanner<'a, '_>) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    if scanner.peek_kind()? != JsonKind::Object {
        return scanner.skip_value();
    }
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        member(&key, scanner)?;
    }
    Ok(())
}

/// A string; any other value is none.
pub(crate) fn word<'a>(scanner: &mut Scanner<'a, '_>) -> Result<Option<Cow<'a, str>>, JsonError> {
    if scanner.peek_kind()? == JsonKind::String {
        return scanner.string().map(Some);
    }
    scanner.skip_value()?;
    Ok(None)
}

/// Whether the value is `true`.
pub(crate) fn is_true(scanner: &mut Scanner<'_, '_>) -> Result<bool, JsonError> {
    Ok(scanner.raw()? == "true")
}
