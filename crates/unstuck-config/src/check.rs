//! One layer against the schema: every mistake with its place.

use std::{collections::BTreeMap, ops::Range};

use toml::{
    Spanned, Value,
    de::{DeTable, DeValue},
};
use unstuck::settings::{Template, TemplateError, ToolPattern};

use crate::{
    diagnostic::Diagnostic,
    layer::Layer,
    nearest::nearest,
    pattern::foreign_pattern,
    shape::{self, Accepts, Shape, Table, Text},
};

/// Errors that are reported for one layer. Each one costs a look at the text before its place, and a file of a stranger
/// can be nothing but errors.
const MAX_ERRORS: usize = 1_000;

/// The contents of one layer.
pub(crate) struct Checked {
    /// In the order of their places.
    pub(crate) errors: Vec<Diagnostic>,
    /// Tool patterns that can hardly be meant as they are written.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Everything that is as it should be.
    pub(crate) table: toml::Table,
    /// The position of every key: `rules.cycle.nudge`, `tools[0].tool`.
    pub(crate) places: BTreeMap<String, Range<usize>>,
}

/// Checks a layer. Its first entry for a tool gets the number `first_tool`.
pub(crate) fn check(layer: &Layer, first_tool: usize) -> Checked {
    let mut walk = Walk {
        layer,
        first_tool,
        errors: Vec::new(),
        warnings: Vec::new(),
        places: BTreeMap::new(),
    };
    let (document, errors) = DeTable::parse_recoverable(&layer.text);
    // Text around a syntax error is often misread, so further mistakes would only follow from it.
    let table = if errors.is_empty() {
        walk.table("", document.get_ref(), &shape::FILE)
    } else {
        for error in errors {
            walk.syntax(&error);
        }
        toml::Table::new()
    };
    walk.errors.sort_by_key(|(at, _)| *at);
    Checked {
        errors: walk.errors.into_iter().map(|(_, error)| error).collect(),
        warnings: walk.warnings,
        table,
        places: walk.places,
    }
}

struct Walk<'a> {
    layer: &'a Layer,
    first_tool: usize,
    /// With the bytes where they begin.
    errors: Vec<(usize, Diagnostic)>,
    warnings: Vec<Diagnostic>,
    places: BTreeMap<String, Range<usize>>,
}

impl Walk<'_> {
    fn table(&mut self, path: &str, found: &DeTable<'_>, table: &Table) -> toml::Table {
        let mut values = toml::Table::new();
        for (name, value) in found {
            let path = join(path, name.get_ref());
            let Some(key) = table.key(name.get_ref()) else {
                self.unknown_key(&path, name, table);
                continue;
            };
            self.places.insert(path.clone(), name.span());
            if let Some(value) = self.value(&path, value, &key.shape) {
                values.insert(key.name.clone(), value);
            }
        }
        values
    }

    fn value(&mut self, path: &str, found: &Spanned<DeValue<'_>>, shape: &Shape) -> Option<Value> {
        match (shape, found.get_ref()) {
            (Shape::Table(table), DeValue::Table(found)) => {
                Some(Value::Table(self.table(path, found, table)))
            }
            (Shape::List(one), DeValue::Array(found)) => {
                let first = if path == "tools" { self.first_tool } else { 0 };
                let values = found.iter().enumerate().filter_map(|(at, found)| {
                    let path = format!("{path}[{}]", first + at);
                    self.entry(&path, found, one)
                });
                Some(Value::Array(values.collect()))
            }
            (Shape::Map(one), DeValue::Table(found)) => {
                let mut values = toml::Table::new();
                for (name, found) in found {
                    let path = join(path, name.get_ref());
                    self.places.insert(path.clone(), name.span());
                    if let Some(value) = self.entry(&path, found, one) {
                        values.insert(name.get_ref().clone().into_owned(), value);
                    }
                }
                Some(Value::Table(values))
            }
            (Shape::Value(accepts), value) => {
                let accepted = accept(accepts, value);
                if accepted.is_none() {
                    self.refuse(path, found, accepts);
                }
                if let (Some(Text::Template), DeValue::String(text)) = (accepts.text, value) {
                    self.template(path, text, &found.span());
                }
                accepted
            }
            (Shape::Table(_) | Shape::Map(_), value) => {
                self.wrong_type(path, "a table", value, &found.span());
                None
            }
            (Shape::List(_), value) => {
                self.wrong_type(path, "an array", value, &found.span());
                None
            }
        }
    }

    /// One member of a list or of a map. Nothing is laid over anything here, so it must be complete.
    fn entry(&mut self, path: &str, found: &Spanned<DeValue<'_>>, shape: &Shape) -> Option<Value> {
        let value = self.value(path, found, shape)?;
        self.places.insert(path.to_owned(), found.span());
        if let (Shape::Table(table), DeValue::Table(entry)) = (shape, found.get_ref()) {
            for name in &table.required {
                if !entry.contains_key(name.as_str()) {
                    let message = format!("an entry of `{}` needs `{name}`", spoken(path));
                    let described = table.key(name).map(|key| key.description.as_str());
                    let help = described.map(|text| format!("`{name}`: {text}"));
                    self.error(&found.span(), message, help);
                }
            }
            self.examples(entry);
            self.pattern(entry);
        }
        Some(value)
    }

    /// A pattern in the syntax of another program.
    fn pattern(&mut self, entry: &DeTable<'_>) {
        let Some(tool) = entry.get("tool") else {
            return;
        };
        let pattern = tool.get_ref().as_str().unwrap_or_default();
        if let Some(help) = foreign_pattern(pattern)
            && self.warnings.len() < MAX_ERRORS
        {
            let message =
                format!("the pattern \"{pattern}\" matches only a tool of exactly that name");
            let place = self.layer.place(&tool.span());
            let warning = Diagnostic::warning(message, help).at(place);
            self.warnings.push(warning);
        }
    }

    /// The examples that go with a tool's pattern.
    fn examples(&mut self, entry: &DeTable<'_>) {
        let Some(pattern) = entry.get("tool").and_then(|tool| tool.get_ref().as_str()) else {
            return;
        };
        let tool = ToolPattern::new(pattern);
        for (key, wanted) in [("match", true), ("not_match", false)] {
            let examples = entry.get(key).and_then(|list| list.get_ref().as_array());
            for example in examples.into_iter().flat_map(|list| list.iter()) {
                if let Some(name) = example.get_ref().as_str()
                    && tool.matches(name) != wanted
                {
                    let message = if wanted {
                        format!("the pattern \"{pattern}\" does not match its example \"{name}\"")
                    } else {
                        format!("the pattern \"{pattern}\" matches \"{name}\", which it must not")
                    };
                    let help = "`*` stands for any run of characters, `?` for one; the whole name must match";
                    self.error(&example.span(), message, Some(help.into()));
                }
            }
        }
    }

    fn template(&mut self, path: &str, text: &str, span: &Range<usize>) {
        let Err(error) = Template::new(text) else {
            return;
        };
        let mut span = span.clone();
        let mut help = None;
        if let TemplateError::UnknownPlaceholder(name) = &error {
            let source = self.layer.text.get(span.clone()).unwrap_or_default();
            let placeholder = format!("{{{name}}}");
            if let Some(at) = source.find(&placeholder) {
                span = span.start + at..span.start + at + placeholder.len();
            }
            let known = Template::PLACEHOLDERS.iter().copied();
            help = nearest(name, known).map(|known| format!("did you mean `{{{known}}}`?"));
        }
        self.error(&span, format!("`{}`: {error}", spoken(path)), help);
    }

    fn refuse(&mut self, path: &str, found: &Spanned<DeValue<'_>>, accepts: &Accepts) {
        let help = match found.get_ref() {
            DeValue::String(text) => {
                let words = accepts.words.iter().map(|word| word.word.as_str());
                let bare = (accepts.boolean && matches!(&**text, "true" | "false"))
                    || (accepts.integer.is_some() && text.parse::<i64>().is_ok())
                    || (accepts.number.is_some() && text.parse::<f64>().is_ok());
                if bare {
                    Some(format!("write {text} without the quotes"))
                } else {
                    let near = nearest(text, words).map(|word| format!("did you mean \"{word}\"?"));
                    near.or_else(|| (path == "preset").then(|| PRESETS.to_owned()))
                }
            }
            DeValue::Integer(number) => match (number.as_str(), accepts.integer) {
                ("0", Some(_)) if accepts.words.iter().any(|word| word.word == "never") => {
                    Some("write \"never\" to switch this threshold off".to_owned())
                }
                (number, Some((_, most)))
                    if number.parse().is_ok_and(|n: i128| n > most.into()) =>
                {
                    Some(format!("{most} is the largest"))
                }
                _ => None,
            },
            _ => None,
        };
        let message = not(path, &accepts.expected(), found.get_ref());
        self.error(&found.span(), message, help);
    }

    fn wrong_type(&mut self, path: &str, wanted: &str, found: &DeValue<'_>, span: &Range<usize>) {
        let help = match (path, found) {
            ("tools", _) => Some("start every entry with `[[tools]]`".to_owned()),
            ("rules", DeValue::Array(_)) => {
                Some("write one table for each rule, such as `[rules.exact-repeat]`".to_owned())
            }
            (path, DeValue::Array(_)) => {
                Some(format!("write `[{}]`, in single brackets", spoken(path)))
            }
            _ => None,
        };
        self.error(span, not(path, wanted, found), help);
    }

    fn unknown_key(
        &mut self,
        path: &str,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        table: &Table,
    ) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let path = spoken(path);
        let name_text = &**name.get_ref();
        let parent = path
            .strip_suffix(name_text)
            .map_or("", |parent| parent.trim_end_matches('.'));
        let message = match parent {
            "" => format!("unknown key `{name_text}`"),
            "rules" | "texts" => format!("unknown rule `{name_text}` in `{parent}`"),
            parent => format!("unknown key `{name_text}` in `{parent}`"),
        };
        let help = nearest(name_text, table.names())
            .map(|known| format!("did you mean `{known}`?"))
            .or_else(|| home(name_text))
            .unwrap_or_else(|| {
                let names: Vec<_> = table.names().map(|name| format!("`{name}`")).collect();
                format!("it can be {}", shape::or(&names))
            });
        self.error(&name.span(), message, Some(help));
    }

    fn syntax(&mut self, error: &toml::de::Error) {
        let end = self.layer.text.len();
        let mut span = error.span().unwrap_or(end..end);
        let text = &self.layer.text;
        let rest = text.get(span.start..).unwrap_or_default();
        let line = text[..span.start.min(end)]
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let word: String = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            .collect();
        let is_value = line.trim_end().ends_with('=');
        let help = if is_value && word.starts_with(char::is_alphabetic) {
            span.end = span.end.max(span.start + word.len());
            Some(format!("strings stand in quotes: \"{word}\""))
        } else if is_value
            && rest
                .trim_start_matches([' ', '\t'])
                .starts_with(['\n', '\r', '#'])
        {
            Some("a value is missing after `=`".to_owned())
        } else if error.message().starts_with("duplicate key") {
            first_of(text, &span)
        } else {
            None
        };
        let message = format!("this is not TOML: {}", error.message());
        self.error(&span, message, help);
    }

    fn error(&mut self, span: &Range<usize>, message: String, help: Option<String>) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let place = self.layer.place(span);
        let error = Diagnostic::error(message).at(place).help(help);
        self.errors.push((span.start, error));
    }
}

/// Said of a preset that does not exist.
const PRESETS: &str = "presets are not levels of strictness: each one reproduces a detector; `[rules.NAME]` sets \
                       thresholds, and `unstuck rules --preset NAME` shows those of a preset";

/// The first position of the key or table that is repeated at `span`.
fn first_of(text: &str, span: &Range<usize>) -> Option<String> {
    let start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let meant = key_of(text.get(start..)?.lines().next()?)?;
    let is_table = meant.starts_with('[');
    let mut first = None;
    for (number, line) in text[..start].lines().enumerate() {
        let Some(key) = key_of(line) else {
            continue;
        };
        if !is_table && key.starts_with('[') {
            // Keys of earlier tables are others.
            first = None;
        } else if key == meant && first.is_none() {
            first = Some((number + 1, line.trim()));
        }
    }
    let (number, line) = first?;
    let shown: String = line.chars().take(80).collect();
    Some(format!("the first one is on line {number}: {shown}"))
}

/// The key or table that a line defines: `nudge`, or `[rules.cycle]`.
fn key_of(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('[') {
        return line.find(']').map(|end| &line[..=end]);
    }
    let (key, _) = line.split_once('=')?;
    (!key.starts_with('#')).then(|| key.trim())
}

/// The value, if it is one of those that are accepted.
fn accept(accepts: &Accepts, found: &DeValue<'_>) -> Option<Value> {
    match found {
        DeValue::String(text) => {
            let known = accepts.words.iter().any(|word| word.word == **text);
            (known || accepts.text.is_some()).then(|| Value::String(text.clone().into_owned()))
        }
        DeValue::Boolean(value) => accepts.boolean.then_some(Value::Boolean(*value)),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix()).ok()?;
            if let Some((least, most)) = accepts.integer {
                return (least..=most)
                    .contains(&number)
                    .then_some(Value::Integer(number));
            }
            #[expect(
                clippy::cast_precision_loss,
                reason = "such numbers are amounts of money"
            )]
            float(number as f64, accepts)
        }
        DeValue::Float(number) => float(number.as_str().parse().ok()?, accepts),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn float(number: f64, accepts: &Accepts) -> Option<Value> {
    let least = accepts.number?;
    (number.is_finite() && number >= least).then_some(Value::Float(number))
}

/// Where a key of this name would be known.
fn home(name: &str) -> Option<String> {
    fn search(table: &Table, path: &str, name: &str, homes: &mut Vec<String>) {
        if table.key(name).is_some() {
            homes.push(path.to_owned());
        }
        for key in &table.keys {
            if let Shape::Table(table) = &key.shape {
                search(table, &join(path, &key.name), name, homes);
            }
        }
    }
    let mut homes = Vec::new();
    search(&shape::FILE, "", name, &mut homes);
    let first = homes.first()?;
    Some(match first.as_str() {
        "" => format!("`{name}` belongs at the top of the file, before the first table"),
        "rules" => format!("write `[rules.{name}]`"),
        _ if first.starts_with("rules.") && homes.len() > 1 => {
            format!("`{name}` belongs in the table of a rule, such as `[{first}]`")
        }
        table => format!("`{name}` belongs in `[{table}]`"),
    })
}

fn not(path: &str, wanted: &str, found: &DeValue<'_>) -> String {
    let found = match found {
        DeValue::String(text) if text.chars().count() <= 40 => format!("\"{text}\""),
        DeValue::String(_) => "a long string".to_owned(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    };
    format!("`{}` must be {wanted}, not {found}", spoken(path))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// A path without the numbers of entries: they count across files.
pub(crate) fn spoken(path: &str) -> String {
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |spoken, part| {
        spoken + part.split_once(']').map_or(part, |(_, rest)| rest)
    })
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
