use super::*;

#[test]
fn texts_are_judged_by_the_member_the_command_or_the_pair_they_belong_to() {
    for (value, redacted) in [
        (r#"{"password":"hunter22"}"#, r#"{"password":"[redacted]"}"#),
        (r#"{"max_tokens":4096}"#, r#"{"max_tokens":4096}"#),
        (
            r#"{"name":"DB_PASSWORD","value":"hunter22"}"#,
            r#"{"name":"DB_PASSWORD","value":"[redacted]"}"#,
        ),
        (
            r#"{"args":["-psword","db"],"command":"mysql"}"#,
            r#"{"args":["-p[redacted]","db"],"command":"mysql"}"#,
        ),
        (
            r#"[["API_KEY","hunter22"],["a","b"]]"#,
            r#"[["API_KEY","[redacted]"],["a","b"]]"#,
        ),
        (r#"{"path":"src/main.rs"}"#, r#"{"path":"src/main.rs"}"#),
    ] {
        let value = Json::parse(value).unwrap();
        assert_eq!(redact_json(&value).as_str(), redacted);
    }
}

#[test]
fn tables_are_in_order() {
    for table in [&NAMES[..], &VALUES, &WORDS, &PROGRAMS] {
        assert!(table.is_sorted(), "{table:?}");
    }
}
