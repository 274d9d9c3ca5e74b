//! Names of arguments and what they are used for.

use std::borrow::Cow;

use unstuck_json::JsonRef;

use crate::hash::Tag;

/// What an argument is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentRole {
    /// The file or directory that the call is about.
    Path,
    /// A file: what the call returns is the content of it.
    File,
    /// The text that an edit takes out. Its rank is that of the new text that belongs to it.
    OldText,
    /// The text that an edit puts in.
    NewText,
    /// What a file will hold.
    Content,
    /// The place in a file: the content is not the whole of it.
    Place,
    /// A shell command.
    Command,
    /// Which of its jobs a tool is to do, for grouping calls that tend to fail alike.
    SubCommand,
    /// Which of its jobs a tool is to do, for comparing the forms of calls.
    Job,
    /// Where a command runs.
    Directory,
    /// Code that the tool runs.
    Code,
    /// What is said to another agent.
    Message,
    /// Which agent it is said to.
    Recipient,
    /// Words to search by: other words may ask the same.
    Query,
    /// What a call is about. Other arguments are beside the point.
    Primary,
    /// What a call writes. No other argument is beside the point.
    Payload,
    /// The path that a label shows.
    ShownPath,
    /// What is looked for or run, as a label shows it.
    ShownMatter,
    /// Which of its jobs a tool is to do, as a label shows it.
    ShownJob,
    /// A fresh value with every call: it says nothing about what the call does.
    Nonce,
}

use ArgumentRole::{
    Code, Command, Content, Directory, File, Job, Message, NewText, Nonce, OldText, Path, Payload,
    Place, Primary, Query, Recipient, ShownJob, ShownMatter, ShownPath, SubCommand,
};

impl ArgumentRole {
    const COUNT: usize = Nonce as usize + 1;
}

/// A name of an argument.
pub(crate) struct Argument {
    name: &'static str,
    tag: Tag,
    /// The place of the name among those of a role, the most telling first. Zero if it does not play the role.
    ranks: [u8; ArgumentRole::COUNT],
    /// The roles that it plays, as bits.
    roles: u32,
}

const fn of(name: &'static str) -> Argument {
    Argument {
        name,
        tag: Tag::of_name(name),
        ranks: [0; ArgumentRole::COUNT],
        roles: 0,
    }
}

impl Argument {
    const fn role(mut self, role: ArgumentRole, rank: u8) -> Self {
        self.ranks[role as usize] = rank;
        self.roles |= 1 << role as u32;
        self
    }

    /// Looks up a name.
    pub(crate) fn named(name: &str) -> &'static Self {
        let mut slot = slot_of(name.as_bytes());
        // There are empty slots.
        while let Some(row) = ARGUMENTS.get(usize::from(SLOTS[slot])) {
            if row.name == name {
                return row;
            }
            slot = (slot + 1) % SLOTS.len();
        }
        &UNKNOWN
    }

    pub(crate) fn plays(&self, role: ArgumentRole) -> bool {
        self.roles & (1 << role as u32) != 0
    }

    /// The place of the name among those of a role, from 1, the most telling first.
    pub(crate) fn rank(&self, role: ArgumentRole) -> Option<u8> {
        Some(self.ranks[role as usize]).filter(|rank| *rank > 0)
    }
}

/// A member of the arguments of a call.
pub(crate) struct Member<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) value: JsonRef<'a>,
    pub(crate) known: &'static Argument,
    /// The tag of the name.
    pub(crate) tag: Tag,
}

impl<'a> Member<'a> {
    pub(crate) fn new(name: Cow<'a, str>, value: JsonRef<'a>) -> Self {
        let known = Argument::named(&name);
        let tag = if known.name.is_empty() {
            Tag::of_name(&name)
        } else {
            known.tag
        };
        Self {
            name,
            value,
            known,
            tag,
        }
    }

    /// Name and value as they are written in `whole`, the object that the member was found in. The name is a known one:
    /// nothing in it is escaped.
    pub(crate) fn written(&self, whole: JsonRef<'a>) -> &'a str {
        let (whole, value) = (whole.as_str(), self.value.as_str());
        let start = value.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
        // Quotes around the name, and a colon.
        let name = self.known.name.len() + 3;
        whole
            .get(start.saturating_sub(name)..start + value.len())
            .unwrap_or_default()
    }
}

/// The arguments of a call by their roles.
pub(crate) struct Roles {
    /// The place of the member with the most telling name for each role.
    places: [u32; ArgumentRole::COUNT],
    /// The ranks of the names that are there for each role, as bits.
    ranks: [u32; ArgumentRole::COUNT],
}

impl Roles {
    pub(crate) fn of(members: &[Member<'_>]) -> Self {
        let mut roles = Self {
            places: [u32::MAX; ArgumentRole::COUNT],
            ranks: [0; ArgumentRole::COUNT],
        };
        for (place, member) in members.iter().enumerate() {
            let mut left = member.known.roles;
            while left != 0 {
                let role = left.trailing_zeros() as usize;
                left &= left - 1;
                if TEXT & (1 << role) != 0 && !member.value.as_str().starts_with('"') {
                    continue;
                }
                let bit = 1 << member.known.ranks[role];
                // The lowest bit is the most telling name.
                if roles.ranks[role] & (bit - 1) == 0 {
                    roles.places[role] = place as u32;
                }
                roles.ranks[role] |= bit;
            }
        }
        roles
    }

    /// The place of the member with the most telling name; behind all members if there is none.
    pub(crate) fn place(&self, role: ArgumentRole) -> usize {
        self.places[role as usize] as usize
    }

    /// How many arguments play the role.
    pub(crate) fn count(&self, role: ArgumentRole) -> usize {
        self.ranks[role as usize].count_ones() as usize
    }

    /// The most telling rank that arguments of both roles have.
    pub(crate) fn common_rank(&self, one: ArgumentRole, other: ArgumentRole) -> Option<u8> {
        let common = self.ranks[one as usize] & self.ranks[other as usize];
        (common != 0).then(|| common.trailing_zeros() as u8)
    }
}

/// The roles that only a string can play, as bits.
const TEXT: u32 =
    1 << Path as u32 | 1 << SubCommand as u32 | 1 << Directory as u32 | 1 << Message as u32;

static UNKNOWN: Argument = of("");

/// The rows by [`slot_of`] their names, each in the first slot from there on that was free.
static SLOTS: [u8; 512] = {
    assert!(ARGUMENTS.len() < 255, "a row has a byte for its number");
    let mut slots = [u8::MAX; 512];
    let mut row = 0;
    while row < ARGUMENTS.len() {
        let mut slot = slot_of(ARGUMENTS[row].name.as_bytes());
        while slots[slot] != u8::MAX {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = row as u8;
        row += 1;
    }
    slots
};

/// A slot for a name: a few of its bytes tell most names apart.
const fn slot_of(name: &[u8]) -> usize {
    if let [first, .., last] = name {
        let middle = name[name.len() / 2] as usize;
        let ends = *first as usize * 7 + *last as usize * 31;
        (ends + middle * 97 + name.len() * 13) % 512
    } else {
        name.len()
    }
}

/// The names, shorter ones first.
static ARGUMENTS: [Argument; 95] = [
    of("f").role(Path, 6),
    of("q").role(Query, 3),
    of("op").role(SubCommand, 4).role(Job, 5).role(ShownJob, 3),
    of("to").role(NewText, 9).role(Recipient, 1),
    of("cmd").role(Command, 2).role(ShownMatter, 5),
    of("cwd").role(Directory, 2),
    of("new").role(NewText, 6),
    of("old").role(OldText, 6),
    of("sql").role(Code, 4),
    of("url").role(Primary, 10).role(ShownMatter, 1),
    of("body").role(Payload, 1),
    of("code")
        .role(Code, 1)
        .role(Payload, 2)
        .role(ShownMatter, 6),
    of("data").role(Payload, 4),
    of("diff").role(Payload, 5),
    of("file").role(Path, 4).role(File, 4).role(ShownPath, 4),
    of("from").role(OldText, 9),
    of("line").role(Place, 2),
    of("mode").role(Job, 4),
    of("name").role(ShownMatter, 7),
    of("path")
        .role(Path, 1)
        .role(File, 1)
        .role(Primary, 7)
        .role(ShownPath, 1),
    of("task").role(Message, 7),
    of("text")
        .role(Content, 5)
        .role(Message, 2)
        .role(Payload, 16),
    of("after").role(NewText, 7),
    of("agent").role(Recipient, 2),
    of("edits").role(Payload, 6),
    of("input").role(Payload, 8),
    of("limit").role(Primary, 5),
    of("nonce").role(Nonce, 1),
    of("patch").role(Payload, 15),
    of("query")
        .role(Query, 4)
        .role(Primary, 9)
        .role(ShownMatter, 2),
    of("terms").role(Query, 11),
    of("action")
        .role(SubCommand, 2)
        .role(Job, 1)
        .role(ShownJob, 1),
    of("append").role(Place, 4),
    of("before").role(OldText, 7),
    of("method").role(Job, 3).role(ShownJob, 4),
    of("offset").role(Place, 3).role(Primary, 6),
    of("prompt").role(Message, 3),
    of("script").role(Code, 2),
    of("search").role(OldText, 8).role(Query, 6),
    of("target").role(Recipient, 6),
    of("command")
        .role(Command, 1)
        .role(SubCommand, 1)
        .role(Job, 2)
        .role(Primary, 1)
        .role(ShownMatter, 4),
    of("content")
        .role(Content, 1)
        .role(Message, 6)
        .role(Primary, 2)
        .role(Payload, 3),
    of("message").role(Message, 1).role(Payload, 10),
    of("newText").role(NewText, 5),
    of("new_str").role(NewText, 2).role(Payload, 11),
    of("oldText").role(OldText, 5),
    of("old_str").role(OldText, 2).role(Payload, 13),
    of("pattern").role(Primary, 8).role(ShownMatter, 3),
    of("replace").role(NewText, 8),
    of("request").role(Message, 8),
    of("session").role(Recipient, 7),
    of("workdir").role(Directory, 1),
    of("contents").role(Content, 2),
    of("filePath").role(Path, 3),
    of("filename")
        .role(Path, 5)
        .role(File, 3)
        .role(Primary, 4)
        .role(ShownPath, 3),
    of("keywords").role(Query, 1),
    of("new_text").role(NewText, 4),
    of("old_text").role(OldText, 4),
    of("question").role(Query, 5),
    of("trace_id").role(Nonce, 2),
    of("directory").role(Directory, 4),
    of("file_name").role(Path, 9),
    of("file_path")
        .role(Path, 2)
        .role(File, 2)
        .role(Primary, 3)
        .role(ShownPath, 2),
    of("file_text").role(Content, 3).role(Payload, 7),
    of("key_words").role(Query, 2),
    of("newString").role(NewText, 3),
    of("oldString").role(OldText, 3),
    of("operation")
        .role(SubCommand, 3)
        .role(Job, 6)
        .role(ShownJob, 2),
    of("recipient").role(Recipient, 4),
    of("requestId").role(Nonce, 3),
    of("timestamp").role(Nonce, 4),
    of("agent_name").role(Recipient, 3),
    of("new_string").role(NewText, 1).role(Payload, 12),
    of("old_string").role(OldText, 1).role(Payload, 14),
    of("request_id").role(Nonce, 5),
    of("session_id").role(Recipient, 8),
    of("insert_line").role(Place, 1),
    of("insert_text").role(Payload, 9),
    of("instruction").role(Message, 4),
    of("searchQuery").role(Query, 10),
    of("search_term").role(Query, 8),
    of("source_code").role(Code, 3),
    of("target_file").role(Path, 7),
    of("file_content").role(Content, 4),
    of("instructions").role(Message, 5),
    of("search_query").role(Query, 7),
    of("search_terms").role(Query, 9),
    of("notebook_path").role(ShownPath, 5),
    of("relative_path").role(Path, 8),
    of("subagent_type").role(Recipient, 5),
    of("correlation_id").role(Nonce, 6),
    of("idempotencyKey").role(Nonce, 7),
    of("idempotency_key").role(Nonce, 8),
    of("client_request_id").role(Nonce, 9),
    of("working_directory").role(Directory, 3),
];

/// Names of arguments that hold what is put somewhere.
pub(crate) const VALUES: [&str; 32] = [
    "amount",
    "body",
    "colour",
    "color",
    "content",
    "contents",
    "count",
    "data",
    "file_text",
    "input",
    "items",
    "level",
    "new",
    "newValue",
    "new_value",
    "number",
    "percent",
    "plan",
    "price",
    "quantity",
    "rate",
    "score",
    "size",
    "steps",
    "temperature",
    "text",
    "to",
    "todos",
    "val",
    "value",
    "values",
    "volume",
];

/// Names of arguments that hold the place, although they may be in the name of a tool: `set_field {"field": …}`.
pub(crate) const PLACES: [&str; 8] = [
    "cell", "element", "field", "file", "key", "option", "property", "row",
];

/// Values of an argument that chooses one of the jobs of a tool: those that only read, such as `view` of an editor.
pub(crate) const READING_JOBS: [&str; 6] = ["cat", "find", "list", "open", "read", "view"];

/// The same: those that ask how far something has got.
pub(crate) const POLLING_JOBS: [&str; 5] = ["log", "output", "poll", "status", "wait"];

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
