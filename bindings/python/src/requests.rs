//! Calls of tools in the forms that programs have them in.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};
use unstuck_json::Json;

use crate::value::Value;

/// A call as the caller describes it.
pub(crate) struct Request {
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) args: Value,
}

/// Names of the members of a call, the usual one first.
const TOOL: [&str; 2] = ["tool", "name"];
const ARGS: [&str; 3] = ["args", "arguments", "input"];

impl Request {
    /// Reads a call: the name of its tool, or a dictionary or an object that has the name in `tool` or `name`, the arguments
    /// in `args`, `arguments` or `input`, and perhaps an `id`. What lies in a member `function`, as in calls of OpenAI's
    /// API, is found there. `args` are the arguments where they are given.
    pub(crate) fn of(call: &Bound<'_, PyAny>, args: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if let Ok(name) = call.cast::<PyString>() {
            let tool = name.to_string_lossy().into_owned();
            let args = args.map_or_else(|| Ok(Json::empty_object().into()), Value::of)?;
            return Ok(Self {
                id: None,
                tool,
                args,
            });
        }
        let id = member(call, &["id"])?;
        let inner = member(call, &["function"])?.unwrap_or_else(|| call.clone());
        let Some(tool) = member(&inner, &TOOL)? else {
            return Err(PyTypeError::new_err(
                "a call is the name of a tool, or has `tool` or `name`",
            ));
        };
        let args = match args {
            Some(args) => Some(args.clone()),
            None => member(&inner, &ARGS)?,
        };
        Ok(Self {
            id: id
                .map(|id| id.str().map(|id| id.to_string_lossy().into_owned()))
                .transpose()?,
            tool: tool.str()?.to_string_lossy().into_owned(),
            args: args.map_or_else(|| Ok(Json::empty_object().into()), |args| arguments(&args))?,
        })
    }
}

/// Arguments that are the text of a JSON object, as models write them, are that object.
fn arguments(args: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(text) = args.cast::<PyString>()
        && let Ok(json) = Json::parse(&text.to_string_lossy())
    {
        return Ok(json.into());
    }
    Value::of(args)
}

/// The first of these members that is there and not `None`.
fn member<'py>(of: &Bound<'py, PyAny>, names: &[&str]) -> PyResult<Option<Bound<'py, PyAny>>> {
    for name in names {
        let found = match of.cast::<PyDict>() {
            Ok(members) => members.get_item(*name)?,
            Err(_) => of.getattr_opt(*name)?,
        };
        if let Some(found) = found.filter(|found| !found.is_none()) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
