//! What an agent told other agents.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{
    fingerprint::Mark,
    identity::{Ending, Message, Sight},
};

/// Messages that are remembered.
const REMEMBERED: usize = 6;

/// The last messages of an agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Told {
    messages: Vec<Sent>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sent {
    message: Message,
    round: u32,
    epoch: u32,
    /// How often it was said, this one included, in other words or the same.
    times: u32,
    from: Line,
}

/// A request that was made before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) times: u32,
    pub(crate) from: Line,
    /// Equal for the same recipient.
    pub(crate) key: Mark,
}

impl Told {
    /// A message that was sent. Whoever answers it with something new has moved things on.
    pub(super) fn record(
        &mut self,
        call: &PendingCall,
        sight: &Sight,
        fruitless: bool,
        epoch: u32,
    ) -> Option<Again> {
        let message = call.message.as_deref()?;
        if sight.verdict == Ending::Success && !sight.acknowledgement && !fruitless {
            self.messages.retain(|sent| sent.message.to != message.to);
            return None;
        }
        // What is sent in one round is sent to be worked on side by side.
        let before = self
            .messages
            .iter()
            .filter(|sent| sent.round != call.round && sent.epoch == epoch)
            .filter(|sent| message.is_like(&sent.message))
            .max_by_key(|sent| sent.times);
        let (times, from) = before.map_or((1, call.line), |sent| (sent.times + 1, sent.from));
        if self.messages.len() >= REMEMBERED {
            self.messages.remove(0);
        }
        self.messages.push(Sent {
            message: message.clone(),
            round: call.round,
            epoch,
            times,
            from,
        });
        Some(Again {
            times,
            from,
            key: message.to,
        })
    }
}
