//! Judges a call: policies first, then rules and breaker.

use unstuck::{Call, Json, Verdict};

use super::{
    Guard, Micros, Ticket, ToServer, answer,
    engines::Ring,
    hints::Hints,
    origin::Current,
    pending::Calling,
    record::{About, By, Ending, Judged, push_start},
    tools::full_name,
};
use crate::{
    codec::{Refusal, RefusalKind, Request, Shape},
    policy::{Asked, Claimed, Ruling},
};

impl Guard {
    pub(super) fn call(&mut self, request: Request<'_>, bytes: usize, at: Micros) -> ToServer {
        let Request { id, params, .. } = request;
        let (Shape::Object, Some(tool)) = (params.shape, params.name) else {
            let refusal = Refusal::of(id.raw, RefusalKind::CallWithoutName);
            return self.refuse(&refusal, bytes, at);
        };
        if self.waiting.has(&id) {
            let refusal = Refusal::of(id.raw, RefusalKind::IdInUse);
            return self.refuse(&refusal, bytes, at);
        }
        self.calls += 1;
        let Hints { claims, era } = Hints::of(params.meta.as_ref());
        let (session, agent) = claims.counted(&self.caller, self.options.names);
        let ring = match &self.caller {
            Current::Connection => Ring::Private { owner: None },
            Current::Session { owner, .. } => Ring::Private {
                owner: owner.clone(),
            },
            Current::Shared { owner, .. } => Ring::Shared {
                owner: owner.clone(),
            },
        };
        let full_name = full_name(&self.options.server, &tool);
        let arguments = params.arguments.unwrap_or_else(Json::empty_object);
        let fingerprint = self.fingerprinter.action(&full_name, &arguments);
        let about = About {
            call: self.calls,
            who: self
                .who
                .members((&session, &agent), &claims, &self.options.server),
            tool: &tool,
            full_name: &full_name,
            id: id.raw,
            arguments: &arguments,
            fingerprint,
        };
        let mut calling = Calling {
            about: about.write(&self.options.redactor).into_boxed_str(),
            number: self.calls,
            event_id: itoa::Buffer::new().format(self.timeline.next_call()).into(),
            judged: Judged::default(),
            began: at,
            fingerprint,
            era,
            round: 0,
            nudge: None,
            tool: tool.as_ref().into(),
            session,
            agent,
            ring,
        };
        if let Some(policy) = &self.policy {
            let ruling = policy.judge(&Asked {
                server: &self.options.server,
                tool: &tool,
                arguments: &arguments,
                session: calling.policy_session(),
                agent: &calling.agent,
                claimed: Claimed {
                    session: claims.session.as_deref(),
                    agent: claims.agent.as_deref(),
                    client: claims.client.as_deref(),
                },
                at: at.milliseconds(),
            });
            let reason = match &ruling {
                Ruling::Permit => None,
                Ruling::Forbid { policies } => Some(answer::forbidden(&tool, policies)),
                Ruling::TooLarge { bytes, values } => Some(answer::too_large(*bytes, *values)),
            };
            calling.judged.ruling = Some(ruling);
            if let Some(reason) = reason {
                calling.judged.verdict = Verdict::Deny;
                calling.judged.by = By::Policy;
                return self.deny(calling, id.raw, &reason, at);
            }
        }
        self.give_up_old_calls(calling.cost(), at);
        let state = params.request_state.as_ref().map(Json::as_str);
        let continues = state.is_some() || params.input_responses.is_some();
        let round = if continues {
            self.rounds.take(&calling.round_key(), state)
        } else {
            None
        };
        let known = self.tools.get(&tool);
        let mut call = Call::new(calling.event_id.clone(), full_name, arguments);
        call.read_only = known.read_only;
        call.idempotent = known.idempotent;
        call.fingerprint = Some(fingerprint);
        let mut decision = if let Some(round) = round {
            // The rules know this call already, and wait for its result.
            calling.round = round.count;
            calling.event_id = round.event_id;
            self.timeline.check(&calling, &call)
        } else {
            self.timeline.call(&mut calling, call, at)
        };
        if calling.round > 0 && decision.verdict < Verdict::Halt {
            decision.verdict = Verdict::Allow;
            decision.would = None;
            decision.reason = None;
        }
        calling.judged.add(&decision);
        let message = answer::words(&calling, &decision).unwrap_or_default();
        match decision.verdict {
            Verdict::Halt => {
                let reason = answer::halted(&message);
                self.deny(calling, id.raw, &reason, at)
            }
            Verdict::Deny => {
                let reason = answer::denied(&message);
                self.deny(calling, id.raw, &reason, at)
            }
            verdict => {
                if verdict == Verdict::Nudge {
                    calling.nudge = Some(message);
                }
                self.journal.push(|out| {
                    push_start(at, "forward", out);
                    out.push_str(&calling.about);
                });
                let ticket = Ticket(calling.number);
                self.waiting.add_call(&id, calling);
                ToServer::ForwardCall(ticket)
            }
        }
    }

    fn deny(&mut self, mut calling: Calling, id: &str, reason: &str, at: Micros) -> ToServer {
        // A text that could not be shown to the model before may be repeated.
        let owed = self.take_owed(&calling);
        let said = match &owed {
            Some(owed) => format!("{reason}\n{owed}"),
            None => reason.to_owned(),
        };
        calling.judged.reason = Some(reason.into());
        if calling.judged.by == By::Rules {
            self.hold(&calling, at);
        }
        if !self.floods.count(&calling, at, &mut self.journal) {
            self.end_line(&calling, Ending::Denied, None, at);
        }
        ToServer::Answer(answer::denial(id, &said, calling.era))
    }

    /// Lists the caller among those that a person may want to reset.
    pub(super) fn hold(&mut self, calling: &Calling, at: Micros) {
        let who = (&*calling.session, &*calling.agent, calling.ring.owner());
        let judged = &calling.judged;
        self.held.add(who, judged.verdict, judged.rule, at);
    }
}
