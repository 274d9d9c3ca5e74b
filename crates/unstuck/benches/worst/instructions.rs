//! Counting of instructions with callgrind: the count is the same in every run, however busy the machine is.

use std::process::Command;

use super::inputs::Input;

/// Instructions a byte of one pass over an input of this size, which another process makes under valgrind.
pub(super) fn per_byte(input: &Input, size: usize) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*worst*measured*")
        .arg(std::env::current_exe().unwrap())
        .args(["only", input.part, input.name, &size.to_string()])
        .output()
        .expect("counting instructions needs valgrind");
    let printed = String::from_utf8_lossy(&output.stdout);
    let bytes: f64 = printed.trim().parse().expect("the number of bytes");
    let report = String::from_utf8_lossy(&output.stderr);
    collected(&report).expect("valgrind reports the number of instructions") / bytes
}

/// The number in valgrind's `Collected : 261002442`.
fn collected(report: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}
