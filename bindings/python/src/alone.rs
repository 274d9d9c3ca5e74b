//! The engine without Python around it, for the benchmark that says what Python adds.

use std::time::Instant;

use pyo3::{prelude::*, types::PyList};
use unstuck::{Call, Engine, Event, Settings};

use crate::value::Value;

/// Seconds that the engine takes to judge these calls, which are made before the clock runs.
#[pyfunction]
pub(crate) fn _engine_alone(tool: &str, calls: &Bound<'_, PyList>) -> PyResult<f64> {
    let events = calls.iter().enumerate().map(|(at, args)| {
        let args = Value::of(&args)?.into_json();
        Ok(Event::call(Call::new(at.to_string(), tool, args)))
    });
    let events = events.collect::<PyResult<Vec<_>>>()?;
    let mut engine = Engine::new(Settings::default());
    let start = Instant::now();
    for event in events {
        engine.observe(event);
    }
    Ok(start.elapsed().as_secs_f64())
}
