//! Arguments of `unstuck schema`.

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaArgs {
    /// The schema; without a name they are listed.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<SchemaName>,
}

/// The name of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// The configuration file, `unstuck.toml`.
    Config,
    /// What `unstuck scan --output json` writes.
    Scan,
    /// Each line that `unstuck scan --output jsonl` writes.
    ScanLines,
}

impl SchemaName {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Scan => "scan",
            Self::ScanLines => "scan-lines",
        }
    }
}
