//! What keys do to the world: the same as `unstuck reset` and `unstuck allow`.

use anyhow::Result;

use super::{
    app::{Effect, Notice},
    model::Key,
};
use crate::{
    commands::{allow, reset, sessions},
    home::{Allowance, Home},
    person,
};

/// Carries it out, and says what came of it.
pub(super) fn carry_out(effect: &Effect, home: &Home) -> Option<Notice> {
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

fn lift(key: &Key, home: &Home) -> Result<String> {
    person::ensure()?;
    let (session, paths) = sessions::find(home, &key.session)?;
    let store = home.store();
    for path in &paths {
        reset::reset(&store, path)?;
    }
    Ok(format!(
        "{session}: cleared; the next call is judged afresh"
    ))
}

fn exempt(key: &Key, tool: &str, home: &Home) -> Result<String> {
    person::ensure()?;
    let allowance = Allowance {
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
