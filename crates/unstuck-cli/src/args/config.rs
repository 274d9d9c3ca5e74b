//! What `unstuck config` takes, and the options about configuration that many commands share.

use std::path::PathBuf;

use clap::{
    Args as ClapArgs, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _},
};
use unstuck::Preset;

/// Where settings come from.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Settings")]
pub(crate) struct ConfigArgs {
    /// The settings to start from, whatever the configuration files name.
    #[arg(long, value_name = "NAME", value_parser = presets())]
    pub(crate) preset: Option<Preset>,

    /// A configuration file, on top of the user's and the project's.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Ignore the user's and the project's configuration files.
    #[arg(long)]
    pub(crate) no_config: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigCommandArgs {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Find mistakes.
    ///
    /// Reads the configuration as `unstuck check` would, or only the files given (the later ones winning), and reports
    /// what is wrong: with file, line, column and a suggestion. Warnings tell what can never have an effect. The exit
    /// code is 2 if there are errors.
    #[command(after_help = "\
Examples:
  unstuck config check
  unstuck config check unstuck.toml
  unstuck config check base.toml override.toml")]
    Check(ConfigCheckArgs),

    /// Print the JSON schema of `unstuck.toml`.
    ///
    /// Editors complete and check keys with it. All keys are optional.
    #[command(after_help = "\
Examples:
  unstuck config schema > unstuck.schema.json
  unstuck config schema | jq '.\"$defs\".Cycle.properties | keys'")]
    Schema,

    /// Print the settings in effect.
    ///
    /// Complete settings as TOML, preset, files, options and environment put together; comments say where they come
    /// from. A secret is not shown.
    #[command(after_help = "\
Examples:
  unstuck config show
  unstuck config show --preset attractor --no-config")]
    Show(ConfigShowArgs),

    /// Let the project's file count in hooks.
    ///
    /// The agent that is watched could write the project's `unstuck.toml`, so hooks use it only with the contents that a
    /// person trusted. Look at it, then trust it; after a change it has to be trusted again. The user's own file always
    /// counts.
    #[command(after_help = "\
Examples:
  unstuck config trust
  unstuck config trust path/to/unstuck.toml")]
    Trust(ConfigTrustArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigCheckArgs {
    /// Files to check in place of those that count here.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigShowArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConfigTrustArgs {
    /// The file; the project's if none is given.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

pub(super) fn presets() -> impl clap::builder::TypedValueParser<Value = Preset> {
    let names =
        Preset::ALL.map(|preset| PossibleValue::new(preset.as_str()).help(preset.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Preset>())
}
