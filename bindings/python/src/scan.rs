//! Recordings, scanned in process.

use std::path::PathBuf;

use pyo3::{exceptions::PyOSError, exceptions::PyValueError, prelude::*};
use unstuck::Settings;
use unstuck_config::Prices;
use unstuck_report::{Output, OutputKind, RenderOptions};
use unstuck_scan::{Calls, Meter, Scan, known_places};

use crate::failure::{EngineError, caught};

/// Columns of a report for the terminal.
const COLUMNS: usize = 100;

/// Scans files and directories under the settings of the preset `standard`, and returns the report as text.
#[pyfunction]
#[pyo3(signature = (paths, format = "json"))]
pub(crate) fn scan_text(py: Python<'_>, paths: Vec<PathBuf>, format: &str) -> PyResult<String> {
    rendered(py, Settings::default(), Prices::default(), paths, format)
}

/// Scans and renders without holding the interpreter's lock. It is taken about ten times a second, so that Ctrl-C and other
/// signals end the scan with the exception of their handlers.
pub(crate) fn rendered(
    py: Python<'_>,
    settings: Settings,
    prices: Prices,
    paths: Vec<PathBuf>,
    format: &str,
) -> PyResult<String> {
    let output = Output::named(format).ok_or_else(|| {
        let names: Vec<_> = Output::all().iter().map(|output| output.name()).collect();
        PyValueError::new_err(format!(
            "unknown format `{format}`; known are {}",
            names.join(", ")
        ))
    })?;
    if paths.is_empty() {
        return Err(PyValueError::new_err("no path to scan"));
    }
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        let missing = missing.display();
        return Err(pyo3::exceptions::PyFileNotFoundError::new_err(format!(
            "{missing} does not exist"
        )));
    }
    let mut interrupt = None;
    let scan = || -> Result<String, String> {
        let places = known_places().unwrap_or_default();
        let mut scan = Scan::new(settings)
            .prices(prices)
            .paths(paths)
            .places(places);
        if output.kind() == OutputKind::Page {
            scan = scan.calls(Calls::Shown);
        }
        let meter = Meter::default();
        let progress = |_| {
            if interrupt.is_none() {
                interrupt = Python::attach(|py| py.check_signals().err());
            }
            if interrupt.is_some() {
                meter.stop();
            }
        };
        let read = scan.read(scan.find(), &meter, progress);
        let report = read.map_err(|error| error.to_string())?.into_report();
        let options = RenderOptions::of_width(COLUMNS);
        output
            .render(&report, &options)
            .map_err(|error| error.to_string())
    };
    let scanned = py.detach(|| caught(scan));
    if let Some(interrupt) = interrupt {
        return Err(interrupt);
    }
    match scanned {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => Err(PyOSError::new_err(error)),
        Err(panic) => Err(EngineError::new_err(panic)),
    }
}
