//! Names of members in results, in small letters and without signs unless said otherwise.

use super::letters::Table;

/// Members that hold the message of an error, as they are written, the most telling first.
pub(crate) const MESSAGES: [&str; 8] = [
    "error", "message", "stderr", "detail", "text", "content", "output", "stdout",
];

/// Members whose value is another one with every call.
const VOLATILE: [(&str, ()); 26] = [
    ("atime", ()),
    ("completedat", ()),
    ("correlationid", ()),
    ("createdat", ()),
    ("ctime", ()),
    ("endedat", ()),
    ("etag", ()),
    ("executioncount", ()),
    ("expiresat", ()),
    ("fetchedat", ()),
    ("finishedat", ()),
    ("generatedat", ()),
    ("lastmodified", ()),
    ("lastupdated", ()),
    ("modifiedat", ()),
    ("mtime", ()),
    ("nonce", ()),
    ("pid", ()),
    ("requestid", ()),
    ("sessionid", ()),
    ("spanid", ()),
    ("startedat", ()),
    ("timestamp", ()),
    ("traceid", ()),
    ("ts", ()),
    ("updatedat", ()),
];

/// The same, where the value is a number.
const VOLATILE_NUMBERS: [(&str, ()); 5] = [
    ("date", ()),
    ("time", ()),
    ("took", ()),
    ("tookms", ()),
    ("uptime", ()),
];

/// How members begin whose number says how long something took.
pub(crate) const DURATIONS: [&[u8]; 6] = [
    b"elapsed",
    b"duration",
    b"latency",
    b"walltime",
    b"responsetime",
    b"executiontime",
];

static VOLATILE_TABLE: Table<(), 64> = Table::of(&VOLATILE);
static NUMBERS_TABLE: Table<(), 16> = Table::of(&VOLATILE_NUMBERS);

/// Whether a member has another value with every call.
pub(crate) fn is_volatile(name: &[u8]) -> bool {
    VOLATILE_TABLE.get(name).is_some()
}

/// Whether a member has another value with every call if it is a number.
pub(crate) fn is_volatile_number(name: &[u8]) -> bool {
    NUMBERS_TABLE.get(name).is_some()
}
