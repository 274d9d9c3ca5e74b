//! The coarse identity of a call: what is left when what does not matter is taken away.

use std::ops::Range;

use unstuck_shell::Insight;

use super::{Args, shell};
use crate::{
    fingerprint::{Fingerprinter, Mark, action_text_of},
    options::{CompareCalls, ToolSettings},
    vocab::arguments::{ArgumentRole, Member},
};
use unstuck_json::{Json, JsonKind, JsonRef};

/// What is left of a call.
enum Coarse<'a> {
    /// What a shell command does, in one spelling.
    Shell(&'a str),
    /// A read of this file, whichever command reads it.
    FileRead(&'a str),
    /// The primary arguments.
    Primary,
    /// Everything but values that are fresh with every call.
    WithoutNonces,
    /// Everything: nothing is beside the point.
    Whole,
}

/// What similar calls have in common, where something is beside the point.
pub(super) struct Common {
    pub(super) text: String,
    /// The arguments in the text, if it is the canonical form of a call.
    args: Option<Range<usize>>,
}

impl Common {
    /// The mark: that of a call which has these arguments only. `tool` is the mark of the tool's name.
    pub(super) fn mark(&self, prints: &Fingerprinter, tool: Mark) -> Mark {
        match &self.args {
            Some(args) => prints.action_mark(tool, self.text.get(args.clone()).unwrap_or_default()),
            None => prints.part_mark(&self.text),
        }
    }
}

/// What a call has in common with similar ones. `None` if that is all of it.
pub(super) fn common(
    compare: CompareCalls,
    tool: &str,
    args: &Args<'_>,
    (command, insight): (Option<&str>, Option<&Insight>),
) -> Option<Common> {
    // No canonical JSON starts like these, so no call can be mistaken for them.
    let of_text = |kind: &str, text: &str| {
        Some(Common {
            text: [kind, text].concat(),
            args: None,
        })
    };
    let of_args = |(text, args)| Common {
        text,
        args: Some(args),
    };
    match coarse(compare, args, command, insight) {
        Coarse::Shell(canonical) => of_text("shell ", canonical),
        Coarse::FileRead(path) => of_text("read ", path),
        Coarse::Primary => {
            let room = args.whole.as_str().len();
            let members = primary(args).map(|member| member.written(args.whole));
            Some(of_args(action_text_of(tool, members, room)))
        }
        Coarse::WithoutNonces => {
            let room = args.whole.as_str().len();
            let members = without_nonces(args).map(|member| member.written(args.whole));
            Some(of_args(action_text_of(tool, members, room)))
        }
        Coarse::Whole => None,
    }
}

/// Returns what the preset `attocode` compares similar calls by, as readable text.
///
/// It is the tool with its primary arguments (`path`, `command`, `query`, …), or with all arguments if it has no primary
/// ones or is a shell command with pipes, redirections or several commands. Commands of the tool `bash` that only read a
/// file are the same, whichever command reads it.
///
/// ```
/// use unstuck::{Json, coarse_fingerprint};
///
/// let args = Json::parse(r#"{"path":"foo.ts","encoding":"utf-8","limit":10}"#)?;
/// assert_eq!(coarse_fingerprint("read_file", &args), r#"read_file:{"limit":10,"path":"foo.ts"}"#);
/// let args = Json::parse(r#"{"command":"head -5 foo.ts"}"#)?;
/// assert_eq!(coarse_fingerprint("bash", &args), "bash:file_read:foo.ts");
/// # Ok::<(), unstuck::JsonError>(())
/// ```
pub fn coarse_fingerprint(tool: &str, args: &Json) -> String {
    const COMPARE: CompareCalls = CompareCalls::Primary;
    let args = Args::new(args.view());
    let command = shell::command(tool, &args, COMPARE);
    match coarse(COMPARE, &args, command.as_deref(), None) {
        Coarse::Shell(canonical) => format!("{tool}:{canonical}"),
        Coarse::FileRead(path) => format!("{tool}:file_read:{path}"),
        Coarse::Primary => {
            let members = primary(&args).map(|member| (&*member.name, member.value));
            format!("{tool}:{}", Json::object(members))
        }
        Coarse::WithoutNonces | Coarse::Whole => match args.whole.text() {
            Some(text) => format!("{tool}:{text}"),
            None => format!("{tool}:{}", args.whole.as_str()),
        },
    }
}

fn coarse<'a>(
    compare: CompareCalls,
    args: &Args<'_>,
    command: Option<&'a str>,
    insight: Option<&'a Insight>,
) -> Coarse<'a> {
    if let Some(insight) = insight {
        return if args.role(ArgumentRole::Payload).is_some() {
            Coarse::Whole
        } else {
            Coarse::Shell(&insight.canonical)
        };
    }
    if let Some(command) = command {
        if shell::is_complex(command) {
            return Coarse::Whole;
        }
        if let Some(path) = shell::file_read(command) {
            return Coarse::FileRead(path);
        }
    }
    let whole = if compare == CompareCalls::Standard && args.count(ArgumentRole::Nonce) > 0 {
        Coarse::WithoutNonces
    } else {
        Coarse::Whole
    };
    if compare == CompareCalls::Standard && args.role(ArgumentRole::Payload).is_some() {
        return whole;
    }
    let primary = args.count(ArgumentRole::Primary);
    if primary == 0 || primary == args.members.len() {
        return whole;
    }
    Coarse::Primary
}

/// The primary arguments. Members of a canonical object are in order, and stay so.
fn primary<'a, 'j>(args: &'a Args<'j>) -> impl Iterator<Item = &'a Member<'j>> + Clone {
    let members = args.members.iter();
    members.filter(|member| member.known.plays(ArgumentRole::Primary))
}

/// The arguments without those that are fresh with every call.
fn without_nonces<'a, 'j>(args: &'a Args<'j>) -> impl Iterator<Item = &'a Member<'j>> + Clone {
    let members = args.members.iter();
    members.filter(|member| !member.known.plays(ArgumentRole::Nonce))
}

/// The arguments that the settings of a tool leave over, where they leave any out.
pub(super) fn reduce(args: &Args<'_>, tool: &ToolSettings) -> Option<Json> {
    if args.whole.kind() != JsonKind::Object
        || (tool.key_fields.is_empty() && tool.volatile_fields.is_empty())
    {
        return None;
    }
    let listed = |fields: &[String], name: &str| fields.iter().any(|field| field == name);
    Some(keep(args, |member| {
        !listed(&tool.volatile_fields, &member.name)
            && (tool.key_fields.is_empty() || listed(&tool.key_fields, &member.name))
    }))
}

/// The output without its volatile members.
pub(super) fn drop_volatile(output: JsonRef<'_>, tool: &ToolSettings) -> Option<Json> {
    if output.kind() != JsonKind::Object || tool.volatile_fields.is_empty() {
        return None;
    }
    let members: Vec<_> = output.members().collect();
    let kept = members
        .iter()
        .filter(|(name, _)| !tool.volatile_fields.iter().any(|field| field == name));
    Some(Json::object(kept.map(|(name, value)| (&**name, *value))))
}

fn keep(args: &Args<'_>, wanted: impl Fn(&Member<'_>) -> bool) -> Json {
    // Members of a canonical object are in order, and stay so.
    Json::object(
        args.members
            .iter()
            .filter(|member| wanted(member))
            .map(|member| (&*member.name, member.value)),
    )
}
