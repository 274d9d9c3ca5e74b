//! A clock that is wrong for one process only.

use std::process::Command;

use crate::run::Place;

/// A library that shifts what the C library says about the time.
pub(crate) struct Clock {
    library: std::path::PathBuf,
}

const SOURCE: &str = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = syscall(SYS_clock_gettime, clock, time);
    const char *wrong = getenv("CLOCK_WRONG_BY"), *passed = getenv("CLOCK_PASSED");
    if (!failed && wrong && clock == CLOCK_REALTIME) time->tv_sec += atol(wrong);
    if (!failed && passed) time->tv_sec += atol(passed);
    return failed;
}
"#;

impl Clock {
    /// `None` where there is no C compiler, or none for this system.
    pub(crate) fn build(place: &Place) -> Option<Self> {
        place.write("clock.c", SOURCE);
        let library = place.path("clock.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(&library);
        let built = compiler.arg(place.path("clock.c")).status().ok()?;
        (cfg!(target_os = "linux") && built.success()).then_some(Self { library })
    }

    /// A command whose wall clock is wrong by some seconds, some seconds after now.
    pub(crate) fn set(&self, command: &mut Command, wrong_by: i64, passed: i64) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("CLOCK_WRONG_BY", wrong_by.to_string())
            .env("CLOCK_PASSED", passed.to_string());
    }
}
