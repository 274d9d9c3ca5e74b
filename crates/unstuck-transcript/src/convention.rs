//! What conventions for telemetry share: records are read one by one, and told as one story.

use crate::{
    elements::Raw,
    sink::Sink,
    spans::{Attributes, Record, records},
    telemetry::{Source, Telemetry},
    transcript::Origin,
    values::{Either, Place, Values},
};

/// One convention: what its records mean.
pub(crate) trait Convention: Sized {
    /// One span or log record.
    fn record(told: &mut Told<Self>, record: &Record<'_>, sink: &mut dyn Sink);
}

/// What the records of one convention have told so far.
pub(crate) struct Told<C> {
    pub(crate) telemetry: Telemetry,
    /// Records so far.
    pub(crate) records: u64,
    /// The session of records that name none.
    session: Box<str>,
    _convention: C,
}

pub(crate) fn reader<C: Convention>(convention: C, origin: &Origin) -> Either<Told<C>> {
    Either::new(Told {
        telemetry: Telemetry::default(),
        records: 0,
        session: origin.session.clone(),
        _convention: convention,
    })
}

impl<C> Told<C> {
    /// Who wrote a record, by the first of these attributes that it has.
    pub(crate) fn source(&self, record: &Record<'_>, sessions: &[&str], agents: &[&str]) -> Source {
        let attributes = &record.attributes;
        Source {
            session: session_of(attributes, sessions, record, &self.session),
            agent: attributes.named(agents),
            line: record.line,
            size: attributes
                .iter()
                .map(|(name, value)| name.len() + value.as_str().len())
                .sum(),
        }
    }
}

impl<C: Convention> Values for Told<C> {
    fn value(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink) {
        records(place, value, sink, |record, sink| {
            self.records += 1;
            C::record(self, record, sink);
        });
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.telemetry.end(sink);
    }
}

/// The session that a record names, its trace, or the file's.
fn session_of(
    attributes: &Attributes<'_>,
    names: &[&str],
    record: &Record<'_>,
    file: &str,
) -> Box<str> {
    let named = attributes.named(names);
    if !named.is_empty() {
        named
    } else if !record.trace.is_empty() {
        record.trace.clone()
    } else {
        file.into()
    }
}
