use super::*;
use unstuck::Json;

#[test]
fn words_are_those_of_strings_and_text_parts() {
    let of = |text: &str| words(Json::parse(text).unwrap().view());
    assert_eq!(of(r#""a""#), "a");
    assert_eq!(
        of(r#"["a",{"type":"text","text":"b"},{"type":"image"}]"#),
        "a\nb"
    );
    assert_eq!(of("null"), "");
}

#[test]
fn whole_numbers_may_be_written_as_doubles() {
    let json = Json::lossy(br#"{"a":3.0,"b":3.5,"c":-1,"d":1e300}"#).unwrap();
    let integers = ["a", "b", "c", "d"].map(|key| integer(json.view(), key));
    assert_eq!(integers, [Some(3), None, Some(-1), None]);
    assert_eq!(count(json.view(), "c"), 0);
}

#[test]
fn money_is_counted_in_millionths() {
    assert_eq!(micros(Some(0.000_804)), Some(804));
    assert_eq!(micros(Some(-1.0)), None);
    assert_eq!(micros(Some(f64::NAN)), None);
    assert_eq!(micros(None), None);
}

#[test]
fn no_token_is_counted_twice() {
    let tokens = tokens_with_cache(100, 20, 10, 5);
    assert_eq!(tokens.total(), 120);
    assert_eq!(tokens.input, 85);
}
