//! Histories that are sent again with every request: each message is reported once.

use std::collections::HashSet;

use crate::{
    conversation::Conversation,
    message::{Message, Part},
    sink::Sink,
};

/// How many conversations of a file are kept apart at once.
const MAX_THREADS: usize = 64;

/// How many parts of a conversation are remembered as told, beside those of its last request.
const MAX_TOLD: usize = 1 << 16;

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
    /// The marks of all parts that were reported.
    told: HashSet<u64>,
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
            thread
                .told
                .extend(message.parts.iter().filter_map(Part::mark));
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
        let calls: Vec<u64> = messages
            .iter()
            .flat_map(|one| &one.message.parts)
            .filter(|part| matches!(part, Part::Called(_) | Part::Returned { .. }))
            .filter_map(Part::mark)
            .collect();
        self.threads
            .iter()
            .rposition(|thread| calls.iter().any(|mark| thread.told.contains(mark)))
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
            told: HashSet::new(),
        });
    }
}

impl Thread {
    /// Tells what is new in a history.
    fn go_on(&mut self, messages: Vec<Marked>, sink: &mut dyn Sink) {
        let common = common_start(&self.messages, &messages);
        let rewritten = common < self.messages.len();
        let mut summary = Summary::None;
        if rewritten && self.is_compacted(&messages, common) {
            summary = Summary::Expected;
            self.conversation
                .compaction(messages[0].message.number, sink);
        }
        self.messages = messages.iter().map(|one| one.mark).collect();
        if self.told.len() > MAX_TOLD {
            let parts = messages.iter().flat_map(|one| &one.message.parts);
            let current: HashSet<u64> = parts.filter_map(Part::mark).collect();
            self.told.retain(|mark| current.contains(mark));
        }
        for Marked { mut message, .. } in messages.into_iter().skip(common) {
            if rewritten {
                self.keep_new(&mut message, &mut summary);
                if message.parts.is_empty() {
                    continue;
                }
            }
            self.told
                .extend(message.parts.iter().filter_map(Part::mark));
            self.conversation.tell(message.number, message, sink);
        }
    }

    /// Was the beginning of the history replaced, or something taken out of its middle? Otherwise it goes on from an
    /// earlier point in another way.
    fn is_compacted(&self, messages: &[Marked], common: usize) -> bool {
        let rest = messages.iter().skip(common);
        let mut parts = rest.flat_map(|one| &one.message.parts);
        let is_told = |part: &Part| part.mark().is_some_and(|mark| self.told.contains(&mark));
        common == 0 || (messages.len() < self.messages.len() && parts.any(is_told))
    }

    /// Leaves out of a message what was reported before the history was rewritten.
    fn keep_new(&mut self, message: &mut Message, summary: &mut Summary) {
        let told = |part: &Part| part.mark().is_some_and(|mark| self.told.contains(&mark));
        // A model thinks before it speaks: its thoughts were reported with its words.
        if message.parts.iter().any(told) {
            message
                .parts
                .retain(|part| !matches!(part, Part::Thought(_)) && !told(part));
        }
        // The conversation now begins with a summary, not with a person's message.
        if *summary == Summary::Expected
            && let Some(at) = message
                .parts
                .iter()
                .position(|part| matches!(part, Part::Asked(_)))
        {
            let part = message.parts.remove(at);
            self.told.extend(part.mark());
            *summary = Summary::None;
        }
    }
}

/// Whether what comes next in a compacted history is the summary of what was taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summary {
    Expected,
    None,
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
