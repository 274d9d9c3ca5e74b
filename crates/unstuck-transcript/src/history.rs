//! Histories that are sent again with every request: each message is reported once.

use crate::{
    conversation::Conversation,
    message::{Message, Part},
    reported::{Reported, Rewritten, Summary},
    sink::Sink,
};

/// How many conversations of a file are kept apart at once.
const MAX_THREADS: usize = 64;

/// How many parts of a conversation are remembered as reported, beside those of its last request.
const MOST_REPORTED: usize = 1 << 16;

/// The conversations of a file of requests and answers.
pub(crate) struct Histories {
    session: Box<str>,
    /// The one used last stands last.
    threads: Vec<Thread>,
    begun: usize,
}

/// One conversation.
struct Thread {
    /// The session that its requests name.
    key: Option<Box<str>>,
    conversation: Conversation,
    /// The marks of the messages it has so far.
    messages: Vec<u64>,
    /// All parts that were reported.
    reported: Reported,
}

/// A message, and what it is known by.
struct Marked {
    mark: u64,
    message: Message,
}

impl Histories {
    pub(crate) fn new(session: &str) -> Self {
        Self {
            session: session.into(),
            threads: Vec::new(),
            begun: 0,
        }
    }

    /// A request with its history, under the session it names.
    pub(crate) fn request(
        &mut self,
        key: Option<&str>,
        messages: Vec<Message>,
        sink: &mut dyn Sink,
    ) {
        let messages: Vec<Marked> = messages
            .into_iter()
            .filter(|message| !message.is_empty())
            .map(|message| Marked {
                mark: mark(&message),
                message,
            })
            .collect();
        if messages.is_empty() {
            return;
        }
        let thread = self.thread(key, &messages, sink);
        thread.go_on(messages, sink);
    }

    /// The answer that stands beside the last request of a conversation. Some logs have it in the history already; then
    /// only what it used is new.
    pub(crate) fn answer(&mut self, key: Option<&str>, mut message: Message, sink: &mut dyn Sink) {
        let known = key.and_then(|key| self.by_key(key));
        let at = known.or(self.threads.len().checked_sub(1));
        let thread = at.and_then(|at| self.threads.get_mut(at));
        let last = thread.filter(|thread| thread.messages.last() == Some(&mark(&message)));
        match last {
            Some(thread) => {
                if let Some(used) = message.used.take() {
                    thread.conversation.pay(used, sink);
                }
            }
            None => self.append(key, message, sink),
        }
    }

    /// A message that goes on with a conversation.
    pub(crate) fn append(&mut self, key: Option<&str>, message: Message, sink: &mut dyn Sink) {
        if message.is_empty() {
            return;
        }
        let known = key.and_then(|key| self.by_key(key));
        match known.or(self.threads.len().checked_sub(1)) {
            Some(at) => self.use_again(at),
            None => self.begin(key, sink),
        }
        if let Some(thread) = self.threads.last_mut() {
            thread.messages.push(mark(&message));
            thread.reported.add(&message.parts);
            thread.conversation.tell(message.number, message, sink);
        }
    }

    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        for thread in &mut self.threads {
            thread.conversation.end(sink);
        }
    }

    /// The conversation that goes on with these messages.
    fn thread(
        &mut self,
        key: Option<&str>,
        messages: &[Marked],
        sink: &mut dyn Sink,
    ) -> &mut Thread {
        let known = match key {
            Some(key) => self.by_key(key),
            None => self.by_messages(messages),
        };
        match known {
            Some(at) => self.use_again(at),
            None => self.begin(key, sink),
        }
        let last = self.threads.len() - 1;
        &mut self.threads[last]
    }

    fn by_key(&self, key: &str) -> Option<usize> {
        self.threads
            .iter()
            .position(|thread| thread.key.as_deref() == Some(key))
    }

    fn by_messages(&self, messages: &[Marked]) -> Option<usize> {
        // A request of prompts alone begins a conversation, even if another one began with the same words.
        let begins = messages.iter().all(|one| {
            one.message
                .parts
                .iter()
                .all(|part| matches!(part, Part::Asked(_)))
        });
        let common = |thread: &Thread| {
            let common = common_start(&thread.messages, messages);
            if begins && common < thread.messages.len() {
                0
            } else {
                common
            }
        };
        let threads = self.threads.iter().enumerate();
        let (common, at) = threads.map(|(at, thread)| (common(thread), at)).max()?;
        if common > 0 {
            return Some(at);
        }
        // After its beginning was cut away, a conversation is still known by its calls.
        let calls: Vec<&Part> = messages
            .iter()
            .flat_map(|one| &one.message.parts)
            .filter(|part| matches!(part, Part::Called(_) | Part::Returned { .. }))
            .collect();
        self.threads
            .iter()
            .rposition(|thread| calls.iter().any(|part| thread.reported.has(part)))
    }

    fn use_again(&mut self, at: usize) {
        let thread = self.threads.remove(at);
        self.threads.push(thread);
    }

    fn begin(&mut self, key: Option<&str>, sink: &mut dyn Sink) {
        if self.threads.len() == MAX_THREADS {
            self.threads.remove(0).conversation.end(sink);
        }
        self.begun += 1;
        let session: Box<str> = match (key, self.begun) {
            (Some(key), _) => key.into(),
            (None, 1) => self.session.clone(),
            (None, number) => format!("{}#{number}", self.session).into(),
        };
        self.threads.push(Thread {
            key: key.map(Into::into),
            conversation: Conversation::new(&session, ""),
            messages: Vec::new(),
            reported: Reported::new(Part::mark, MOST_REPORTED),
        });
    }
}

impl Thread {
    /// Reports what is new in a history.
    fn go_on(&mut self, messages: Vec<Marked>, sink: &mut dyn Sink) {
        let common = common_start(&self.messages, &messages);
        let rewritten = common < self.messages.len();
        let mut summary = Summary::None;
        let history = Rewritten {
            common,
            before: self.messages.len(),
            now: messages.len(),
        };
        let rest = messages.iter().skip(common);
        let rest = rest.flat_map(|one| &one.message.parts);
        if rewritten && self.reported.is_compacted(history, rest) {
            summary = Summary::Expected;
            self.conversation
                .compaction(messages[0].message.number, sink);
        }
        self.messages = messages.iter().map(|one| one.mark).collect();
        self.reported
            .bound(messages.iter().flat_map(|one| &one.message.parts));
        for Marked { mut message, .. } in messages.into_iter().skip(common) {
            if rewritten {
                self.reported.keep_new(&mut message, &mut summary);
                if message.parts.is_empty() {
                    continue;
                }
            }
            self.reported.add(&message.parts);
            self.conversation.tell(message.number, message, sink);
        }
    }
}

fn common_start(before: &[u64], messages: &[Marked]) -> usize {
    before
        .iter()
        .zip(messages)
        .take_while(|(mark, one)| **mark == one.mark)
        .count()
}

/// Tells the messages of a conversation apart.
fn mark(message: &Message) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    message.speaker.hash(&mut hasher);
    for mark in message.parts.iter().filter_map(Part::mark) {
        mark.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
