use super::*;
use crate::Json;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

#[test]
fn each_kind_answers_its_own_questions_only() {
    for (text, kind) in [
        ("null", JsonKind::Null),
        ("true", JsonKind::Bool),
        ("-1.5", JsonKind::Number),
        ("\"1\"", JsonKind::String),
        ("[true]", JsonKind::Array),
        ("{\"a\":1}", JsonKind::Object),
    ] {
        let json = json(text);
        let view = json.view();
        assert_eq!(view.kind(), kind);
        assert_eq!(view.boolean().is_some(), kind == JsonKind::Bool);
        assert_eq!(view.number().is_some(), kind == JsonKind::Number);
        assert_eq!(view.text().is_some(), kind == JsonKind::String);
        assert_eq!(view.elements().count() > 0, kind == JsonKind::Array);
        assert_eq!(view.members().count() > 0, kind == JsonKind::Object);
        assert_eq!(view.get("a").is_some(), kind == JsonKind::Object);
        assert_eq!(view.integer(), None);
    }
}

#[test]
fn integers_are_exact_and_within_their_range() {
    assert_eq!(
        json("9007199254740993").view().integer(),
        Some((1 << 53) + 1)
    );
    assert_eq!(json("1e2").view().integer(), Some(100));
    assert_eq!(json("9223372036854775808").view().integer(), None);
    assert_eq!(json("1e21").view().number(), Some(1e21));
}

#[test]
fn text_is_borrowed_unless_something_is_escaped() {
    assert!(matches!(
        json("\"caf\\u00e9\"").view().text(),
        Some(Cow::Borrowed("café"))
    ));
    assert_eq!(
        json(r#""a\"\\\n\u0001b""#).view().text().as_deref(),
        Some("a\"\\\n\u{1}b")
    );
    assert_eq!(json("\"\"").view().text().as_deref(), Some(""));
}

#[test]
fn members_are_found_past_anything_nested() {
    let json = json(
        r#"{"a":{"z":"}]\"","y":[[],{},[{"q":"\\"}]]},"b":[],"c":"\u0001,:","d\n":-0.5,"e":{}}"#,
    );
    let view = json.view();
    let keys: Vec<_> = view.members().map(|(key, _)| key.into_owned()).collect();
    assert_eq!(keys, ["a", "b", "c", "d\n", "e"]);
    assert_eq!(view.get("d\n").unwrap().number(), Some(-0.5));
    assert_eq!(view.get("c").unwrap().text().unwrap(), "\u{1},:");
    assert_eq!(view.get("e").unwrap().as_str(), "{}");
    assert_eq!(view.get("z"), None);
    let inner = view.get("a").unwrap().get("y").unwrap();
    let inner: Vec<_> = inner.elements().map(JsonRef::as_str).collect();
    assert_eq!(inner, ["[]", "{}", r#"[{"q":"\\"}]"#]);
}

#[test]
fn an_iterator_that_ended_stays_ended() {
    let json = json("[1]");
    let mut elements = json.view().elements();
    assert!(elements.next().is_some());
    assert!(elements.next().is_none());
    assert!(elements.next().is_none());
}

#[test]
fn a_beginning_is_what_the_text_begins_with() {
    for text in ["", "plain", "é\n\"\\\u{1}😀 and so on", "\n\n\n"] {
        let json = Json::string(text);
        for longest in 0..=json.as_str().len() {
            let beginning = json.view().text_within(longest).unwrap();
            assert!(text.starts_with(&*beginning), "{beginning:?} of {text:?}");
        }
        let whole = json.view().text_within(json.as_str().len());
        assert_eq!(whole.as_deref(), Some(text));
    }
    assert_eq!(Json::null().view().text_within(9), None);
}

#[test]
fn a_walk_meets_everything_once_and_in_order() {
    let json = Json::parse(r#"{"a":[1,"x",{"q\u0001":null}],"b":{},"c":[["s","t"],[]]}"#).unwrap();
    let mut met = String::new();
    for token in json.view().walk() {
        match token {
            Token::Open => met.push('('),
            Token::Close(bracket) => met.push(char::from(bracket)),
            Token::Key(name) => {
                met.push_str(&name.text().unwrap());
                met.push(':');
            }
            Token::Scalar(value) => {
                met.push_str(value.as_str());
                met.push(';');
            }
        }
    }
    assert_eq!(met, "(a:(1;\"x\";(q\u{1}:null;}]b:(}c:((\"s\";\"t\";](]]}");
    let strings = |text: &str, longest: usize| {
        let json = Json::parse(text).unwrap();
        let found = json.view().walk().peek_strings(longest);
        found.map(|found| found.as_str().to_owned())
    };
    for text in [r#""abc""#, r#"["a","b"]"#, "[]"] {
        assert_eq!(strings(text, text.len()).as_deref(), Some(text));
        assert_eq!(strings(text, text.len() - 1), None);
    }
    for text in ["1", "{}", r#"["a",1]"#, r#"["a",["b"]]"#] {
        assert_eq!(strings(text, 100), None, "{text}");
    }
}
