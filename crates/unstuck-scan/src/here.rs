//! What this process runs in: the places of the user's agents.

use std::env;

use super::{
    error::Error,
    places::{Place, Surroundings, places},
};

/// The places where agents of the user keep what they record, on this machine and in the current directory.
pub fn known_places() -> Result<Vec<Place>, Error> {
    let home = etcetera::home_dir().map_err(|_| Error::Home)?;
    let here = env::current_dir().unwrap_or_default();
    Ok(places(&Surroundings {
        home: &home,
        here: &here,
        variable: &|name| env::var_os(name),
    }))
}
