//! Which conversation a request belongs to.

use std::{
    hash::Hasher as _,
    sync::{Arc, Mutex},
};

use siphasher::sip::SipHasher13;
use unstuck_llm::{Names, Request};
use unstuck_session::clock;

use super::{Entry, Guard, Key, Talk, Tally, lock};

impl Guard {
    /// Tells the owners of credentials apart, by a hash that means nothing outside of this process.
    pub(super) fn owner(&self, credentials: &[u8]) -> u64 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(credentials);
        hasher.finish()
    }

    /// The conversation that a request belongs to.
    pub(super) fn find(
        &self,
        names: Names,
        request: &Request<'_>,
        body: &[u8],
        owner: u64,
    ) -> Arc<Mutex<Talk>> {
        let mut book = lock(&self.book);
        if let Some(previous) = request.previous()
            && let Some((_, talk)) = book.answers.iter().rfind(|(id, _)| **id == *previous)
            && lock(talk).owner == owner
        {
            return Arc::clone(talk);
        }
        let is_named = names.are_given(request);
        let names = names.complete(request);
        let key = Key {
            form: request.form(),
            owner,
            session: names.session.unwrap_or_default().into(),
            agent: names.agent.unwrap_or_else(|| "main".to_owned()).into(),
            has_tools: memchr::memmem::find(body, b"\"tools\"").is_some(),
        };
        let alike = book
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.key == key);
        let found = if is_named {
            alike.map(|(at, _)| at).next_back()
        } else {
            alike
                .filter_map(|(at, entry)| Some((goes_on(&entry.talk, request)?, at)))
                .max()
                .map(|(_, at)| at)
        };
        if let Some(entry) = found.and_then(|at| book.entries.remove(at)) {
            let talk = Arc::clone(&entry.talk);
            book.entries.push_back(entry);
            return talk;
        }
        if book.entries.len() >= self.options.conversations {
            book.entries.pop_front();
        }
        let now = clock::now();
        let talk = Arc::new(Mutex::new(Talk {
            conversation: self.conversation(&self.settings(), &key.session, &key.agent),
            tally: Tally::default(),
            session: key.session.clone(),
            agent: key.agent.clone(),
            is_named,
            owner,
            model: Box::default(),
            first: now,
            last: now,
            answered: 0,
            has_escalated: false,
        }));
        book.entries.push_back(Entry {
            key,
            talk: Arc::clone(&talk),
        });
        talk
    }
}

/// How many elements a request shares with a conversation that it goes on with. One that begins with the same words, and says
/// nothing else, begins a conversation of its own.
fn goes_on(talk: &Mutex<Talk>, request: &Request<'_>) -> Option<usize> {
    let alike = lock(talk).conversation.compare(request).ok()?;
    let begins = alike.elements <= 1 && alike.known > alike.elements;
    (alike.common > 0 && !begins).then_some(alike.common)
}
