use unstuck::Preset;

use super::*;
use crate::form::Form;

fn conversation() -> Conversation {
    Conversation::new(Settings::of(Preset::Standard), [0; 16], "s", "main")
}

fn judge(conversation: &mut Conversation, form: Form, body: &str) -> Option<(usize, String)> {
    let mut request = Request::read(form, body.as_bytes()).ok()?;
    let judged = conversation.judge(&mut request).ok()?;
    let new = judged.new;
    let edited = judged.edited(body.as_bytes());
    let edited = edited.unwrap_or_else(|| body.as_bytes().to_vec());
    Some((new, String::from_utf8(edited).ok()?))
}

#[test]
fn a_retry_and_moved_marks_report_nothing_new() {
    let mut one = conversation();
    let first = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}"#;
    assert_eq!(
        judge(&mut one, Form::Anthropic, first).map(|it| it.0),
        Some(1)
    );
    assert_eq!(
        judge(&mut one, Form::Anthropic, first).map(|it| it.0),
        Some(0)
    );
    let second = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":"b"}]}"#;
    assert_eq!(
        judge(&mut one, Form::Anthropic, second).map(|it| it.0),
        Some(1)
    );
}

#[test]
fn a_history_kept_by_the_provider_gets_the_results_of_denied_calls() {
    let mut one = conversation();
    let first = r#"{"input":"do it","tools":[{}]}"#;
    assert_eq!(
        judge(&mut one, Form::Responses, first).map(|it| it.0),
        Some(1)
    );
    let call = Call::new("c1", "bash", unstuck::Json::empty_object());
    one.answered(Answered {
        parts: vec![Part::Called(call)],
        denied: vec![("c1".into(), "[unstuck] no".into())],
        waiting: 0,
    });
    let second =
        r#"{"previous_response_id":"r1","input":[ {"role":"user","content":"go on then"}]}"#;
    let owed = r#"{"previous_response_id":"r1","input":[{"type":"function_call_output","call_id":"c1","output":"[unstuck] no"}, {"role":"user","content":"go on then"}]}"#;
    // The same again is a retry, and needs the result again.
    for new in [1, 0] {
        let expected = Some((new, owed.to_owned()));
        assert_eq!(judge(&mut one, Form::Responses, second), expected);
    }
}

#[test]
fn of_a_long_history_only_the_end_is_reported() {
    let mut one = conversation().with_replay(Replay {
        elements: 3,
        bytes: 1 << 20,
    });
    let turn = r#"{"role":"assistant","content":"a"},{"role":"user","content":"b"}"#;
    let body = format!(r#"{{"messages":[{turn},{turn},{turn}]}}"#);
    assert_eq!(judge(&mut one, Form::Chat, &body).map(|it| it.0), Some(2));
}
