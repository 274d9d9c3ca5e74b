//! What becomes of calls that cannot be judged or recorded.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of calls that cannot be judged or recorded: the state is locked, the disk is full, the settings have
/// mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fail {
    /// They run.
    Open,
    /// They are denied.
    Closed,
}

impl Fail {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }

    /// What a file with mistakes says, read leniently: a line of its own, before the first table.
    ///
    /// ```
    /// use unstuck_config::Fail;
    ///
    /// assert_eq!(Fail::of_broken("fail = \"closed\" # strict\nmode = ["), Some(Fail::Closed));
    /// assert_eq!(Fail::of_broken("[rules]\nfail = \"closed\""), None);
    /// ```
    pub fn of_broken(text: &str) -> Option<Self> {
        let mut top = text.lines().map(str::trim);
        top.by_ref()
            .take_while(|line| !line.starts_with('['))
            .find_map(|line| {
                let value = line.strip_prefix("fail")?.trim_start().strip_prefix('=')?;
                let value = value.trim_start();
                let quote = value
                    .chars()
                    .next()
                    .filter(|quote| "\"'".contains(*quote))?;
                let (word, _) = value[1..].split_once(quote)?;
                word.parse().ok()
            })
    }
}

/// A word that is neither `open` nor `closed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is neither `open` nor `closed`")]
pub struct UnknownFail;

impl FromStr for Fail {
    type Err = UnknownFail;

    fn from_str(word: &str) -> Result<Self, UnknownFail> {
        match word {
            "open" => Ok(Self::Open),
            "closed" => Ok(Self::Closed),
            _ => Err(UnknownFail),
        }
    }
}
