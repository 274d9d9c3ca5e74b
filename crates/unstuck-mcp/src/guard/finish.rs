//! What becomes of a call's result: the rules see it, the audit records it, and a text for the model may be added to it.

use unstuck::{
    Decision, Json, Status, Verdict,
    fingerprint::{Domain, Fingerprint},
};

use super::record::push_number;
use super::{
    Guard, MOST_REMEMBERED, Micros, Remembered, ToClient, Unchanged, answer,
    outcome::{self, Read},
    pending::Calling,
    record::{Ending, push_start, push_word},
    rounds::Round,
    tools::Output,
};
use crate::{
    codec::Body,
    splice::{self, Structured},
};

impl Guard {
    pub(super) fn finish(
        &mut self,
        mut calling: Calling,
        body: Body,
        line: &[u8],
        at: Micros,
    ) -> ToClient {
        let (mut read, output) = Read::of(body);
        match read.ending {
            Ending::InputRequired => {
                self.rounds.open(Round {
                    call: calling.round_key(),
                    state: read.state.clone(),
                    event_id: calling.event_id.clone(),
                    count: calling.round + 1,
                });
                self.end_line(&calling, read.ending, Some(&read), at);
                return ToClient::Forward;
            }
            Ending::Pending => {
                self.observe_end(&mut calling, Status::Pending, None, at);
                self.end_line(&calling, read.ending, Some(&read), at);
                return ToClient::Forward;
            }
            _ => {}
        }
        let status = match read.ending {
            Ending::Ok => Status::Ok,
            _ => Status::Error,
        };
        let mark = self
            .fingerprinter
            .canonical(Domain::Outcome, output.as_str().as_bytes());
        read.recorded = Some((output.as_str().len(), mark));
        let output = (output, Some(mark));
        let decision = self.observe_end(&mut calling, status, Some(output), at);
        calling.judged.add(&decision);
        let said = match decision.verdict {
            Verdict::Allow => None,
            Verdict::Halt => answer::words(&calling, &decision).map(|text| answer::halted(&text)),
            Verdict::Nudge | Verdict::Deny => answer::words(&calling, &decision),
        };
        if decision.verdict == Verdict::Halt {
            self.hold(&calling, at);
        }
        self.end_line(&calling, read.ending, Some(&read), at);
        let short = self.say_short(&calling, &read, mark, line);
        let words = [calling.nudge.take(), said, self.take_owed(&calling)];
        let words: Vec<_> = words.into_iter().flatten().collect();
        if words.is_empty() {
            return short.map_or(ToClient::Forward, ToClient::Replace);
        }
        self.say(&calling, &read, short, line, &words.join("\n"))
    }

    /// Puts words where the model will see them.
    fn say(
        &mut self,
        calling: &Calling,
        read: &Read,
        short: Option<Vec<u8>>,
        line: &[u8],
        words: &str,
    ) -> ToClient {
        let output = self.tools.get(&calling.tool).output;
        let (structured, seen) = match (read.structured, output) {
            (outcome::Structured::Present, Output::Promised) => (Structured::Keep, Seen::Perhaps),
            (outcome::Structured::Present, Output::Free) => (Structured::AsText, Seen::Surely),
            (outcome::Structured::Absent, _) => (Structured::Keep, Seen::Surely),
        };
        let base = short.as_deref().unwrap_or(line);
        let replaced = splice::add_text(base, words, structured);
        // The next result of a shared caller may be another client's.
        let is_private = calling.ring.is_private();
        if is_private && (seen == Seen::Perhaps || replaced.is_none()) {
            // Some clients show nothing but what was promised, so it is said again as soon as it can be seen.
            if self.owed.len() >= MOST_REMEMBERED {
                self.owed.remove(0);
            }
            self.owed.push((
                calling.session.clone(),
                calling.agent.clone(),
                words.to_owned(),
            ));
        }
        match replaced.or(short) {
            Some(message) => ToClient::Replace(message),
            None => ToClient::Forward,
        }
    }

    fn say_short(
        &mut self,
        calling: &Calling,
        read: &Read,
        mark: Fingerprint,
        line: &[u8],
    ) -> Option<Vec<u8>> {
        let tool = self.tools.get(&calling.tool);
        let may = self.options.unchanged == Unchanged::SayShort
            && tool.read_only == Some(true)
            // Another client may not have seen the result that the text refers to.
            && calling.ring.is_private()
            && read.structured == outcome::Structured::Absent
            && read.ending == Ending::Ok;
        if !may {
            return None;
        }
        let same = |known: &Remembered| {
            known.call == calling.fingerprint
                && known.session == calling.session
                && known.agent == calling.agent
        };
        if let Some(known) = self.results.iter().find(|known| same(known))
            && known.result == mark
        {
            let short = splice::replace_text(line, &answer::unchanged(known.number))?;
            return (short.len() < line.len()).then_some(short);
        }
        self.results.retain(|known| !same(known));
        if self.results.len() >= MOST_REMEMBERED {
            self.results.remove(0);
        }
        self.results.push(Remembered {
            session: calling.session.clone(),
            agent: calling.agent.clone(),
            call: calling.fingerprint,
            result: mark,
            number: calling.number,
        });
        None
    }

    pub(super) fn take_owed(&mut self, calling: &Calling) -> Option<String> {
        let mine = |(session, agent, _): &(Box<str>, Box<str>, String)| {
            *session == calling.session && *agent == calling.agent
        };
        let found = self.owed.iter().position(mine)?;
        Some(self.owed.remove(found).2)
    }

    pub(super) fn observe_end(
        &mut self,
        calling: &mut Calling,
        status: Status,
        output: Option<(Json, Option<Fingerprint>)>,
        at: Micros,
    ) -> Decision {
        let (output, fingerprint) = output.unzip();
        let output = (output, fingerprint.flatten());
        self.timeline.end(calling, status, output, at)
    }

    pub(super) fn end_line(
        &mut self,
        calling: &Calling,
        ending: Ending,
        read: Option<&Read>,
        at: Micros,
    ) {
        self.journal.push(|out| {
            push_start(at, "call", out);
            out.push_str(&calling.about);
            calling.judged.write(out);
            push_word("outcome", ending.as_str(), out);
            out.push_str(",\"duration_us\":");
            push_number(at.0.saturating_sub(calling.began.0).max(0), out);
            if let Some((bytes, mark)) = read.and_then(|read| read.recorded) {
                out.push_str(",\"result\":{\"bytes\":");
                push_number(bytes, out);
                out.push_str(",\"fingerprint\":\"");
                mark.push_to(out);
                out.push_str("\"}");
            }
        });
    }
}

/// Whether a model sees what is added to a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Surely,
    Perhaps,
}
