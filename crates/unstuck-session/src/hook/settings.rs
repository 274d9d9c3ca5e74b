//! Settings of one hook.

use std::path::Path;

use unstuck::{Mode, Settings};
use unstuck_config::Fail;
use unstuck_hosts::Hook;

use crate::{configuration, fail::fail_from_environment, log::Log, state_dir::StateDir};

/// What a hook is judged by.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HookSettings {
    /// The settings in effect.
    pub settings: Settings,
    /// What becomes of a call that cannot be judged.
    pub fail: Fail,
    /// Whether a file of the user was left out because it has mistakes or cannot be read.
    pub is_incomplete: bool,
}

/// The user's settings, with those of the project as far as it is trusted or only tightens. A file that cannot be used
/// is left out, and the log says why.
pub fn settings(hook: &Hook, mode: Option<Mode>, state: &StateDir, log: &Log) -> HookSettings {
    let who = || format!("{} {}", hook.host, hook.session);
    let directory = hook.directory.as_deref().map(Path::new);
    let configuration = configuration::of_hook(directory, state).unwrap_or_else(|error| {
        let why = error.with_causes();
        log.lasting(&who(), &format!("the configuration is ignored: {why}"));
        configuration::Configuration::default()
    });
    for notice in &configuration.notices {
        let help = notice.help.as_deref().unwrap_or_default();
        log.lasting(&who(), &format!("{}; {help}", notice.message));
    }
    let fail = fail_from_environment().unwrap_or_else(|error| {
        log.lasting(&who(), &format!("ignored: {}", error.with_causes()));
        None
    });
    let fail = fail.or(configuration.fail).unwrap_or(Fail::Open);
    let mut settings = configuration.settings;
    if let Some(mode) = mode {
        settings.mode = mode;
    }
    if let Some(attendance) = hook.attendance {
        settings.attendance = attendance;
    }
    let exemptions = state.exemptions().into_iter();
    let exemptions = exemptions.filter(|exemption| exemption.covers(hook));
    let exempt = exemptions.map(|exemption| exemption.settings());
    settings.tools.splice(0..0, exempt);
    HookSettings {
        settings,
        fail,
        is_incomplete: configuration.is_incomplete,
    }
}
