//! JSON values in the formats of serde.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Json, JsonError, JsonKind, JsonRef};

/// Human-readable formats get the value itself, binary ones its canonical text.
impl Serialize for JsonRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_str(self.as_str());
        }
        match self.kind() {
            JsonKind::Null => serializer.serialize_unit(),
            JsonKind::Bool => serializer.serialize_bool(self.boolean().unwrap_or_default()),
            JsonKind::Number => {
                if let Some(integer) = self.integer() {
                    serializer.serialize_i64(integer)
                } else if let Ok(integer) = self.as_str().parse() {
                    serializer.serialize_u64(integer)
                } else {
                    serializer.serialize_f64(self.number().unwrap_or_default())
                }
            }
            JsonKind::String => serializer.serialize_str(&self.text().unwrap_or_default()),
            JsonKind::Array => {
                let mut array = serializer.serialize_seq(Some(self.elements().count()))?;
                for element in self.elements() {
                    array.serialize_element(&element)?;
                }
                array.end()
            }
            JsonKind::Object => {
                let mut object = serializer.serialize_map(Some(self.members().count()))?;
                for (key, value) in self.members() {
                    object.serialize_entry(&key, &value)?;
                }
                object.end()
            }
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let value = serde_json::Value::deserialize(deserializer)?;
            Self::try_from(value).map_err(D::Error::custom)
        } else {
            let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
            Self::parse(&text).map_err(D::Error::custom)
        }
    }
}

impl TryFrom<serde_json::Value> for Json {
    type Error = JsonError;

    fn try_from(value: serde_json::Value) -> Result<Self, JsonError> {
        Self::from_serialize(&value)
    }
}

#[cfg(test)]
#[path = "serde_tests.rs"]
mod tests;
