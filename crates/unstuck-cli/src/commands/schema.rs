//! `unstuck schema`: the JSON schemas of what unstuck reads and writes.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use serde_json::Value;

use crate::{
    args::{SchemaArgs, SchemaName},
    style::{CODE, paint},
};

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
        about: "`unstuck scan --output json`",
        make: unstuck_report::json_schema,
    },
    Schema {
        name: SchemaName::ScanLines,
        file: "schema/scan-lines.schema.json",
        about: "each line of `unstuck scan --output jsonl`",
        make: unstuck_report::json_lines_schema,
    },
];

impl Schema {
    /// The schema as indented JSON.
    pub(crate) fn text(&self) -> String {
        format!("{:#}\n", (self.make)())
    }
}

pub(crate) fn run(args: &SchemaArgs) -> Result<ExitCode> {
    let Some(asked) = args.name else {
        let mut out = anstream::stdout().lock();
        for schema in &ALL {
            let name = format!("{:<10}", schema.name.as_str());
            writeln!(out, "{}  {}", paint(CODE, &name), schema.about)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = io::stdout().lock();
    for schema in ALL.iter().filter(|schema| schema.name == asked) {
        out.write_all(schema.text().as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
