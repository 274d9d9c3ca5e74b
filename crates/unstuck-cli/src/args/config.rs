//! Options about configuration that many commands share.

use std::path::PathBuf;

use clap::{
    Args as ClapArgs, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _},
};
use unstuck::Preset;

/// Where settings come from.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Settings")]
pub(crate) struct ConfigArgs {
    /// Preset to start from, whatever the configuration files name.
    #[arg(long, value_name = "NAME", value_parser = presets())]
    pub(crate) preset: Option<Preset>,

    /// Configuration file that is read after the user's and the project's, and wins over them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Read neither the user's nor the project's configuration file.
    #[arg(long)]
    pub(crate) no_config: bool,
}

fn presets() -> impl clap::builder::TypedValueParser<Value = Preset> {
    let names =
        Preset::ALL.map(|preset| PossibleValue::new(preset.as_str()).help(preset.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Preset>())
}
