//! A call as Cedar sees it.

use std::collections::HashSet;

use cedar_policy::{
    Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, Request, RestrictedExpression,
};
use unstuck::{JsonKind, JsonRef};

use super::Asked;

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

/// The question, and what it speaks of.
pub(super) fn of(asked: &Asked<'_>) -> Option<(Request, Entities)> {
    let agent = uid("Agent", asked.agent)?;
    let session = uid("Session", asked.session)?;
    let tool = uid("Tool", &format!("{}/{}", asked.server, asked.tool))?;
    let server = uid("Server", asked.server)?;
    let action = uid("Action", "call")?;
    let string = |text: &str| RestrictedExpression::new_string(text.to_owned());
    let context = Context::from_pairs([
        ("server".to_owned(), string(asked.server)),
        ("tool".to_owned(), string(asked.tool)),
        ("session".to_owned(), string(asked.session)),
        ("agent".to_owned(), string(asked.agent)),
        ("claimed".to_owned(), claimed(asked)?),
        ("time".to_owned(), time(asked.at)?),
        ("arguments".to_owned(), value(asked.arguments.view())?),
    ])
    .ok()?;
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

fn uid(kind: &str, id: &str) -> Option<EntityUid> {
    let kind: EntityTypeName = kind.parse().ok()?;
    Some(EntityUid::from_type_name_and_id(kind, EntityId::new(id)))
}

/// The names that the client gave. A name it did not give is absent.
fn claimed(asked: &Asked<'_>) -> Option<RestrictedExpression> {
    let names = [
        ("session", asked.claimed.session),
        ("agent", asked.claimed.agent),
        ("client", asked.claimed.client),
    ];
    let given = names.into_iter().filter_map(|(name, given)| {
        let given = RestrictedExpression::new_string(given?.to_owned());
        Some((name.to_owned(), given))
    });
    RestrictedExpression::new_record(given).ok()
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

/// Cedar has no null, which becomes absent, and no fractions, which become strings.
fn value(json: JsonRef<'_>) -> Option<RestrictedExpression> {
    match json.kind() {
        JsonKind::Object => {
            let members = json.members();
            let present = members.filter(|(_, value)| value.kind() != JsonKind::Null);
            let members: Option<Vec<_>> = present
                .map(|(name, member)| Some((name.into_owned(), value(member)?)))
                .collect();
            RestrictedExpression::new_record(members?).ok()
        }
        JsonKind::Array => {
            let elements = json.elements();
            let present = elements.filter(|element| element.kind() != JsonKind::Null);
            let elements: Option<Vec<_>> = present.map(value).collect();
            Some(RestrictedExpression::new_set(elements?))
        }
        JsonKind::Bool => Some(RestrictedExpression::new_bool(json.boolean()?)),
        JsonKind::Number => Some(match json.integer() {
            Some(number) => RestrictedExpression::new_long(number),
            None => RestrictedExpression::new_string(json.as_str().to_owned()),
        }),
        JsonKind::String => Some(RestrictedExpression::new_string(json.text()?.into_owned())),
        JsonKind::Null => RestrictedExpression::new_record([]).ok(),
    }
}
