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
    /// what is wrong: with file, line, column and a suggestion. Warnings name settings that can never have an effect, and a
    /// project's file that is ignored because a person has not trusted it. The exit code is 2 if there are errors.
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

    /// Trust the project's file.
    ///
    /// A project's `unstuck.toml` may have been written by a stranger or by the agent that is watched, so it is applied only
    /// where it makes nothing looser, unless a person has trusted its contents. Look at it, then trust it; after a change
    /// it has to be trusted again. A file of another user cannot be trusted. The user's own file is always applied. Runs
    /// only in a terminal, and not for an agent.
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
