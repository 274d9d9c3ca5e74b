use super::*;
use unstuck_json::Json;

fn message(tool: &str, args: &str) -> Option<AgentMessage> {
    let args = Json::parse(args).unwrap();
    of(
        Tag::of(tool.bytes()),
        ToolWords::of(tool),
        &Args::new(args.view()),
    )
}

fn said(text: &str) -> AgentMessage {
    let args = format!(r#"{{"to":"B","message":"{text}"}}"#);
    message("send_to_agent", &args).unwrap()
}

#[test]
fn messengers_tell_by_their_names() {
    let args = r#"{"prompt":"please look at the report once more"}"#;
    for tool in [
        "Task",
        "delegate:WebSurfer",
        "sessions_send",
        "spawn_agent",
        "callSubagent",
    ] {
        let args = args.replace("prompt", "message");
        assert!(message(tool, &args).is_some(), "{tool}");
    }
    for tool in ["send_email", "post_message", "user_agent", "transfer"] {
        assert!(message(tool, args).is_none(), "{tool}");
    }
    assert!(message("Task", r#"{"message":"go on"}"#).is_none());
    assert!(message("delegate", r#""please look at the report once more""#).is_some());
}

#[test]
fn a_reworded_request_is_the_same_request() {
    let first = said("Please find the opening hours of the Harbour Museum on its website.");
    let again =
        said("Please look for the opening hours of the Harbour Museum on the website again.");
    assert!(again.is_like(&first));
    let other = said("Please compare both lists and name the films that are on each of them.");
    assert!(!other.is_like(&first));
}

#[test]
fn one_request_for_each_of_many_things_is_many() {
    let first = said("Please review the file src/auth.rs and list its problems.");
    let next = said("Please review the file src/cart.rs and list its problems.");
    assert!(!next.is_like(&first));
    // Also where most names stay.
    let first = said("Please check whether Sylvia is on Netflix in the US.");
    let next = said("Please check whether Perdition is on Netflix in the US.");
    assert!(!next.is_like(&first));
    let first = said("Please review the file src/auth.rs and list its problems.");
    let elsewhere = message(
        "send_to_agent",
        r#"{"to":"C","message":"Please review the file src/auth.rs and list its problems."}"#,
    );
    assert!(!elsewhere.unwrap().is_like(&first));
}

#[test]
fn a_message_is_kept_small() {
    let text: Vec<String> = (0..5_000).map(|n| format!("word{n}")).collect();
    let kept = read(&text.join(" "));
    assert_eq!((kept.words.len(), kept.names.len()), (WORDS, NAMES));
}
