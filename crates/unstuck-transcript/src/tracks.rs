//! The agents of one transcript.

use crate::{sink::Sink, track::Track};

/// More agents than this are not told apart at once: the one that began first is taken for finished.
const MOST: usize = 256;

/// The agents of one transcript, by session and name.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    tracks: Vec<Track>,
    /// The one asked for last, because lines of one agent come in a row.
    last: usize,
}

impl Tracks {
    /// The agent of that name, new where it was not seen before.
    pub(crate) fn of(&mut self, session: &str, agent: &str, sink: &mut dyn Sink) -> &mut Track {
        let is_it = |track: &Track| *track.agent == *agent && *track.session == *session;
        if !self.tracks.get(self.last).is_some_and(is_it) {
            self.last = match self.tracks.iter().position(is_it) {
                Some(place) => place,
                None => self.begin(session, agent, sink),
            };
        }
        &mut self.tracks[self.last]
    }

    /// Nothing more comes.
    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        for track in &mut self.tracks {
            track.close(sink);
        }
    }

    fn begin(&mut self, session: &str, agent: &str, sink: &mut dyn Sink) -> usize {
        if self.tracks.len() >= MOST {
            self.tracks.remove(0).close(sink);
        }
        self.tracks.push(Track::new(session, agent));
        self.tracks.len() - 1
    }
}
