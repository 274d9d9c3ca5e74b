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

use std::mem;

use pyo3::{
    exceptions::{PyException, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple},
};
use unstuck_json::{Composer, Json};

/// Length of the text in bytes from which no further value is written.
const MOST_BYTES: usize = 16 << 20;

/// Integers with fewer digits than 19 are written as they are even where numbers of different types differ.
const SMALL: u64 = 1_000_000_000_000_000_000;

/// Containers within containers. Canonical JSON has up to 128 levels, one of which is the event around the value.
const DEEPEST: usize = 127;

const CUT: &str = "<cut>";
const CYCLE: &str = "<cycle>";
const TOO_DEEP: &str = "<nested too deeply>";

/// A Python value on its way to the engine. It holds nothing of Python's, so what is left to do needs no interpreter.
pub(crate) struct Value(Json);

impl Value {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// What `str()` of an object raises, where it is not an `Exception`: an interrupt stops here, too.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(value, Numbers::Json)
    }

    /// Reads a value so that numbers of different types differ, as in the text of `json.dumps`: `1` and `1.0` are two values.
    /// For comparisons with what was read in the same way only.
    pub(crate) fn with_types(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(value, Numbers::Typed)
    }

    fn read(value: &Bound<'_, PyAny>, numbers: Numbers) -> PyResult<Self> {
        let mut writer = Writer {
            out: Composer::with_capacity(room(value)),
            numbers,
            ..Writer::default()
        };
        writer.value(value)?;
        Ok(Self(finished(writer.out)))
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.as_str().len()
    }

    /// The canonical form.
    pub(crate) fn into_json(self) -> Json {
        self.0
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        Self(json)
    }
}

/// Returns the JSON text that a value is compared by: equal texts are equal arguments.
#[pyfunction]
pub(crate) fn canonical(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(Value::of(value)?.into_json().as_str().to_owned())
}

/// Bytes that the text of a value will have, about, as far as that is known without reading it.
fn room(value: &Bound<'_, PyAny>) -> usize {
    let of_text = |value: &Bound<'_, PyAny>| {
        let length = value.cast::<PyString>().map(|text| text.len().unwrap_or(0));
        // Line breaks and quotes take two bytes.
        length.map_or(8, |length| length + length / 16 + 8)
    };
    let most = MOST_BYTES / 4;
    match value.cast::<PyDict>() {
        Ok(members) if members.len() <= FEW => {
            let members = members.iter();
            members
                .map(|(_, value)| 24 + of_text(&value))
                .sum::<usize>()
                .min(most)
        }
        _ => of_text(value).min(most),
    }
}

/// The writer keeps within the limits of canonical JSON.
fn finished(composer: Composer) -> Json {
    let json = composer.finish();
    json.unwrap_or_else(|error| Json::string(&format!("<not JSON: {error}>")))
}

/// Members of a dictionary up to which they are put in order before they are written: later it takes moving their values.
const FEW: usize = 32;

/// Writes canonical JSON. The length of the text is at most [`MOST_BYTES`] and what one string or number adds.
#[derive(Default)]
struct Writer {
    out: Composer,
    /// Bytes that were written elsewhere.
    aside: usize,
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

impl Writer {
    /// Appends a value.
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = value.cast::<PyString>() {
            match text.to_str() {
                Ok(text) => self.string(text),
                Err(_) => self.string(&without_halves(text)),
            }
        } else if let Ok(members) = value.cast::<PyDict>() {
            self.within(value, |writer| writer.members(members))?;
        } else if value.is_none() {
            self.out.null();
        } else if let Ok(truth) = value.cast::<PyBool>() {
            self.out.boolean(truth.is_true());
        } else if let Ok(integer) = value.cast::<PyInt>() {
            self.integer(integer)?;
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
            self.string(&text);
        }
        Ok(())
    }

    /// Appends a string, or its beginning.
    fn string(&mut self, text: &str) {
        match self.beginning(text) {
            None => self.out.string(text),
            Some(beginning) => self.out.string(&beginning),
        }
    }

    fn name(&mut self, name: &str) {
        match self.beginning(name) {
            None => self.out.name(name),
            Some(beginning) => self.out.name(&beginning),
        }
    }

    /// The beginning of a text that is too long.
    fn beginning(&mut self, text: &str) -> Option<String> {
        let left = MOST_BYTES.saturating_sub(self.written());
        if text.len() <= left {
            return None;
        }
        let end = (0..=left).rev().find(|at| text.is_char_boundary(*at));
        let beginning = &text[..end.unwrap_or(0)];
        self.is_cut = true;
        Some(format!("{beginning}{CUT}"))
    }

    fn integer(&mut self, integer: &Bound<'_, PyInt>) -> PyResult<()> {
        if let Ok(small) = integer.extract::<i64>()
            && (self.numbers == Numbers::Json || small.unsigned_abs() < SMALL)
        {
            self.out.integer(small);
            return Ok(());
        }
        let digits = digits(integer)?;
        if self.numbers == Numbers::Typed {
            self.typed(&digits);
        } else {
            self.out.number(&digits);
        }
        Ok(())
    }

    fn float(&mut self, number: f64) {
        let text = format!("{number:?}");
        if self.numbers == Numbers::Typed {
            self.typed(&text);
        } else if number.is_nan() {
            self.out.string("NaN");
        } else if number.is_infinite() {
            let name = if number > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            };
            self.out.string(name);
        } else {
            self.out.number(&text);
        }
    }

    fn typed(&mut self, number: &str) {
        self.out.string(&format!("\0number {number}"));
    }

    /// Writes a container, unless it contains itself or is nested too deeply.
    fn within(
        &mut self,
        container: &Bound<'_, PyAny>,
        write: impl FnOnce(&mut Self) -> PyResult<()>,
    ) -> PyResult<()> {
        let address = container.as_ptr().addr();
        if self.around.contains(&address) {
            self.out.string(CYCLE);
            return Ok(());
        }
        if self.around.len() >= DEEPEST {
            self.out.string(TOO_DEEP);
            return Ok(());
        }
        self.around.push(address);
        let written = write(self);
        self.around.pop();
        written
    }

    fn members(&mut self, members: &Bound<'_, PyDict>) -> PyResult<()> {
        // All at once: the `str()` of a value may change the dictionary.
        let mut pairs: Vec<_> = members.iter().collect();
        if pairs.len() <= FEW && pairs.iter().all(|(name, _)| plain_name(name).is_some()) {
            // Members with equal names keep their order: the last is taken.
            pairs.sort_by(|(one, _), (other, _)| plain_name(one).cmp(&plain_name(other)));
        }
        self.out.begin_object();
        for (name, value) in &pairs {
            if self.cuts() {
                self.out.name(CUT);
                self.out.string(CUT);
                break;
            }
            if let Some(name) = plain_name(name) {
                self.name(name);
            } else {
                let name = name_text(name)?;
                self.name(&name);
            }
            self.value(value)?;
        }
        self.out.end();
        Ok(())
    }

    fn elements<'py>(&mut self, elements: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        self.out.begin_array();
        for element in elements {
            if self.cuts() {
                self.out.string(CUT);
                break;
            }
            self.value(&element)?;
        }
        self.out.end();
        Ok(())
    }

    /// Writes the elements in the order of their texts: equal sets come in any order.
    fn set(&mut self, set: &Bound<'_, PyAny>) -> PyResult<()> {
        let elements: Vec<_> = set.try_iter()?.collect::<PyResult<_>>()?;
        let mut texts = Vec::with_capacity(elements.len());
        let aside = self.aside;
        let around = mem::take(&mut self.out);
        self.aside += around.written();
        let mut failed = None;
        for element in &elements {
            if self.cuts() {
                texts.push(Json::string(CUT));
                break;
            }
            failed = self.value(element).err();
            if failed.is_some() {
                break;
            }
            let text = finished(mem::take(&mut self.out));
            self.aside += text.as_str().len() + 1;
            texts.push(text);
        }
        (self.out, self.aside) = (around, aside);
        if let Some(error) = failed {
            return Err(error);
        }
        texts.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        self.out.begin_array();
        for text in &texts {
            self.out.json(text.view());
        }
        self.out.end();
        Ok(())
    }

    /// Whether enough is written.
    fn cuts(&mut self) -> bool {
        self.is_cut |= self.written() >= MOST_BYTES;
        self.is_cut
    }

    fn written(&self) -> usize {
        self.aside + self.out.written()
    }
}

/// The text of a name that is a string without halves of surrogate pairs.
fn plain_name<'a>(name: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    name.cast::<PyString>().ok()?.to_str().ok()
}

/// A string with U+FFFD for each half of a surrogate pair.
fn without_halves(text: &Bound<'_, PyString>) -> String {
    // A type of the caller may have another method of this name.
    let kind = text.py().get_type::<PyString>();
    let encoded = kind.call_method1("encode", (text, "utf-16-le", "surrogatepass"));
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

/// An integer as `json.dumps` writes it. One that Python refuses to write in decimal digits has hexadecimal ones.
fn digits(integer: &Bound<'_, PyInt>) -> PyResult<String> {
    let kind = integer.py().get_type::<PyInt>();
    match kind.call_method1("__repr__", (integer,)) {
        Ok(digits) => Ok(digits.cast::<PyString>()?.to_string_lossy().into_owned()),
        Err(error) if error.is_instance_of::<PyValueError>(integer.py()) => {
            let digits = kind.call_method1("__format__", (integer, "x"))?;
            let digits = digits.cast::<PyString>()?.to_string_lossy().into_owned();
            let end = digits.len().min(MOST_BYTES);
            Ok(format!("0x{}", &digits[..end]))
        }
        Err(error) => Err(error),
    }
}

/// The text of a name that is not such a string.
fn name_text(name: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = name.cast::<PyString>() {
        return Ok(without_halves(text));
    }
    if name.is_none() {
        return Ok("null".to_owned());
    }
    if let Ok(truth) = name.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if let Ok(integer) = name.cast::<PyInt>() {
        return digits(integer);
    }
    text_of(name)
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
