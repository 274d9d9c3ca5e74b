//! Crush. It has a hook before a call and none after: outcomes are not seen.

use serde_json::json;
use unstuck::Verdict;

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct Crush;

const HOST: Host = Host::Crush;

impl Codec for Crush {
    fn events(&self) -> &'static [&'static str] {
        &["PreToolUse"]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "event", event);
        let mut hook = family::base(HOST, payload, &name);
        if &*name == "PreToolUse" {
            hook.moment = Moment::BeforeCall;
            hook.happened = Happened::Call(family::call(HOST, payload, None)?);
        }
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        moment == Moment::BeforeCall
    }

    fn reports_results(&self) -> bool {
        false
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        if hook.moment != Moment::BeforeCall {
            return Output::silent();
        }
        let text = &*answer.text;
        Output::json(&match answer.verdict {
            Verdict::Halt => {
                json!({ "version": 1, "decision": "deny", "halt": true, "reason": text })
            }
            Verdict::Deny => json!({ "version": 1, "decision": "deny", "reason": text }),
            Verdict::Allow | Verdict::Nudge => json!({ "version": 1, "context": text }),
        })
    }
}
