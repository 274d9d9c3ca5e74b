//! Every recording tells what the file beside it says.
//!
//! `UNSTUCK_BLESS=1 cargo test -p unstuck-transcript` writes those files anew; look at the difference before committing.

use std::{env, fs};

use crate::told::{fixtures, told};

#[test]
fn every_recording_tells_what_is_written_beside_it() {
    let bless = env::var_os("UNSTUCK_BLESS").is_some();
    let mut wrong = Vec::new();
    for (format, path, bytes) in fixtures() {
        let told = told(format, &bytes);
        let golden = path.with_extension("events");
        if bless {
            fs::write(&golden, &told).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if told != expected {
            wrong.push(format!("{}:\n{told}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
