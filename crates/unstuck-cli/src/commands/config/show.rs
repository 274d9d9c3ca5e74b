//! `unstuck config show`: the settings in effect.

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};

use crate::{
    args::{ConfigArgs, OutputArgs},
    commands::Run,
    configuration,
};

/// Print the settings in effect.
///
/// Complete settings as TOML, preset, files, options and environment put together; comments say where they come
/// from. A secret is not shown.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck config show
  unstuck config show --preset attractor --no-config")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    output: OutputArgs<ShowFormat>,

    #[command(flatten)]
    config: ConfigArgs,
}

/// Formats of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    /// As `unstuck.toml` has them, with comments that name the files.
    Toml,
    /// One JSON document for programs.
    Json,
}

impl Run for ShowArgs {
    fn run(&self) -> Result<ExitCode> {
        show(self)
    }
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let mut settings = configuration.settings;
    let has_secret = !std::mem::take(&mut settings.secret).is_empty();
    let mut out = args.output.open()?;
    if args.output.format()? == ShowFormat::Json {
        let mut settings = serde_json::to_value(&settings)?;
        settings["prices"] = serde_json::to_value(&configuration.prices)?;
        if let Some(fail) = configuration.fail {
            settings["fail"] = fail.as_str().into();
        }
        settings["notify"] = serde_json::to_value(&configuration.notify)?;
        out.json(&settings)?;
        out.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "# Settings in effect. Later lines win over earlier ones:"
    )?;
    let by = if args.config.preset.is_some() {
        " (--preset)"
    } else {
        ""
    };
    writeln!(out, "# - preset {}{by}", settings.preset)?;
    for source in &configuration.sources {
        writeln!(out, "# - {} ({})", source.path.display(), source.describe())?;
    }
    if configuration.mode.is_some() {
        writeln!(out, "# - UNSTUCK_MODE")?;
    }
    if unstuck_session::fail_from_environment()?.is_some() {
        writeln!(out, "# - UNSTUCK_FAIL")?;
    }
    if let Some(fail) = configuration.fail {
        write!(out, "\nfail = \"{}\"", fail.as_str())?;
    }
    let mut text = unstuck_config::to_toml(&settings)?;
    if has_secret {
        // A value in its place would be the secret of a file that is made of this.
        text = text.replacen("secret = \"\"\n", "# `secret` is set and not shown.\n", 1);
    }
    write!(out, "\n{text}")?;
    let prices = unstuck_config::prices_to_toml(&configuration.prices)?;
    if !prices.is_empty() {
        write!(out, "\n{prices}")?;
    }
    let notify = unstuck_config::notify_to_toml(&configuration.notify)?;
    if !notify.is_empty() {
        write!(out, "\n{notify}")?;
    }
    let spending = unstuck_config::spending_to_toml(&configuration.spending)?;
    if !spending.is_empty() {
        write!(out, "\n{spending}")?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
