//! `unstuck top`.

use std::time::Duration;

use clap::Args as ClapArgs;
use unstuck_scan::Since;

use super::ConfigArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  The agents of the last four hours:
    unstuck top

  All that were active today, looked at twice a second:
    unstuck top --since 24h --interval 0.5

  One look, as text, for a script or a status line:
    unstuck top --once | head -3";

#[derive(Debug, ClapArgs)]
pub(crate) struct TopArgs {
    /// Only agents that did something after this: 90m, 12h, 7d, a day or a time.
    #[arg(long, value_name = "TIME", default_value = "4h")]
    pub(crate) since: Since,

    /// Seconds between two looks, from 0.1 to 3600.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = interval)]
    pub(crate) interval: Duration,

    /// Print what there is to see as plain text, once.
    #[arg(long)]
    pub(crate) once: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

fn interval(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "a number of seconds, such as 2 or 0.5")?;
    if !(0.1..=3600.0).contains(&seconds) {
        return Err("from 0.1 to 3600 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}
