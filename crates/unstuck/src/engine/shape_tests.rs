//! The shape of stored values: the names and types that `serde` sees, without the values.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use serde::ser::{self, Serialize};

/// What a value is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing was stored that shows it: the item of an empty list, or the content of `None`.
    Unseen,
    Plain(&'static str),
    Optional(Box<Shape>),
    List(Box<Shape>),
    Map(Box<(Shape, Shape)>),
    Tuple(Vec<Shape>),
    Struct(&'static str, Vec<(&'static str, Shape)>),
    /// The variants that were seen, by their index.
    Enum(&'static str, BTreeMap<u32, (&'static str, Shape)>),
}

impl Shape {
    pub(super) fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        value.serialize(Tracer).expect("plain data has a shape")
    }

    /// Puts together what two values of one type show.
    pub(super) fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, shape) | (shape, Self::Unseen) => shape,
            (Self::Optional(one), Self::Optional(two)) => Self::Optional(merged(*one, *two)),
            (Self::List(one), Self::List(two)) => Self::List(merged(*one, *two)),
            (Self::Map(one), Self::Map(two)) => {
                Self::Map(Box::new((one.0.merge(two.0), one.1.merge(two.1))))
            }
            (Self::Tuple(one), Self::Tuple(two)) if one.len() == two.len() => {
                let both = one.into_iter().zip(two);
                Self::Tuple(both.map(|(one, two)| one.merge(two)).collect())
            }
            (Self::Struct(name, one), Self::Struct(_, two)) if one.len() == two.len() => {
                let both = one.into_iter().zip(two);
                let fields = both.map(|((field, one), (_, two))| (field, one.merge(two)));
                Self::Struct(name, fields.collect())
            }
            (Self::Enum(name, mut one), Self::Enum(_, two)) => {
                for (index, (variant, shape)) in two {
                    let known = one.remove(&index).map_or(Self::Unseen, |(_, known)| known);
                    one.insert(index, (variant, known.merge(shape)));
                }
                Self::Enum(name, one)
            }
            (one, two) => {
                assert_eq!(one, two, "values of one type have one shape");
                one
            }
        }
    }

    /// The paths below which nothing was seen.
    pub(super) fn unseen(&self, path: &str, all: &mut Vec<String>) {
        match self {
            Self::Unseen => all.push(path.to_owned()),
            Self::Plain(_) => {}
            Self::Optional(inner) | Self::List(inner) => inner.unseen(path, all),
            Self::Map(inner) => {
                inner.0.unseen(path, all);
                inner.1.unseen(path, all);
            }
            Self::Tuple(items) => items.iter().for_each(|item| item.unseen(path, all)),
            Self::Struct(_, fields) => {
                for (field, shape) in fields {
                    shape.unseen(&format!("{path}.{field}"), all);
                }
            }
            Self::Enum(_, variants) => {
                for (variant, shape) in variants.values() {
                    shape.unseen(&format!("{path}.{variant}"), all);
                }
            }
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth + 1);
        match self {
            Self::Unseen => out.push('?'),
            Self::Plain(name) => out.push_str(name),
            Self::Optional(inner) => {
                out.push_str("optional ");
                inner.write(out, depth);
            }
            Self::List(inner) => {
                out.push_str("list of ");
                inner.write(out, depth);
            }
            Self::Map(inner) => {
                out.push_str("map of ");
                inner.0.write(out, depth);
                out.push_str(" to ");
                inner.1.write(out, depth);
            }
            Self::Tuple(items) if items.len() > 1 && items.iter().all(|item| *item == items[0]) => {
                write!(out, "{} times ", items.len()).unwrap();
                items[0].write(out, depth);
            }
            Self::Tuple(items) => {
                out.push('(');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    item.write(out, depth);
                }
                out.push(')');
            }
            Self::Struct(name, fields) => {
                out.push_str(name);
                for (field, shape) in fields {
                    write!(out, "\n{indent}{field}: ").unwrap();
                    shape.write(out, depth + 1);
                }
            }
            Self::Enum(name, variants) => {
                write!(out, "{name}, one of").unwrap();
                for (index, (variant, shape)) in variants {
                    write!(out, "\n{indent}{index} {variant}").unwrap();
                    if *shape != Self::Tuple(Vec::new()) {
                        out.push(' ');
                        shape.write(out, depth + 1);
                    }
                }
            }
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out, 0);
        f.write_str(&out)
    }
}

/// The fields that take up bytes. A rule without facts about calls changes no layout but its own.
fn stored(mut fields: Vec<(&'static str, Shape)>) -> Vec<(&'static str, Shape)> {
    fields.retain(|(_, shape)| *shape != Shape::Tuple(Vec::new()));
    fields
}

fn merged(one: Shape, two: Shape) -> Box<Shape> {
    Box::new(one.merge(two))
}

/// Makes shapes of values. It stores as snapshots do: not for people to read.
struct Tracer;

/// A part that has several parts.
struct Parts {
    kind: Kind,
    parts: Vec<(&'static str, Shape)>,
}

enum Kind {
    List,
    Map,
    Tuple,
    Struct(&'static str),
    Variant(&'static str, u32, &'static str),
    StructVariant(&'static str, u32, &'static str),
}

impl Parts {
    fn new(kind: Kind) -> Self {
        let parts = Vec::new();
        Self { kind, parts }
    }

    fn add<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.parts.push((name, Shape::of(value)));
    }

    fn shape(self) -> Shape {
        let shapes = |parts: Vec<(&'static str, Shape)>| parts.into_iter().map(|(_, shape)| shape);
        match self.kind {
            Kind::List => Shape::List(Box::new(
                shapes(self.parts).fold(Shape::Unseen, Shape::merge),
            )),
            Kind::Map => {
                let (mut keys, mut values) = (Shape::Unseen, Shape::Unseen);
                for (name, shape) in self.parts {
                    if name == "key" {
                        keys = keys.merge(shape);
                    } else {
                        values = values.merge(shape);
                    }
                }
                Shape::Map(Box::new((keys, values)))
            }
            Kind::Tuple => Shape::Tuple(shapes(self.parts).collect()),
            Kind::Struct(name) => Shape::Struct(name, stored(self.parts)),
            Kind::Variant(name, index, variant) => {
                let content = Shape::Tuple(shapes(self.parts).collect());
                Shape::Enum(name, BTreeMap::from([(index, (variant, content))]))
            }
            Kind::StructVariant(name, index, variant) => {
                let content = Shape::Struct("", stored(self.parts));
                Shape::Enum(name, BTreeMap::from([(index, (variant, content))]))
            }
        }
    }
}

macro_rules! plain {
    ($($method:ident $kind:ty;)*) => {
        $(fn $method(self, _: $kind) -> Result<Shape, Self::Error> {
            Ok(Shape::Plain(stringify!($kind)))
        })*
    };
}

impl ser::Serializer for Tracer {
    type Ok = Shape;
    type Error = fmt::Error;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeTupleStruct = Parts;
    type SerializeTupleVariant = Parts;
    type SerializeMap = Parts;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    plain! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_char char;
        serialize_str &str;
        serialize_bytes &[u8];
    }

    fn serialize_none(self) -> Result<Shape, Self::Error> {
        Ok(Shape::Optional(Box::new(Shape::Unseen)))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Shape, Self::Error> {
        Ok(Shape::Optional(Box::new(Shape::of(value))))
    }

    fn serialize_unit(self) -> Result<Shape, Self::Error> {
        Ok(Shape::Tuple(Vec::new()))
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<Shape, Self::Error> {
        Ok(Shape::Struct(name, Vec::new()))
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Shape, Self::Error> {
        Ok(Parts::new(Kind::Variant(name, index, variant)).shape())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Shape, Self::Error> {
        Ok(Shape::Struct(name, vec![("0", Shape::of(value))]))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Shape, Self::Error> {
        let mut parts = Parts::new(Kind::Variant(name, index, variant));
        parts.add("0", value);
        Ok(parts.shape())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::List))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::Tuple))
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::Struct(name)))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::Variant(name, index, variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::Map))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::Struct(name)))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts, Self::Error> {
        Ok(Parts::new(Kind::StructVariant(name, index, variant)))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! items {
    ($($of:ident $method:ident;)*) => {
        $(impl ser::$of for Parts {
            type Ok = Shape;
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error> {
                self.add("0", value);
                Ok(())
            }

            fn end(self) -> Result<Shape, Self::Error> {
                Ok(self.shape())
            }
        })*
    };
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($of:ident)*) => {
        $(impl ser::$of for Parts {
            type Ok = Shape;
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Self::Error> {
                self.add(name, value);
                Ok(())
            }

            fn end(self) -> Result<Shape, Self::Error> {
                Ok(self.shape())
            }
        })*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Parts {
    type Ok = Shape;
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Self::Error> {
        self.add("key", key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error> {
        self.add("value", value);
        Ok(())
    }

    fn end(self) -> Result<Shape, Self::Error> {
        Ok(self.shape())
    }
}
