//! Schemas of what is written as JSON.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

/// Version of both schemas: the number in their `$id` and in every document. A field that is added does not change it;
/// a field that goes, or means something else, does.
pub const SCHEMA_VERSION: u32 = 1;

/// The schema of a type, under this name.
pub(crate) fn schema<T: JsonSchema>(name: &str, title: &str) -> Value {
    // Of what is written, not of what would be read: keys that are left out when empty are not asked for.
    let settings = SchemaSettings::default().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id(name).into());
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// The name of a schema. Its version is a part of it.
fn id(name: &str) -> String {
    format!("urn:unstuck:schema:{name}:{SCHEMA_VERSION}")
}

/// What a document is and what wrote it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stamp {
    /// The `$id` of the schema that the document follows.
    #[serde(rename = "$schema")]
    schema: String,
    /// The version of the schema.
    schema_version: u32,
    /// The version of unstuck that wrote it.
    tool_version: &'static str,
}

impl Stamp {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            schema: id(name),
            schema_version: SCHEMA_VERSION,
            tool_version: env!("CARGO_PKG_VERSION"),
        }
    }
}
