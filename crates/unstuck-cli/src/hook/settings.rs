//! Settings of one hook.

use std::{fs, path::Path};

use anyhow::Result;
use unstuck::{Mode, Settings};
use unstuck_config::Layer;
use unstuck_hosts::Hook;

use crate::{
    configuration::{existing, layer, project_file_of, user_file},
    home::Home,
    log::Log,
};

/// The user's settings, with those of a project that a person trusted. A file that cannot be used is as if it were not
/// there.
pub(super) fn settings(hook: &Hook, mode: Option<Mode>, home: &Home, log: &Log) -> Settings {
    let mut settings = load(hook, home, log).unwrap_or_else(|error| {
        let first = format!("{error:#}");
        let who = format!("{} {}", hook.host, hook.session);
        log.line(&who, &format!("the configuration is ignored: {first}"));
        Settings::default()
    });
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

fn load(hook: &Hook, home: &Home, log: &Log) -> Result<Settings> {
    let mut layers = Vec::new();
    if let Some(path) = existing(user_file())? {
        layers.push(layer(&path)?);
    }
    if let Some(directory) = &hook.directory
        && let Some(path) = project_file_of(Path::new(&**directory))?
    {
        let bytes = fs::read(&path)?;
        if home.trusts(&path, &bytes) {
            layers.push(Layer::from_bytes(path.display().to_string(), bytes)?);
        } else {
            let who = format!("{} {}", hook.host, hook.session);
            let path = path.display();
            log.line(
                &who,
                &format!("{path} is not trusted and ignored; see `unstuck config trust`"),
            );
        }
    }
    Ok(unstuck_config::load(&layers, None)?.settings)
}
