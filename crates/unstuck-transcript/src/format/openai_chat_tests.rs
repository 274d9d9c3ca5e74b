use super::recognises;
use crate::head::Head;

#[test]
fn what_others_have_under_the_same_names_is_not_taken() {
    let others = [
        r#"{"messages":[]}"#,
        r#"{"messages":[{"id":"1","type":"user","content":"x"}]}"#,
        r#"{"messages":[{"info":{},"parts":[]}]}"#,
        r#"[{"role":"pilot","content":"x"}]"#,
        r#"{"role":"admin","name":"x"}"#,
        r#"{"messages":"none"}"#,
        r#"{"model":"m","system":"s","messages":[{"role":"user","content":"x"}]}"#,
    ];
    for other in others {
        assert!(!recognises(&Head::new(other.as_bytes())), "{other}");
    }
}

#[test]
fn bodies_are_known_in_their_wrappers() {
    let message = r#"{"role":"user","content":"x"}"#;
    for text in [
        format!("[{message}]"),
        format!(r#"{{"messages":[{message}]}}"#),
        format!(r#"[{{"model":"m","messages":[{message}]}}]"#),
        format!(r#"{{"custom_id":"1","body":{{"messages":[{message}]}}}}"#),
        format!(
            r#"{{"id":"1","response":{{"status_code":200,"body":{{"choices":[{{"message":{message}}}]}}}}}}"#
        ),
        format!("{message}\n{message}\n"),
    ] {
        assert!(recognises(&Head::new(text.as_bytes())), "{text}");
    }
}
