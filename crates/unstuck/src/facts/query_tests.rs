use super::{Asks, Query};
use crate::{Call, Json, Preset, Settings, facts::Extractor};

fn query(tool: &str, args: &str) -> Option<Query> {
    let settings = Settings::of(Preset::Standard);
    let extractor = Extractor::new("", &settings.identity, settings.rules.needs());
    let call = Call::new("c", tool, Json::parse(args).unwrap());
    Query::of(&extractor.view(&call))
}

fn search(words: &str) -> Query {
    query("search", &format!(r#"{{"query":"{words}"}}"#)).unwrap()
}

#[test]
fn other_words_for_one_thing_are_alike() {
    let first = search("retry limit broker");
    for other in [
        "broker retry limit",
        "the retry limit of the broker",
        "retry limits broker default",
        "Broker: default retry limit?",
        "retry limit",
    ] {
        assert_eq!(search(other).compare(&first), Asks::Alike, "{other}");
    }
}

#[test]
fn the_same_about_something_else_is_not_alike() {
    for (first, other) in [
        (
            "opening hours of the Louvre museum",
            "opening hours of the Prado museum",
        ),
        (
            "population density of Oslo 2024",
            "population density of Rome 2023",
        ),
        ("ceo of ledger corp", "ceo of planner corp"),
        ("retry limit broker", "python logging levels"),
        ("broker", "broker limit"),
    ] {
        let first = query("search", &format!(r#"{{"query":"{first}"}}"#));
        let other = search(other);
        let alike = first.is_some_and(|first| other.compare(&first) == Asks::Alike);
        assert!(!alike, "{other:?}");
    }
}

#[test]
fn the_next_page_is_not_alike() {
    let page = |page: u32| {
        query(
            "search",
            &format!(r#"{{"query":"retry limit","page":{page}}}"#),
        )
    };
    let (first, second) = (page(1).unwrap(), page(2).unwrap());
    assert_eq!(second.compare(&first), Asks::Otherwise);
}

#[test]
fn the_same_words_elsewhere_are_not_alike() {
    let within = |site: &str| {
        query(
            "search",
            &format!(r#"{{"query":"retry limit","site":"{site}"}}"#),
        )
    };
    let (first, second) = (within("a.example").unwrap(), within("b.example").unwrap());
    assert_eq!(second.compare(&first), Asks::Otherwise);
}

#[test]
fn only_calls_that_ask_in_words_have_a_question() {
    assert!(query("ask_user", r#"{"question":"Which table is meant?"}"#).is_some());
    assert!(query("web_search", r#""retry limit""#).is_some());
    assert!(query("search_docs", r#"{"text":"retry limit"}"#).is_some());
    for (tool, args) in [
        ("read_file", r#"{"path":"a b.txt"}"#),
        ("bash", r#"{"command":"grep query file"}"#),
        ("search", r#"{"query":"broker"}"#),
        ("search", r#"{"query":7}"#),
    ] {
        assert_eq!(query(tool, args), None, "{tool}");
    }
}
