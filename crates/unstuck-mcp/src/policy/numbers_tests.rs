use super::*;

fn read(json: &str) -> Vec<i64> {
    let json = Json::parse(json).unwrap();
    let found = readings(json.view(), &mut Budget::new(1 << 20)).unwrap();
    found.into_iter().collect()
}

#[test]
fn seven_is_found_however_it_is_spelled() {
    for spelled in [
        "7",
        "7.0",
        "7e0",
        "0.7e1",
        "70e-1",
        "7.5",
        "6.5",
        r#""7""#,
        r#""007""#,
        r#"" 7 ""#,
        r#""+7""#,
        r#""+07""#,
        r#""7.0""#,
        r#""7.""#,
        r#""7e0""#,
        r#""0.7e1""#,
        r#""0x7""#,
        r#""0X07""#,
        r#""0b111""#,
        r#""0o7""#,
        r#""0_7""#,
        r#""00_7""#,
        r#""٧""#,
        r#""７""#,
        r#""𝟕""#,
        r#""\u00a07""#,
        r#""\t7\n""#,
        r#""\u20037""#,
        r#""\u001f7""#,
        r#""\u00857""#,
        r#""\ufeff7""#,
        r#""\u200b7""#,
        r#""7\u0000""#,
        r#""7n""#,
        r#""7 pieces""#,
        r#""7,9""#,
        "[7]",
        r#"["7"]"#,
        "[[7]]",
        r#"[3,"x",{"id":"7"}]"#,
        r#"{"id":7}"#,
        r#""[7]""#,
        r#""\"7\"""#,
        r#""{\"id\":7}""#,
    ] {
        assert!(read(spelled).contains(&7), "{spelled}: {:?}", read(spelled));
    }
    for spelled in [r#""-7""#, r#""-007""#, "-7", r#""−7""#, r#""-0x7""#] {
        assert!(read(spelled).contains(&-7), "{spelled}");
    }
}

#[test]
fn other_values_are_not_seven() {
    for other in [
        "8",
        "70",
        r#""70""#,
        r#""x7""#,
        r#""seven""#,
        "\"abc\"",
        "true",
        "false",
        "null",
        "{}",
        "[]",
        r#""""#,
        r#""7_0_0_0x""#,
    ] {
        // A reader that stops at an underscore reads the last one as 7; all others are something else.
        assert_eq!(read(other).contains(&7), other.contains("7_0"), "{other}");
    }
}

#[test]
fn numbers_that_doubles_cannot_hold_have_both_readings() {
    assert_eq!(
        read("9007199254740993"),
        [9_007_199_254_740_992, 9_007_199_254_740_993]
    );
    assert_eq!(read("18446744073709551615"), [i64::MAX]);
    assert_eq!(read("1e300"), [i64::MAX]);
    assert_eq!(read(r#""-1e999""#), [i64::MIN, -1]);
    assert_eq!(read(r#""010""#), [8, 10]);
}

#[test]
fn too_many_values_are_an_error() {
    let json = Json::parse(&format!("[{}1]", "1,".repeat(2_000))).unwrap();
    assert!(readings(json.view(), &mut Budget::new(64 * 1_000)).is_err());
    let nested = format!("\"[{}1]\"", "1,".repeat(2_000));
    let json = Json::parse(&nested).unwrap();
    assert!(readings(json.view(), &mut Budget::new(64 * 1_000)).is_err());
}

proptest::proptest! {
    #[test]
    fn every_text_can_be_read(text in "[-+0-9a-fxXoObBeE._, \u{2212}\u{ff17}\u{1d7d5}\"\\[\\]{}]{0,24}|.*") {
        let json = Json::string(&text);
        let found = readings(json.view(), &mut Budget::new(1 << 20)).unwrap();
        if let Ok(value) = text.trim().parse::<i64>() {
            assert!(found.contains(&value), "{text}");
        }
    }
}
