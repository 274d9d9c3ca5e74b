//! `unstuck schema`: the JSON schemas of what unstuck reads and writes.

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::Value;

use super::Run;
use crate::{
    args::FileArgs,
    style::{CODE, paint},
};

/// Print a JSON schema.
///
/// The schemas of the configuration and of what `unstuck scan` writes. A JSON report names the schema it follows in
/// `$schema`; that name can be given here, too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck schema
  unstuck schema config -o unstuck.schema.json
  unstuck schema scan > scan.schema.json
  unstuck schema urn:unstuck:schema:scan:1")]
pub(crate) struct SchemaArgs {
    /// Name of the schema, or the `$schema` of a report; without one the schemas are listed.
    #[arg(value_name = "NAME")]
    name: Option<SchemaName>,

    #[command(flatten)]
    output: FileArgs,
}

/// The name of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// The configuration file, `unstuck.toml`.
    Config,
    /// What `unstuck scan --format json` writes.
    #[value(alias = "urn:unstuck:schema:scan:1")]
    Scan,
    /// Each line that `unstuck scan --format jsonl` writes.
    #[value(alias = "urn:unstuck:schema:scan-lines:1")]
    ScanLines,
}

impl SchemaName {
    fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Scan => "scan",
            Self::ScanLines => "scan-lines",
        }
    }
}

/// A schema that is printed and committed.
pub(crate) struct Schema {
    pub(crate) name: SchemaName,
    /// Its file in the repository.
    pub(crate) file: &'static str,
    about: &'static str,
    make: fn() -> Value,
}

/// All of them.
pub(crate) const ALL: [Schema; 3] = [
    Schema {
        name: SchemaName::Config,
        file: "schema/unstuck.schema.json",
        about: "unstuck.toml",
        make: unstuck_config::schema,
    },
    Schema {
        name: SchemaName::Scan,
        file: "schema/scan.schema.json",
        about: "`unstuck scan --format json`",
        make: unstuck_report::json_schema,
    },
    Schema {
        name: SchemaName::ScanLines,
        file: "schema/scan-lines.schema.json",
        about: "each line of `unstuck scan --format jsonl`",
        make: unstuck_report::json_lines_schema,
    },
];

impl Schema {
    /// The schema as indented JSON.
    pub(crate) fn text(&self) -> String {
        format!("{:#}\n", (self.make)())
    }
}

impl Run for SchemaArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &SchemaArgs) -> Result<ExitCode> {
    let mut out = args.output.open()?;
    let Some(asked) = args.name else {
        for schema in &ALL {
            let name = format!("{:<10}", schema.name.as_str());
            writeln!(out, "{}  {}", paint(CODE, &name), schema.about)?;
        }
        out.finish()?;
        return Ok(ExitCode::SUCCESS);
    };
    for schema in ALL.iter().filter(|schema| schema.name == asked) {
        out.write_all(schema.text().as_bytes())?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
