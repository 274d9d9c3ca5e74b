//! The Python package beside literal implementations of the founding classes.

use super::Language;
use crate::package::python_check;

pub(super) static PYTHON: Language = Language {
    name: "python",
    measure: |build| {
        let environment = python_check::environment(build)?;
        let python = build.shell.program(environment.program("python"));
        python.arg("bindings/python/benches/calls.py").run()?;
        Ok(())
    },
};
