//! Databases, where the program is built without the feature `sqlite`: none is read.

use std::collections::BTreeMap;

use unstuck_transcript::Sink;

use super::{
    content::Content,
    find::Source,
    input::Meter,
    read::{Ending, Wanted},
};

/// Reports the file as a database that is not read.
pub(super) fn read(_: &Source, _: Wanted<'_>, _: &Meter, _: &mut dyn Sink) -> Ending {
    Ending::Unknown(Content::Database)
}

/// The directory that each session works in is not known.
pub(super) fn directories(_: &Source) -> Option<BTreeMap<String, String>> {
    None
}
