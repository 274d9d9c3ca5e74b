//! Parses every line of some files and does nothing with it: what `cargo xtask bench-scan` compares the scan with.

use std::{
    env,
    fs::File,
    hint::black_box,
    io::{self, BufRead as _, BufReader},
};

fn main() -> io::Result<()> {
    let mut line = Vec::new();
    for path in env::args_os().skip(1) {
        let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
        while file.read_until(b'\n', &mut line)? > 0 {
            let value: serde_json::Value = serde_json::from_slice(&line)?;
            black_box(&value);
            line.clear();
        }
    }
    Ok(())
}
