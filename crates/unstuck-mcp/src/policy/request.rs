//! Converts a call to a Cedar request, as far as policies read it.

use std::collections::HashSet;

use cedar_policy::{
    Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, Request, RestrictedExpression,
};
use unstuck_json::{JsonKind, JsonRef};

use super::{
    Asked,
    needs::{Names, Needs},
    numbers,
};

const DAY: i64 = 86_400_000;

/// 1970 began on a Thursday.
const DAYS: [&str; 7] = [
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "monday",
    "tuesday",
    "wednesday",
];

/// Bytes of the limit that stand for one value. Cedar takes about a kilobyte for each.
const BYTES_PER_VALUE: usize = 64;

/// The arguments that policies read are over the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Why there is no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    TooLarge,
    /// Cedar does not take it.
    Unusable,
}

impl From<TooLarge> for Failed {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// What may still be converted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    bytes: usize,
    values: usize,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            bytes,
            values: bytes / BYTES_PER_VALUE,
        }
    }

    /// Values that fit into a limit of so many bytes.
    pub(super) fn values_of(bytes: usize) -> usize {
        bytes / BYTES_PER_VALUE
    }

    pub(super) fn take_value(&mut self) -> Result<(), TooLarge> {
        self.values = self.values.checked_sub(1).ok_or(TooLarge)?;
        Ok(())
    }

    fn take_bytes(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(TooLarge)?;
        Ok(())
    }
}

/// The request and its entities, with the arguments that these policies read.
pub(super) fn of(
    asked: &Asked<'_>,
    needs: &[&Needs],
    limit: usize,
) -> Result<(Request, Entities), Failed> {
    let mut pairs = vec![
        ("server".to_owned(), string(asked.server)),
        ("tool".to_owned(), string(asked.tool)),
        ("session".to_owned(), string(asked.session)),
        ("agent".to_owned(), string(asked.agent)),
        ("claimed".to_owned(), claimed(asked)?),
        ("time".to_owned(), time(asked.at).ok_or(Failed::Unusable)?),
    ];
    arguments(asked.arguments.view(), needs, limit, &mut pairs)?;
    let context = Context::from_pairs(pairs).map_err(|_| Failed::Unusable)?;
    request(asked, context).ok_or(Failed::Unusable)
}

fn request(asked: &Asked<'_>, context: Context) -> Option<(Request, Entities)> {
    let agent = uid("Agent", asked.agent)?;
    let session = uid("Session", asked.session)?;
    let tool = uid("Tool", &format!("{}/{}", asked.server, asked.tool))?;
    let server = uid("Server", asked.server)?;
    let action = uid("Action", "call")?;
    let entities = Entities::from_entities(
        [
            Entity::new_no_attrs(agent.clone(), HashSet::from([session])),
            Entity::new_no_attrs(tool.clone(), HashSet::from([server])),
        ],
        None,
    )
    .ok()?;
    let request = Request::new(agent, action, tool, context, None).ok()?;
    Some((request, entities))
}

/// Adds `arguments`, `types` and `numbers`, each with the members that are read.
fn arguments(
    json: JsonRef<'_>,
    needs: &[&Needs],
    limit: usize,
    pairs: &mut Vec<(String, RestrictedExpression)>,
) -> Result<(), Failed> {
    let wanted = |names: fn(&Needs) -> &Names, name: &str| {
        needs.iter().any(|needs| names(needs).contains(name))
    };
    let mentioned =
        |names: fn(&Needs) -> &Names| needs.iter().any(|needs| *names(needs) != Names::Unread);
    let of_arguments: fn(&Needs) -> &Names = |needs| &needs.arguments;
    let of_types: fn(&Needs) -> &Names = |needs| &needs.types;
    let of_numbers: fn(&Needs) -> &Names = |needs| &needs.numbers;
    let mentioned = [of_arguments, of_types, of_numbers].map(mentioned);
    if mentioned == [false; 3] {
        return Ok(());
    }
    let mut budget = Budget::new(limit);
    let (mut values, mut types, mut readings) = (Vec::new(), Vec::new(), Vec::new());
    for (name, member) in json.members() {
        let is_wanted = [of_arguments, of_types, of_numbers].map(|of| wanted(of, &name));
        if is_wanted == [false; 3] {
            continue;
        }
        budget.take_value()?;
        budget.take_bytes(name.len())?;
        if is_wanted[0] && member.kind() != JsonKind::Null {
            budget.take_bytes(member.as_str().len())?;
            values.push((name.to_string(), value(member, &mut budget)?));
        }
        if is_wanted[1] {
            types.push((name.to_string(), string(type_name(member))));
        }
        if is_wanted[2] {
            budget.take_bytes(member.as_str().len())?;
            let numbers = numbers::readings(member, &mut budget)?;
            let longs = numbers.into_iter().map(RestrictedExpression::new_long);
            readings.push((name.to_string(), RestrictedExpression::new_set(longs)));
        }
    }
    if mentioned[0] {
        // What is not an object has no members, and is converted as it is: policies that look into it fail, and a
        // `forbid` that fails forbids.
        let all = if json.kind() == JsonKind::Object {
            record(values)?
        } else {
            budget.take_bytes(json.as_str().len())?;
            value(json, &mut budget)?
        };
        pairs.push(("arguments".to_owned(), all));
    }
    if mentioned[1] {
        pairs.push(("types".to_owned(), record(types)?));
    }
    if mentioned[2] {
        pairs.push(("numbers".to_owned(), record(readings)?));
    }
    Ok(())
}

fn uid(kind: &str, id: &str) -> Option<EntityUid> {
    let kind: EntityTypeName = kind.parse().ok()?;
    Some(EntityUid::from_type_name_and_id(kind, EntityId::new(id)))
}

fn string(text: &str) -> RestrictedExpression {
    RestrictedExpression::new_string(text.to_owned())
}

fn record(members: Vec<(String, RestrictedExpression)>) -> Result<RestrictedExpression, Failed> {
    RestrictedExpression::new_record(members).map_err(|_| Failed::Unusable)
}

/// The names that the client gave. A name it did not give is absent.
fn claimed(asked: &Asked<'_>) -> Result<RestrictedExpression, Failed> {
    let names = [
        ("session", asked.claimed.session),
        ("agent", asked.claimed.agent),
        ("client", asked.claimed.client),
    ];
    let given = names.into_iter();
    let given = given.filter_map(|(name, given)| Some((name.to_owned(), string(given?))));
    record(given.collect())
}

fn time(at: i64) -> Option<RestrictedExpression> {
    let of_day = at.rem_euclid(DAY);
    let day = usize::try_from(at.div_euclid(DAY).rem_euclid(7)).ok()?;
    let long = RestrictedExpression::new_long;
    RestrictedExpression::new_record([
        ("epoch_ms".to_owned(), long(at)),
        ("hour".to_owned(), long(of_day / 3_600_000)),
        ("minute".to_owned(), long(of_day / 60_000 % 60)),
        (
            "weekday".to_owned(),
            RestrictedExpression::new_string(DAYS[day].to_owned()),
        ),
    ])
    .ok()
}

/// The name that JSON Schema has for the value's type. `7.0` is the integer 7.
fn type_name(json: JsonRef<'_>) -> &'static str {
    match json.kind() {
        JsonKind::Array => "array",
        JsonKind::Bool => "boolean",
        JsonKind::Null => "null",
        JsonKind::Number if json.integer().is_some() => "integer",
        JsonKind::Number => "number",
        JsonKind::Object => "object",
        JsonKind::String => "string",
    }
}

/// Cedar has no null, which becomes absent, and no fractions, which become strings.
fn value(json: JsonRef<'_>, budget: &mut Budget) -> Result<RestrictedExpression, Failed> {
    budget.take_value()?;
    Ok(match json.kind() {
        JsonKind::Object => {
            let mut members = Vec::new();
            for (name, member) in json.members() {
                if member.kind() != JsonKind::Null {
                    members.push((name.into_owned(), value(member, budget)?));
                }
            }
            record(members)?
        }
        JsonKind::Array => {
            let mut elements = Vec::new();
            for element in json.elements() {
                if element.kind() != JsonKind::Null {
                    elements.push(value(element, budget)?);
                }
            }
            RestrictedExpression::new_set(elements)
        }
        JsonKind::Bool => RestrictedExpression::new_bool(json.boolean() == Some(true)),
        JsonKind::Number => match json.integer() {
            Some(number) => RestrictedExpression::new_long(number),
            None => string(json.as_str()),
        },
        JsonKind::String => {
            RestrictedExpression::new_string(json.text().unwrap_or_default().into_owned())
        }
        JsonKind::Null => record(Vec::new())?,
    })
}
