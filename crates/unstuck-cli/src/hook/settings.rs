//! Settings of one hook.

use std::path::Path;

use unstuck::{Mode, Settings};
use unstuck_hosts::Hook;

use crate::{configuration, home::Home, log::Log};

/// The user's settings, with those of the project as far as it is trusted or only tightens. A file that cannot be used
/// is left out, and the log says why.
pub(super) fn settings(hook: &Hook, mode: Option<Mode>, home: &Home, log: &Log) -> Settings {
    let who = || format!("{} {}", hook.host, hook.session);
    let directory = hook.directory.as_deref().map(Path::new);
    let configuration = configuration::of_hook(directory, home).unwrap_or_else(|error| {
        log.line(&who(), &format!("the configuration is ignored: {error:#}"));
        configuration::Configuration::default()
    });
    for notice in &configuration.notices {
        let help = notice.help.as_deref().unwrap_or_default();
        log.line(&who(), &format!("{}; {help}", notice.message));
    }
    let mut settings = configuration.settings;
    if let Some(mode) = mode {
        settings.mode = mode;
    }
    if let Some(attendance) = hook.attendance {
        settings.attendance = attendance;
    }
    let allowed = home.allowances().into_iter();
    let allowed = allowed.filter(|allowance| allowance.covers(hook));
    let exempt = allowed.map(|allowance| allowance.settings());
    settings.tools.splice(0..0, exempt);
    settings
}
