//! Python values as JSON.
//!
//! The text is what `json.dumps(value, sort_keys=True, default=str)` means: strings, numbers, booleans, `None`, lists, tuples
//! and dictionaries are themselves, everything else is its `str()`. Where `json.dumps` raises, or writes what is not JSON,
//! a text stands for the value, so that a guard can judge any call:
//!
//! | value | stands for it |
//! |---|---|
//! | an object that contains itself | `"<cycle>"` where it comes again |
//! | a container nested over 127 levels deep | `"<nested too deeply>"` |
//! | an object whose `str()` raises | `"<TYPE: str() raised ERROR>"` |
//! | not a number, infinities | `"NaN"`, `"Infinity"`, `"-Infinity"` |
//! | an integer of over 4,300 digits | its hexadecimal digits, as a string |
//! | a set | the list of its elements, in the order of their texts |
//! | a key that is not a string | its text, as `json.dumps` writes numbers, booleans and `None`; else its `str()` |
//! | half of a surrogate pair | U+FFFD |
//! | what is behind the first 16 MiB of the text | `"<cut>"`, once |

use std::fmt::Write as _;

use pyo3::{
    exceptions::{PyException, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple},
};
use unstuck_json::Json;

/// Length of the text in bytes from which no further value is written.
const MOST_BYTES: usize = 16 << 20;

/// Containers within containers. The reader takes 128 levels, one of which is the event around the value.
const DEEPEST: usize = 127;

const CUT: &str = "\"<cut>\"";
const CYCLE: &str = "\"<cycle>\"";
const TOO_DEEP: &str = "\"<nested too deeply>\"";

/// A Python value on its way to the engine. It holds nothing of Python's, so what is left to do needs no interpreter.
pub(crate) enum Value {
    /// Canonical already.
    Done(Json),
    /// JSON, as long as it is not canonical.
    Text(String),
}

impl Value {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// What `str()` of an object raises, where it is not an `Exception`: an interrupt stops here, too.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::Done(Json::null()));
        }
        // Most results are one string, whose canonical form needs no second pass.
        if let Ok(text) = value.cast::<PyString>()
            && let Ok(text) = text.to_str()
            && text.len() <= MOST_BYTES
        {
            return Ok(Self::Done(Json::string(text)));
        }
        if let Ok(members) = value.cast::<PyDict>()
            && let Some(json) = flat(members)
        {
            return Ok(Self::Done(json));
        }
        let mut writer = Writer::default();
        writer.value(value)?;
        Ok(Self::Text(writer.out))
    }

    /// Reads a value so that numbers of different types differ, as in the text of `json.dumps`: `1` and `1.0` are two values.
    /// For comparisons with what was read in the same way only.
    pub(crate) fn with_types(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut writer = Writer {
            numbers: Numbers::Typed,
            ..Writer::default()
        };
        writer.value(value)?;
        Ok(Self::Text(writer.out))
    }

    /// Length in bytes, about.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Done(json) => json.as_str().len(),
            Self::Text(text) => text.len(),
        }
    }

    /// The canonical form.
    pub(crate) fn into_json(self) -> Json {
        match self {
            Self::Done(json) => json,
            // The writer keeps within the limits of the reader.
            Self::Text(text) => Json::lossy(text.as_bytes())
                .unwrap_or_else(|error| Json::string(&format!("<not JSON: {error}>"))),
        }
    }
}

/// Returns the JSON text that a value is compared by: equal texts are equal arguments.
#[pyfunction]
pub(crate) fn canonical(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(Value::of(value)?.into_json().as_str().to_owned())
}

/// Writes JSON. The length of the text is at most [`MOST_BYTES`] and what one string or number adds.
#[derive(Default)]
pub(crate) struct Writer {
    out: String,
    /// Addresses of the containers around the present value.
    around: Vec<usize>,
    is_cut: bool,
    numbers: Numbers,
}

/// How numbers are written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Numbers {
    /// As JSON has them: `1` and `1.0` are one number.
    #[default]
    Json,
    /// What is not a small integer is a string that begins with U+0000, as hardly any other does.
    Typed,
}

/// What a number begins with that is written as a string.
const TYPED: &str = "\"\\u0000number ";

impl Writer {
    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.out
    }

    /// Appends a value.
    pub(crate) fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = value.cast::<PyString>() {
            self.string(text);
        } else if let Ok(members) = value.cast::<PyDict>() {
            self.within(value, |writer| writer.members(members))?;
        } else if value.is_none() {
            self.out.push_str("null");
        } else if let Ok(truth) = value.cast::<PyBool>() {
            self.out
                .push_str(if truth.is_true() { "true" } else { "false" });
        } else if let Ok(integer) = value.cast::<PyInt>() {
            let digits = digits(integer)?;
            if self.numbers == Numbers::Typed && digits.len() > 18 {
                self.typed(digits.trim_matches('"'));
            } else {
                self.out.push_str(&digits);
            }
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.float(number.value());
        } else if let Ok(list) = value.cast::<PyList>() {
            self.within(value, |writer| writer.elements(list.iter()))?;
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            self.within(value, |writer| writer.elements(tuple.iter()))?;
        } else if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
            self.within(value, |writer| writer.set(value))?;
        } else {
            let text = text_of(value)?;
            self.push_string(&text);
        }
        Ok(())
    }

    fn string(&mut self, text: &Bound<'_, PyString>) {
        match text.to_str() {
            Ok(text) => self.push_string(text),
            Err(_) => self.push_string(&without_halves(text)),
        }
    }

    /// Appends a string, or its beginning.
    fn push_string(&mut self, text: &str) {
        let left = MOST_BYTES.saturating_sub(self.out.len());
        if text.len() <= left {
            Json::push_string(text, &mut self.out);
            return;
        }
        let end = (0..=left).rev().find(|at| text.is_char_boundary(*at));
        let beginning = &text[..end.unwrap_or(0)];
        Json::push_string(&format!("{beginning}<cut>"), &mut self.out);
        self.is_cut = true;
    }

    fn float(&mut self, number: f64) {
        if self.numbers == Numbers::Typed {
            self.typed(&format!("{number:?}"));
        } else if number.is_finite() {
            // Writing to a string cannot fail.
            let _ = write!(self.out, "{number:?}");
        } else {
            let name = if number.is_nan() {
                "\"NaN\""
            } else if number > 0.0 {
                "\"Infinity\""
            } else {
                "\"-Infinity\""
            };
            self.out.push_str(name);
        }
    }

    fn typed(&mut self, number: &str) {
        self.out.push_str(TYPED);
        self.out.push_str(number);
        self.out.push('"');
    }

    /// Writes a container, unless it contains itself or is nested too deeply.
    fn within(
        &mut self,
        container: &Bound<'_, PyAny>,
        write: impl FnOnce(&mut Self) -> PyResult<()>,
    ) -> PyResult<()> {
        let address = container.as_ptr().addr();
        if self.around.contains(&address) {
            self.out.push_str(CYCLE);
            return Ok(());
        }
        if self.around.len() >= DEEPEST {
            self.out.push_str(TOO_DEEP);
            return Ok(());
        }
        self.around.push(address);
        let written = write(self);
        self.around.pop();
        written
    }

    fn members(&mut self, members: &Bound<'_, PyDict>) -> PyResult<()> {
        // All at once: the `str()` of a value may change the dictionary.
        let pairs: Vec<_> = members.iter().collect();
        self.out.push('{');
        for (at, (key, value)) in pairs.iter().enumerate() {
            if at > 0 {
                self.out.push(',');
            }
            if self.cuts() {
                self.out.push_str("\"<cut>\":");
                self.out.push_str(CUT);
                break;
            }
            if let Ok(key) = key.cast::<PyString>() {
                self.string(key);
            } else {
                let key = key_text(key)?;
                self.push_string(&key);
            }
            self.out.push(':');
            self.value(value)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn elements<'py>(&mut self, elements: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        self.out.push('[');
        for (at, element) in elements.enumerate() {
            if at > 0 {
                self.out.push(',');
            }
            if self.cuts() {
                self.out.push_str(CUT);
                break;
            }
            self.value(&element)?;
        }
        self.out.push(']');
        Ok(())
    }

    /// Writes the elements in the order of their texts: equal sets come in any order.
    fn set(&mut self, set: &Bound<'_, PyAny>) -> PyResult<()> {
        let elements: Vec<_> = set.try_iter()?.collect::<PyResult<_>>()?;
        let start = self.out.len();
        let mut texts = Vec::with_capacity(elements.len());
        for element in &elements {
            if self.cuts() {
                texts.push(CUT.to_owned());
                break;
            }
            let from = self.out.len();
            self.value(element)?;
            texts.push(self.out[from..].to_owned());
        }
        texts.sort_unstable();
        self.out.truncate(start);
        self.out.push('[');
        self.out.push_str(&texts.join(","));
        self.out.push(']');
        Ok(())
    }

    /// Whether enough is written.
    fn cuts(&mut self) -> bool {
        self.is_cut |= self.out.len() >= MOST_BYTES;
        self.is_cut
    }
}

/// The canonical form of a dictionary of texts, small integers, booleans and `None`, as most arguments are: it needs no second
/// pass. `None` for any other one.
fn flat(members: &Bound<'_, PyDict>) -> Option<Json> {
    let pairs: Vec<_> = members.iter().collect();
    let mut parts = Vec::with_capacity(pairs.len());
    let mut length = 0;
    for (key, value) in &pairs {
        let key = key.cast::<PyString>().ok()?.to_str().ok()?;
        let value = if let Ok(text) = value.cast::<PyString>() {
            let text = text.to_str().ok()?;
            length += text.len();
            if length > MOST_BYTES {
                return None;
            }
            Json::string(text)
        } else if value.is_none() {
            Json::null()
        } else if let Ok(truth) = value.cast::<PyBool>() {
            Json::from(truth.is_true())
        } else {
            Json::from(value.cast::<PyInt>().ok()?.extract::<i64>().ok()?)
        };
        length += key.len();
        parts.push((key, value));
    }
    // Keys of ASCII are in the order of their bytes. Others are left to the reader, which knows the order of all.
    if length > MOST_BYTES || !parts.iter().all(|(key, _)| key.is_ascii()) {
        return None;
    }
    parts.sort_unstable_by_key(|(key, _)| *key);
    // A string of another type may be equal to one of `str` as text, and yet be a key of its own.
    if parts.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    Some(Json::object(
        parts.iter().map(|(key, value)| (*key, value.view())),
    ))
}

/// A string with U+FFFD for each half of a surrogate pair.
fn without_halves(text: &Bound<'_, PyString>) -> String {
    let encoded = text.call_method1("encode", ("utf-16-le", "surrogatepass"));
    let Ok(bytes) = encoded.and_then(|bytes| bytes.extract::<Vec<u8>>()) else {
        return text.to_string_lossy().into_owned();
    };
    let units = bytes
        .chunks_exact(2)
        .map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    let chars = char::decode_utf16(units);
    chars
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// An integer as `json.dumps` writes it. One that Python refuses to write in decimal digits is a string of hexadecimal ones.
fn digits(integer: &Bound<'_, PyInt>) -> PyResult<String> {
    if let Ok(small) = integer.extract::<i64>() {
        return Ok(small.to_string());
    }
    let kind = integer.py().get_type::<PyInt>();
    match kind.call_method1("__repr__", (integer,)) {
        Ok(digits) => Ok(digits.cast::<PyString>()?.to_string_lossy().into_owned()),
        Err(error) if error.is_instance_of::<PyValueError>(integer.py()) => {
            let digits = kind.call_method1("__format__", (integer, "x"))?;
            let digits = digits.cast::<PyString>()?.to_string_lossy().into_owned();
            let end = digits.len().min(MOST_BYTES);
            Ok(format!("\"0x{}\"", &digits[..end]))
        }
        Err(error) => Err(error),
    }
}

/// The text of a key that is not a string.
fn key_text(key: &Bound<'_, PyAny>) -> PyResult<String> {
    if key.is_none() {
        return Ok("null".to_owned());
    }
    if let Ok(truth) = key.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if let Ok(integer) = key.cast::<PyInt>() {
        return Ok(digits(integer)?.trim_matches('"').to_owned());
    }
    text_of(key)
}

/// The `str()` of an object, or what stands for it.
pub(crate) fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let error = match object.str() {
        Ok(text) => return Ok(text.to_string_lossy().into_owned()),
        Err(error) => error,
    };
    let py = object.py();
    if !error.is_instance_of::<PyException>(py) {
        return Err(error);
    }
    let name = |kind: &Bound<'_, PyAny>| match kind.getattr("__name__") {
        Ok(name) => name.to_string(),
        Err(_) => "object".to_owned(),
    };
    Ok(format!(
        "<{}: str() raised {}>",
        name(object.get_type().as_any()),
        name(error.get_type(py).as_any())
    ))
}
