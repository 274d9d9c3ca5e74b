//! What keys do to the world: the same as `unstuck reset` and `unstuck allow`.

use anyhow::Result;
use unstuck_session::{Exemption, StateDir};

use super::{
    app::{Effect, Notice},
    model::Key,
};
use crate::{commands::allow, person};

/// Carries it out, and says what came of it.
pub(super) fn carry_out(effect: &Effect, home: &StateDir) -> Option<Notice> {
    let done = match effect {
        Effect::Quit => return None,
        Effect::Reset(key) => lift(key, home),
        Effect::Exempt { key, tool } => exempt(key, tool, home),
    };
    Some(match done {
        Ok(text) => Notice::Done(text),
        Err(error) => Notice::Problem(format!("{error:#}")),
    })
}

fn lift(key: &Key, home: &StateDir) -> Result<String> {
    person::ensure()?;
    let found = home.find_session(&key.session)?;
    home.reset(&found.agents)?;
    Ok(format!(
        "{}: cleared; the next call is judged afresh",
        found.name
    ))
}

fn exempt(key: &Key, tool: &str, home: &StateDir) -> Result<String> {
    person::ensure()?;
    let allowance = Exemption {
        tool: tool.to_owned(),
        session: Some(key.session.to_string()),
        directory: None,
    };
    home.allow(&allowance)?;
    Ok(format!(
        "{}; `unstuck allow '{tool}' --remove` takes it back",
        allow::describe(&allowance)
    ))
}
