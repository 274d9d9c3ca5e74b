//! Links the program so that it starts quickly. ADR 97 and ADR 119 have the numbers.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    // At a fixed address: without one, every pointer in its tables is written anew at every start.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_static = features.split(',').any(|feature| feature == "crt-static");
    if is_static || env::var_os("HOST") != env::var_os("TARGET") {
        return;
    }
    // With the unwinder in it: loading the library that has it takes a seventh of a start.
    if let Some(unwinder) = unwinder() {
        println!("cargo::rustc-link-arg-bins=-Wl,--whole-archive");
        println!("cargo::rustc-link-arg-bins={}", unwinder.display());
        println!("cargo::rustc-link-arg-bins=-Wl,--no-whole-archive");
    }
}

/// The unwinder as an archive, which comes with GCC.
fn unwinder() -> Option<PathBuf> {
    let output = Command::new("cc")
        .arg("-print-file-name=libgcc_eh.a")
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let path = Path::new(path.trim());
    // The name alone, where there is none.
    (path.is_absolute() && path.is_file()).then(|| path.to_owned())
}
