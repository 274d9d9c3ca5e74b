//! Facts: what a call is and what a result says, as far as their text shows.
//!
//! Facts are functions of one event (and of the call that a result belongs to). Nothing here remembers anything.
//!
//! ```text
//! Call    ─> CallView (arguments found once) ─> CallFacts   (and the private facts of rules)
//! Outcome ───────────────────────────────────> ResultFacts
//! ```

mod agent_message;

mod coarse;
mod cut_query;
mod effect;
mod error_skeleton;
mod excerpt;
mod failing_tests;
mod failure_lines;
mod file_change;
mod marks;
mod needs;
mod noop_reply;
mod opening;
#[cfg(test)]
mod phrases_tests;
mod polling;
mod query;
mod refusal;
mod result;
mod scope;
mod shell;
mod silence;
mod sketch;
mod stack_trace;
mod swarm_key;
mod target;
mod test_outcome;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unstuck_shell::Insight;

use crate::{
    event::Call,
    fingerprint::{Domain, Fingerprint, Fingerprinter, Mark},
    hash::Tag,
    label::{self, Label},
    options::{CompareCalls, CompareOutcomes, IdentitySettings, ReadShells, ToolSettings},
    vocab::{
        arguments::{ArgumentRole, Member, Roles},
        tools::ToolWords,
    },
};
use unstuck_json::{Json, JsonRef};

pub use coarse::coarse_fingerprint;

pub(crate) use agent_message::AgentMessage;
pub(crate) use cut_query::CutQuery;
pub(crate) use effect::Effect;
pub(crate) use excerpt::excerpt;
pub(crate) use failing_tests::FailingTests;
pub(crate) use file_change::{ChangeKind, FileChange};
pub(crate) use marks::{form, name_mark};
pub(crate) use needs::{MatrixNeeds, Needs};
pub(crate) use polling::Polling;
pub(crate) use query::{Asks, Query};
pub(crate) use refusal::{Refused, Speaker};
pub(crate) use result::{Ending, ResultFacts, TestOutcome};
pub(crate) use scope::Scope;
pub(crate) use sketch::{Likeness, Sketch};
pub(crate) use swarm_key::SwarmKey;
pub(crate) use target::Target;

/// The arguments of a call, with the members of an object found once.
pub(crate) struct Args<'a> {
    pub(crate) whole: JsonRef<'a>,
    pub(crate) members: Vec<Member<'a>>,
    roles: Roles,
}

impl<'a> Args<'a> {
    pub(crate) fn new(whole: JsonRef<'a>) -> Self {
        // Most calls have fewer arguments.
        let mut members = Vec::with_capacity(8);
        members.extend(
            whole
                .members()
                .map(|(name, value)| Member::new(name, value)),
        );
        Self {
            whole,
            roles: Roles::of(&members),
            members,
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<JsonRef<'a>> {
        let found = self.members.iter().find(|member| member.name == name);
        found.map(|member| member.value)
    }

    /// The value of the argument that plays a role.
    pub(crate) fn role(&self, role: ArgumentRole) -> Option<JsonRef<'a>> {
        let member = self.members.get(self.roles.place(role))?;
        Some(member.value)
    }

    /// The place of the argument that plays a role.
    fn place(&self, role: ArgumentRole) -> Option<usize> {
        Some(self.roles.place(role)).filter(|place| *place < self.members.len())
    }

    /// How many arguments play a role.
    fn count(&self, role: ArgumentRole) -> usize {
        self.roles.count(role)
    }

    /// The old and the new text of an edit, by names that belong together.
    fn texts(&self) -> Option<(JsonRef<'a>, JsonRef<'a>)> {
        let rank = self
            .roles
            .common_rank(ArgumentRole::OldText, ArgumentRole::NewText);
        let ranked = |role| {
            let mut members = self.members.iter();
            let found = members.find(|member| member.known.rank(role) == rank)?;
            Some(found.value)
        };
        rank?;
        Some((
            ranked(ArgumentRole::OldText)?,
            ranked(ArgumentRole::NewText)?,
        ))
    }
}

/// A call with everything that is looked up once: its arguments, the words of its tool's name, its shell command.
pub(crate) struct CallView<'a> {
    pub(crate) call: &'a Call,
    pub(crate) args: Args<'a>,
    pub(crate) words: ToolWords,
    /// The tag of the tool's name.
    pub(crate) tool: Tag,
    /// The words of its query.
    pub(crate) asked: Option<CutQuery>,
    /// The command, if the tool is a shell.
    pub(crate) command: Option<Cow<'a, str>>,
    /// What the command does, as far as the parser understands it.
    pub(crate) insight: Option<Insight>,
}

/// What a call is.
///
/// | mark | equal for |
/// |---|---|
/// | `exact` | calls of one tool with equal arguments, or with an equal declared key |
/// | `coarse` | calls that differ only in arguments that do not matter |
/// | `near` | as `coarse`, and calls that say the same in other words |
/// | `shape` | calls of one kind: a shell's program, a tool with its sub-command and argument names |
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CallFacts {
    pub(crate) exact: Mark,
    pub(crate) coarse: Mark,
    pub(crate) near: Mark,
    pub(crate) shape: Mark,
    /// What a swarm compares it by. Stored as a fingerprint: the text may hold arguments.
    #[serde(skip)]
    pub(crate) swarm_key: SwarmKey,
    /// Whose words the result will hold.
    pub(crate) speaker: Speaker,
    /// One readable line.
    pub(crate) label: Label,
    pub(crate) tool: Box<str>,
    pub(crate) effect: Effect,
    /// The one file that it reads or writes, where that is all it does.
    pub(crate) scope: Scope,
    pub(crate) command: Command,
    pub(crate) polling: Polling,
    /// What it does to a file. `None` if no rule needs it.
    pub(crate) change: Option<FileChange>,
}

impl CallFacts {
    /// Whether the call was matched with an earlier one by its words.
    pub(crate) fn is_reworded(&self) -> bool {
        self.near != self.coarse
    }
}

/// What kind of shell command a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Command {
    /// The tool is not a shell.
    None,
    Plain,
    /// Reads or writes a file, which a file tool would do better.
    FileOperation,
    TestRun,
    /// Shows what has changed in a repository.
    ShowsChanges,
    /// Asks a question that may be answered with "no".
    Asks,
    /// Goes on to another commit in a bisection.
    Bisects,
}

/// Extracts facts under one set of settings.
#[derive(Clone, Debug)]
pub(crate) struct Extractor {
    prints: Fingerprinter,
    identity: IdentitySettings,
    needs: Needs,
}

impl Extractor {
    pub(crate) fn new(secret: &str, identity: &IdentitySettings, needs: Needs) -> Self {
        Self {
            prints: Fingerprinter::new(secret.as_bytes()),
            identity: identity.clone(),
            needs,
        }
    }

    /// Finds the arguments of a call.
    pub(crate) fn view<'a>(&self, call: &'a Call) -> CallView<'a> {
        let args = Args::new(call.args.view());
        let command = shell::command(&call.tool, &args, self.identity.calls);
        let insight = match (self.identity.shells, command.as_deref()) {
            (ReadShells::Meaning, Some(command)) => shell::understand(&call.tool, &args, command),
            _ => None,
        };
        CallView {
            call,
            words: ToolWords::of(&call.tool),
            tool: Tag::of(call.tool.bytes()),
            asked: (self.needs.rewordings && command.is_none())
                .then(|| CutQuery::of(&args))
                .flatten(),
            args,
            command,
            insight,
        }
    }

    /// Extracts what the call is, and a sketch of its words where it may be matched with rewordings of it.
    pub(crate) fn call(
        &self,
        view: &CallView<'_>,
        tool: Option<&ToolSettings>,
    ) -> (CallFacts, Option<Box<Sketch>>) {
        let CallView {
            call,
            args,
            words,
            tool: tag,
            asked,
            command,
            insight,
        } = view;
        let (command, insight) = (command.as_deref(), insight.as_ref());
        let declared = call.key.as_deref().map(Json::string);
        let reduced = match (&declared, tool) {
            (None, Some(tool)) => coarse::reduce(args, tool),
            _ => None,
        };
        let part = declared.as_ref().or(reduced.as_ref());
        let whole = part.unwrap_or(&call.args);
        let tool_mark = self.prints.part_mark(&call.tool);
        let exact = self.prints.action_mark(tool_mark, whole.as_str());
        // A declared identity is complete.
        let common = (self.needs.coarse && part.is_none())
            .then(|| coarse::common(self.identity.calls, &call.tool, args, (command, insight)))
            .flatten();
        let coarse = common
            .as_ref()
            .map_or(exact, |common| common.mark(&self.prints, tool_mark));
        let swarm_key = match (common, call.fingerprint) {
            _ if !self.needs.swarm => SwarmKey::None,
            (Some(common), _) => SwarmKey::of_text(&self.prints, common.text),
            (None, Some(known)) if part.is_none() => SwarmKey::from(Some(known)),
            (None, _) => SwarmKey::of_call(&self.prints, &call.tool, whole),
        };
        let effect = effect::of(call, *words, args, command, insight);
        // Written text is a change, however it is worded, and commands are data.
        let sketched = self.needs.rewordings
            && part.is_none()
            && command.is_none()
            && effect != Effect::Writes;
        let sketch = sketched.then(|| Sketch::of(&self.prints, &call.tool, args, asked.as_ref()));
        let kind = match command {
            Some(command) => shell::classify(command, insight, self.identity.calls),
            None => Command::None,
        };
        let path = (command.is_none() && effect != Effect::Unknown)
            .then(|| file_change::path(args))
            .flatten();
        let change = (self.needs.changes && effect == Effect::Writes)
            .then(|| file_change::of(*words, args, insight, path.as_deref(), &self.prints));
        let facts = CallFacts {
            exact,
            near: coarse,
            coarse,
            swarm_key,
            shape: marks::shape(*tag, args, command, insight),
            speaker: Speaker::of(args, command),
            label: label::of(&call.tool, args.whole, &args.members, command),
            tool: label::bounded_tool(&call.tool),
            effect,
            scope: scope::of(path.as_deref(), insight, effect),
            change: change.flatten(),
            polling: polling::of_call(*words, args, command, (effect, kind)),
            command: kind,
        };
        (facts, sketch.flatten().map(Box::new))
    }

    /// What a swarm compares a call by. `None` if no rule needs it.
    pub(crate) fn swarm_print(&self, key: &SwarmKey) -> Option<Fingerprint> {
        key.fingerprint(&self.prints)
    }

    /// The identity of a text that was said in a turn.
    pub(crate) fn said(&self, mark: Mark) -> Fingerprint {
        self.prints.canonical(Domain::Text, &mark.0.to_le_bytes())
    }

    /// The mark of a step's code.
    pub(crate) fn approach(&self, code: &str) -> Mark {
        self.prints
            .canonical(Domain::Action, Json::string(code).as_str().as_bytes())
            .mark()
    }

    /// The mark of a step's output; a missing one is an outcome of its own.
    pub(crate) fn step_outcome(&self, output: Option<&Json>) -> Mark {
        let meaning = self.meaning(output);
        self.prints.outcome_mark(&meaning)
    }

    fn normalises(&self) -> bool {
        self.identity.outcomes == CompareOutcomes::Normalised
    }
}

impl Call {
    /// One readable line about the call, as patterns quote it: short, and without anything that moves or hides text.
    ///
    /// ```
    /// use unstuck::{Call, Json};
    ///
    /// let call = Call::new("c1", "Bash", Json::parse(r#"{"command":"make\ntest"}"#)?);
    /// assert_eq!(&*call.label(), "Bash make test");
    /// # Ok::<(), unstuck::JsonError>(())
    /// ```
    pub fn label(&self) -> Box<str> {
        let args = Args::new(self.args.view());
        let command = shell::command(&self.tool, &args, CompareCalls::Standard);
        let label = label::of(&self.tool, args.whole, &args.members, command.as_deref());
        (*label).into()
    }
}
