//! What becomes of calls that cannot be judged or recorded, where no file says it.

use std::env;

use unstuck_config::{Fail, nearest};

use crate::error::{Error, Result};

/// What becomes of calls that cannot be judged or recorded, over what files say.
pub const FAIL_VARIABLE: &str = "UNSTUCK_FAIL";

/// Returns what the variable `UNSTUCK_FAIL` says.
pub fn fail_from_environment() -> Result<Option<Fail>> {
    let Some(word) = env::var_os(FAIL_VARIABLE).filter(|word| !word.is_empty()) else {
        return Ok(None);
    };
    let word = word.to_string_lossy();
    word.parse().map(Some).map_err(|_| {
        let meant = nearest(&word, ["open", "closed"]);
        let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Error::Refused(format!(
            "{FAIL_VARIABLE} must be open or closed, not `{word}`{hint}"
        ))
    })
}

/// Fails where a test asks for it, so that the way through a fault can be tested with the program itself. Optimised
/// builds have no such switch.
///
/// # Panics
///
/// In a build with debug assertions, if the variable `UNSTUCK_TEST_FAULT` is set.
pub fn fault_of_a_test() {
    #[cfg(debug_assertions)]
    assert!(
        env::var_os("UNSTUCK_TEST_FAULT").is_none(),
        "a test asked for this fault"
    );
}
