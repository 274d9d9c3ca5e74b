//! Identity: what an action and an outcome are, apart from how they are spelled.

mod change;
mod coarse;
mod complaint;
mod effect;
mod excerpt;
mod failing;
mod idle;
mod label;
mod message;
mod name;
mod opening;
mod refusal;
mod scope;
mod shell;
mod waiting;

use std::borrow::Cow;

use unstuck_shell::Insight;

use crate::{
    event::{Call, Outcome, Status},
    fingerprint::{Domain, Fingerprint, Fingerprinter, Mark},
    json::{Json, JsonKind, JsonRef},
    ledger::Scope,
    normalize::normalize,
    settings::{CountCalls, Preset, Settings, SwarmCount, ToolSettings},
    sketch::Sketch,
    timeline::PendingCall,
};

pub(crate) use change::{Change, ChangeKind};
pub(crate) use effect::Effect;
pub(crate) use excerpt::excerpt;
pub(crate) use failing::FailingTests;
pub(crate) use label::{LONGEST as LONGEST_LABEL, Label, one_line, push as push_line};
pub(crate) use message::Message;
use name::ToolName;
pub(crate) use name::words;
pub(crate) use refusal::{Refused, Speaker};
pub(crate) use shell::{TestOutcome, test_outcome};
pub(crate) use waiting::Polling;

/// A tool call as the rules see it.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// Equal for equal calls.
    pub(crate) exact: Mark,
    /// Equal for calls that differ in what does not matter.
    pub(crate) coarse: Fingerprint,
    /// The coarse mark, or that of the first call that said the same in other words.
    pub(crate) near: Mark,
    /// What it was put in, where it can be put in other words.
    pub(crate) sketch: Option<Box<Sketch>>,
    /// Equal for calls of one kind.
    pub(crate) shape: Mark,
    /// Equal for calls whose arguments differ in their values alone.
    pub(crate) form: Mark,
    /// Whose words will come back.
    pub(crate) speaker: Speaker,
    /// One readable line.
    pub(crate) label: Label,
    pub(crate) tool: Box<str>,
    pub(crate) effect: Effect,
    /// What it has to do with.
    pub(crate) scope: Scope,
    pub(crate) command: Command,
    /// What it has to do with waiting.
    pub(crate) polling: Polling,
    /// What it does to a file.
    pub(crate) change: Option<Change>,
    /// What it tells another agent.
    pub(crate) message: Option<Box<Message>>,
}

/// What kind of shell command a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Command {
    /// No shell command.
    None,
    Plain,
    /// Reads or writes a file, which a file tool would do better.
    FileOperation,
    TestRun,
    /// Shows what has changed in a repository.
    ShowsChanges,
    /// Asks a question that may be answered with "no".
    Asks,
}

/// What came back, as the rules see it.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// Equal for outcomes that mean the same.
    pub(crate) outcome: Mark,
    pub(crate) verdict: Ending,
    /// What a failure complains of.
    pub(crate) complaint: Option<Mark>,
    /// What the answer to a change says, apart from its particulars.
    pub(crate) gist: Option<Mark>,
    /// It only says that it was done.
    pub(crate) acknowledgement: bool,
    pub(crate) test: Option<TestOutcome>,
    /// The tests that failed, where it names them.
    pub(crate) failing: FailingTests,
    /// It says that the thing is not done yet: the mark of the whole text.
    pub(crate) waits: Option<Mark>,
    /// It says that the call was not run at all.
    pub(crate) refused: Refused,
    /// It says that nothing was changed.
    pub(crate) idle: bool,
}

/// How a call ended, as far as the agent is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Success,
    Failure,
    /// Refused, called off or still running.
    Neither,
}

/// How calls are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// As attocode does it: primary arguments, reads of one file by the tool `bash`.
    Primary,
    /// Primary arguments where they say it all, reads of one file by any shell.
    Standard,
}

/// How outcomes are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// By every byte, as the founding systems do.
    Exact,
    /// By what is left without what changes from run to run.
    Normalised,
}

/// How shell commands are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shells {
    /// By their text.
    Text,
    /// By what they do, as far as that can be read from them.
    Meaning,
}

/// The arguments of a call, with the members of an object found once for all who ask.
pub(crate) struct Args<'a> {
    pub(crate) whole: JsonRef<'a>,
    pub(crate) members: Vec<(Cow<'a, str>, JsonRef<'a>)>,
}

impl<'a> Args<'a> {
    pub(crate) fn new(whole: JsonRef<'a>) -> Self {
        Self {
            whole,
            members: whole.members().collect(),
        }
    }

    fn get(&self, name: &str) -> Option<JsonRef<'a>> {
        let found = self.members.iter().find(|(member, _)| member == name);
        found.map(|(_, value)| *value)
    }
}

/// Makes identities under one set of settings.
#[derive(Clone, Debug)]
pub(crate) struct Identifier {
    prints: Fingerprinter,
    scheme: Scheme,
    /// Whether any rule looks at coarse identity: it costs a second hash.
    coarse: bool,
    /// Whether any rule compares outcomes: results are most of the bytes.
    outcomes: bool,
    reading: Reading,
    /// Whether calls are compared by their wording, too.
    sketches: bool,
    shells: Shells,
    asked: Asked,
}

/// What else the rules that are on ask for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// Was a call refused?
    refusals: bool,
    /// What became of files?
    changes: bool,
    /// What do agents tell each other?
    messages: bool,
}

impl Identifier {
    pub(crate) fn new(settings: &Settings) -> Self {
        let rules = &settings.rules;
        let primary = (rules.near_repeat.enabled
            && rules.near_repeat.count == CountCalls::CallsInARow)
            || (rules.swarm_loop.enabled && rules.swarm_loop.count == SwarmCount::EveryCall);
        Self {
            prints: Fingerprinter::new(settings.secret.as_bytes()),
            scheme: if primary {
                Scheme::Primary
            } else {
                Scheme::Standard
            },
            coarse: rules.near_repeat.enabled || rules.swarm_loop.enabled,
            outcomes: rules.compare_outcomes(),
            reading: match settings.preset {
                Preset::Standard => Reading::Normalised,
                _ => Reading::Exact,
            },
            sketches: settings.preset == Preset::Standard
                && rules.near_repeat.enabled
                && rules.near_repeat.count == CountCalls::Outcomes,
            shells: match settings.preset {
                Preset::Standard if !primary => Shells::Meaning,
                _ => Shells::Text,
            },
            asked: Asked {
                refusals: rules.unknown_tool.enabled || rules.invalid_call.enabled,
                changes: rules.no_op.enabled || rules.edit_revert.enabled,
                messages: rules.relay.enabled,
            },
        }
    }

    pub(crate) fn action(&self, call: &Call, tool: Option<&ToolSettings>) -> Action {
        let given = Args::new(call.args.view());
        let name = ToolName::of(&call.tool);
        let declared = call.key.as_deref().map(Json::string);
        let reduced = match (&declared, tool) {
            (None, Some(tool)) => coarse::reduce(&given, tool),
            _ => None,
        };
        let part = declared.as_ref().or(reduced.as_ref());
        let known = call.fingerprint.filter(|_| part.is_none());
        let of_part = || self.prints.action(&call.tool, part.unwrap_or(&call.args));
        let exact = known.unwrap_or_else(of_part);
        let command = shell::command(&call.tool, &given, self.scheme);
        let insight = match (self.shells, command.as_deref()) {
            (Shells::Meaning, Some(command)) => shell::understand(&call.tool, &given, command),
            _ => None,
        };
        let insight = insight.as_ref();
        let coarse = if self.coarse && declared.is_none() && reduced.is_none() {
            coarse::fingerprint(
                &self.prints,
                self.scheme,
                &call.tool,
                &given,
                (command.as_deref(), insight),
            )
            .unwrap_or(exact)
        } else {
            // Who declares what makes up a call's identity has said it all.
            exact
        };
        let effect = effect::of(call, name, &given, command.as_deref(), insight);
        // What is written is a change, however it is worded; commands are data.
        let sketched = self.sketches
            && declared.is_none()
            && reduced.is_none()
            && command.is_none()
            && effect != Effect::Writes;
        let sketch = sketched
            .then(|| Sketch::of(&self.prints, &call.tool, &given))
            .flatten();
        let change = self
            .asked
            .changes
            .then(|| change::of(name, &given, command.as_deref(), effect, &self.prints))
            .flatten();
        let kind = match &command {
            Some(command) => shell::classify(command, insight, self.scheme),
            None => Command::None,
        };
        Action {
            exact: exact.mark(),
            near: coarse.mark(),
            sketch: sketch.map(Box::new),
            coarse,
            shape: shape(&call.tool, &given, command.as_deref(), insight),
            form: if self.asked.refusals {
                opening::form(&call.tool, &given)
            } else {
                Mark::default()
            },
            speaker: if opening::runs_code(&given, command.as_deref()) {
                Speaker::Code
            } else {
                Speaker::Tool
            },
            label: label::of(&call.tool, &given, command.as_deref()),
            tool: label::bounded_tool(&call.tool),
            effect,
            scope: scope::of(&given, command.as_deref(), insight, effect),
            change,
            message: self
                .asked
                .messages
                .then(|| message::of(&call.tool, name, &given).map(Box::new))
                .flatten(),
            polling: waiting::of_call(name, &given, command.as_deref(), (effect, kind)),
            command: kind,
        }
    }

    /// What came back. `learn` may know what else in it means nothing: it is given the outcome's mark and what it says,
    /// and returns what is left of that.
    pub(crate) fn sight(
        &self,
        outcome: &Outcome,
        call: &PendingCall,
        tool: Option<&ToolSettings>,
        learn: impl FnOnce(Mark, &[u8]) -> Option<Vec<u8>>,
    ) -> Sight {
        let effect = call.effect;
        let reduced = match (&outcome.output, tool) {
            (Some(output), Some(tool)) => coarse::drop_volatile(output.view(), tool),
            _ => None,
        };
        let output = reduced.as_ref().or(outcome.output.as_ref());
        let refused = if self.asked.refusals && outcome.settled() {
            refusal::of(output, outcome.failed(), &call.tool, call.speaker)
        } else {
            Refused::No
        };
        let asks = matches!(call.command, Command::Asks | Command::ShowsChanges);
        let answered = asks && shell::answers_no(outcome);
        // Many hosts report a refusal as a success.
        let verdict = if (outcome.failed() && !answered) || refused != Refused::No {
            Ending::Failure
        } else if outcome.settled() {
            Ending::Success
        } else {
            Ending::Neither
        };
        let test = (call.command == Command::TestRun)
            .then(|| test_outcome(outcome, self.scheme))
            .flatten();
        let meaning = self.meaning(output);
        let as_it_is = reduced.is_none() && matches!(meaning, Cow::Borrowed(_));
        let known = outcome.fingerprint.filter(|_| as_it_is);
        let whole = self.outcome_mark(outcome, &meaning, known);
        let learned = match self.reading {
            Reading::Normalised if verdict != Ending::Neither => learn(whole, &meaning),
            Reading::Normalised | Reading::Exact => None,
        };
        Sight {
            outcome: learned.map_or(whole, |rest| self.outcome_mark(outcome, &rest, None)),
            verdict,
            complaint: match (self.reading, output) {
                // What failing tests say is for `test-fix-cycle` to compare, and refusals are for `invalid-call`.
                (Reading::Normalised, Some(output))
                    if verdict == Ending::Failure
                        && refused == Refused::No
                        && call.command != Command::TestRun =>
                {
                    // Another exit code is another way to fail.
                    let code = Mark(outcome.exit_code.unwrap_or(0).cast_unsigned());
                    complaint::of(&call.tool, output.view()).map(|about| about.join(code))
                }
                _ => None,
            },
            gist: match (self.reading, output) {
                (Reading::Normalised, Some(output))
                    if verdict == Ending::Success && effect == Effect::Writes =>
                {
                    complaint::gist(&call.tool, output.view())
                }
                _ => None,
            },
            acknowledgement: verdict == Ending::Success
                && effect != Effect::Reads
                && call.command == Command::None
                && output.is_none_or(|output| is_acknowledgement(output.view(), &meaning)),
            failing: match (self.reading, test, output) {
                (Reading::Normalised, Some(TestOutcome::Failed), Some(output)) => {
                    FailingTests::of(output)
                }
                _ => FailingTests::default(),
            },
            test,
            waits: waiting::of_outcome(call.polling, output, verdict),
            refused,
            idle: self.asked.changes && effect == Effect::Writes && idle::says(output),
        }
    }

    /// The identity of what was said in a turn.
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
        self.prints.canonical(Domain::Outcome, &meaning).mark()
    }

    /// What an output says, as bytes that are equal for outputs that say the same.
    fn meaning<'a>(&self, output: Option<&'a Json>) -> Cow<'a, [u8]> {
        let canonical = output.map_or("", Json::as_str);
        match self.reading {
            Reading::Exact => Cow::Borrowed(canonical.as_bytes()),
            Reading::Normalised => normalize(canonical),
        }
    }

    fn outcome_mark(&self, outcome: &Outcome, meaning: &[u8], known: Option<Fingerprint>) -> Mark {
        if !self.outcomes {
            return Mark::default();
        }
        let hashed = || self.prints.canonical(Domain::Outcome, meaning);
        let output = known.unwrap_or_else(hashed).mark();
        let ending = match outcome.status {
            Status::Ok => 1,
            Status::Error => 2,
            Status::Denied => 3,
            Status::Cancelled => 4,
            Status::Pending => 5,
        };
        let code = outcome.exit_code.unwrap_or(0).cast_unsigned();
        output.join(Mark(code.rotate_left(8) ^ ending))
    }
}

/// One readable line about a call.
pub(crate) fn label(call: &Call, scheme: Scheme) -> Label {
    let args = Args::new(call.args.view());
    let command = shell::command(&call.tool, &args, scheme);
    label::of(&call.tool, &args, command.as_deref())
}

/// The coarse identity of a call as attocode writes it, readable.
pub(crate) fn readable_fingerprint(tool: &str, args: &Json) -> String {
    let args = Args::new(args.view());
    let command = shell::command(tool, &args, Scheme::Primary);
    coarse::readable(Scheme::Primary, tool, &args, command.as_deref())
}

/// Outputs that say no more than that something was done.
fn is_acknowledgement(output: JsonRef<'_>, meaning: &[u8]) -> bool {
    /// Longer than this, an output tells something.
    const LONGEST: usize = 40;
    match output.kind() {
        JsonKind::Null | JsonKind::Bool => true,
        JsonKind::Number => false,
        JsonKind::String | JsonKind::Array | JsonKind::Object => meaning.len() <= LONGEST,
    }
}

/// Tells tools apart.
pub(crate) fn name_mark(tool: &str) -> Mark {
    Mark::of_bytes(tool.bytes())
}

/// Equal for calls of one kind, which tend to fail alike: a shell's command word, a tool with its sub-command and the
/// names of its arguments.
fn shape(tool: &str, args: &Args<'_>, command: Option<&str>, insight: Option<&Insight>) -> Mark {
    /// Arguments that say which of its jobs a tool is to do.
    const SUB_COMMANDS: [&str; 4] = ["command", "action", "operation", "op"];
    const LONGEST: usize = 32;
    let of_tool = |word: &str| Mark::of_bytes(tool.bytes().chain([0]).chain(word.bytes()));
    if let Some(command) = command {
        return of_tool(match insight {
            Some(insight) => insight.program(),
            None => command.split_whitespace().next().unwrap_or_default(),
        });
    }
    let sub_command = SUB_COMMANDS.iter().find_map(|name| args.get(name)?.text());
    let sub_command = sub_command.filter(|word| word.len() <= LONGEST);
    // The order of the names must not matter, so they are added up.
    let names = args
        .members
        .iter()
        .map(|(name, _)| Mark::of_bytes(name.bytes()));
    let names = names.fold(0_u64, |sum, name| sum.wrapping_add(name.0));
    of_tool(&sub_command.unwrap_or_default()).join(Mark(names))
}
