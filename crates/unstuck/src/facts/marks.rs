//! Marks that group calls by their kind.

use unstuck_shell::Insight;

use super::Args;
use crate::{fingerprint::Mark, hash::Tag, vocab::arguments::ArgumentRole};
use unstuck_json::{JsonKind, JsonRef};

/// The mark of a tool's name.
pub(crate) fn name_mark(tool: &str) -> Mark {
    Mark::from(Tag::of(tool.bytes()))
}

/// Equal for calls of one kind, which tend to fail alike: a shell's program, a tool with its sub-command and the names of
/// its arguments.
pub(super) fn shape(
    tool: Tag,
    args: &Args<'_>,
    command: Option<&str>,
    insight: Option<&Insight>,
) -> Mark {
    const LONGEST: usize = 32;
    let of_tool = |word: &str| Mark::from(tool.and([0_u8]).and(word.bytes()));
    if let Some(command) = command {
        return of_tool(match insight {
            Some(insight) => insight.program(),
            None => command.split_whitespace().next().unwrap_or_default(),
        });
    }
    let sub_command = args.role(ArgumentRole::SubCommand).and_then(JsonRef::text);
    let sub_command = sub_command.filter(|word| word.len() <= LONGEST);
    // The order of the names must not matter, so they are added up.
    let names = args.members.iter().map(|member| Mark::from(member.tag));
    let names = names.fold(0_u64, |sum, name| sum.wrapping_add(name.0));
    of_tool(&sub_command.unwrap_or_default()).join(Mark(names))
}

/// Equal for calls whose arguments have the same names and kinds, and the same word for the job of the tool.
pub(crate) fn form(tool: Tag, args: &Args<'_>) -> Mark {
    const LONGEST_COMMAND: usize = 24;
    let mut folded = Mark::from(tool).join(Mark(args.whole.kind() as u64));
    for member in &args.members {
        let value = member.value;
        let kind = value.kind();
        folded = folded.join(Mark::from(member.tag)).join(Mark(kind as u64));
        // An empty value counts as a missing one.
        let empty = value.as_str().len() <= 2 && kind != JsonKind::Number;
        let short = value.as_str().len() <= LONGEST_COMMAND;
        if empty || (short && member.known.plays(ArgumentRole::Job)) {
            folded = folded.join(Mark::from(Tag::of(value.as_str().bytes())));
        }
    }
    folded
}
