//! Text that repeats itself, and text that does not.

use proptest::prelude::*;
use unstuck::{Decision, Preset, RuleName, Settings, Verdict, settings::Attendance};

use super::{Allow, Halt, Nudge, Run};

const ROUND: &str = "I should check whether the token is refreshed before the request is signed. If it is, the new token is used and all is well. If it is not, the old one is used and the server refuses it. So I have to look at the order of the two. ";

const STALL: &str = "Let me look at the whole situation once more before I go on.";

impl Run {
    fn say_as(&mut self, text: &str, role: &str) -> Decision {
        let text = serde_json::to_string(text).unwrap();
        self.send(&format!(
            r#"{{"event":"text","text":{text},"role":"{role}"}}"#
        ))
    }

    fn say(&mut self, text: &str) -> Verdict {
        self.say_as(text, "assistant").verdict
    }

    fn turn(&mut self) -> Decision {
        self.send(r#"{"event":"turn"}"#)
    }
}

/// The strictest answer to a text said whole.
fn said(text: &str) -> Verdict {
    let mut run = Run::of(Preset::Standard);
    let said = run.say(text);
    said.max(run.turn().verdict)
}

#[test]
fn a_token_without_end_is_nudged_then_halted() {
    for token in ["court\n\n", "SELECT ", "court ", "No, wait. "] {
        let mut run = Run::of(Preset::Standard);
        let verdicts: Vec<_> = (0..120).map(|_| run.say(token)).collect();
        let nudge = verdicts.iter().position(|said| *said == Nudge).unwrap();
        let halt = verdicts.iter().position(|said| *said == Halt).unwrap();
        assert!((15..40).contains(&nudge), "{token}: {nudge}");
        assert!(halt.abs_diff(2 * nudge) < 3, "{token}: {nudge} {halt}");
        assert_eq!(verdicts.iter().filter(|said| **said == Nudge).count(), 1);
    }
}

#[test]
fn a_line_of_thought_that_goes_round_is_nudged() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..4)
        .map(|_| run.say_as(ROUND, "thinking").verdict)
        .collect();
    assert_eq!(verdicts.iter().max(), Some(&Nudge));
}

#[test]
fn the_message_quotes_what_is_repeated() {
    let mut run = Run::of(Preset::Standard);
    let nudge = (0..40)
        .map(|_| run.say_as("court ", "assistant"))
        .find(|decision| decision.verdict == Nudge)
        .unwrap();
    let reason = nudge.reason.unwrap();
    assert_eq!(reason.rule, RuleName::Chant);
    assert_eq!(reason.pattern, ["court".into()]);
    assert_eq!(
        (reason.repeats, reason.period, reason.wasted.calls),
        (33, 1, 0)
    );
    assert!(
        reason.message.contains("`court`, 33 times"),
        "{}",
        reason.message
    );
}

#[test]
fn an_attended_run_is_never_halted_for_its_words() {
    let mut settings = Settings::of(Preset::Standard);
    settings.attendance = Attendance::Attended;
    let mut run = Run::with(settings);
    let strictest = (0..500).map(|_| run.say("court ")).max();
    assert_eq!(strictest, Some(Nudge));
}

#[test]
fn a_chant_found_again_in_a_later_turn_halts() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(run.say(&"court ".repeat(40)), Nudge);
    run.turn();
    assert_eq!(run.say("Sorry. I go on with the file now."), Allow);
    run.turn();
    assert_eq!(run.say(&"court ".repeat(40)), Halt);
}

#[test]
fn a_text_that_comes_whole_is_warned_of_once() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(run.say(&"court ".repeat(5_000)), Nudge);
    assert_eq!(run.say("I go on with the file now."), Allow);
    assert_eq!(run.say(&"court ".repeat(40)), Halt);
}

#[test]
fn another_chant_in_a_later_turn_is_nudged() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(run.say(&"court ".repeat(40)), Nudge);
    run.turn();
    assert_eq!(run.say(&"judge ".repeat(40)), Nudge);
}

#[test]
fn almost_the_same_passage_over_and_over_is_a_chant() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = ["First", "So", "Again", "Still", "Now"]
        .iter()
        .map(|word| run.say(&format!("{word}, {STALL} The order of the two calls in the client is what decides it, I think, and the cookie is set after that.\n\n")))
        .collect();
    assert_eq!(verdicts.iter().max(), Some(&Nudge));
}

#[test]
fn the_same_words_turn_after_turn_are_a_chant() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..6)
        .map(|_| run.say(STALL).max(run.turn().verdict))
        .collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge, Allow, Allow, Halt]);
}

#[test]
fn the_same_words_beside_calls_are_nudged_at_the_most() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..20)
        .map(|n| run.say(STALL).max(run.read(&format!("file{n}"))))
        .collect();
    assert_eq!(verdicts[..3], [Allow, Allow, Nudge]);
    assert_eq!(verdicts.iter().max(), Some(&Nudge));
}

#[test]
fn the_same_words_beside_progress_are_no_chant() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..20 {
        assert_eq!(run.say(STALL), Allow);
        assert_eq!(run.edit(nonce), Allow);
    }
}

#[test]
fn short_words_turn_after_turn_are_no_chant() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..20 {
        assert_eq!(run.say("Let me look."), Allow);
        assert_eq!(run.read(&format!("file{n}")), Allow);
    }
}

#[test]
fn code_lists_tables_and_drawings_are_no_chants() {
    let blocks = [
        format!(
            "Tests:\n```rust\n{}```\n",
            "#[test]\nfn works() { check(); }\n".repeat(60)
        ),
        format!("Tests:\n\n{}", "    check();\n".repeat(200)),
        format!(
            "List:\n{}",
            "- the same item, moved to the new module\n".repeat(60)
        ),
        format!(
            "List:\n{}",
            "1. the same item, moved to the new module\n".repeat(60)
        ),
        format!(
            "Table:\n{}",
            "| a | b | the same cell in each and every row |\n".repeat(60)
        ),
        format!(
            "Box:\n╭───╮\n{}╰───╯\n",
            "│ the same cell in each and every row │\n".repeat(60)
        ),
        "=".repeat(4_000),
        "-----\n".repeat(400),
        format!(
            "JSON:\n{{\n{}}}\n",
            "  \"name\": \"the same value in every member\",\n".repeat(60)
        ),
    ];
    for block in blocks {
        assert_eq!(said(&block), Allow, "{block}");
    }
}

#[test]
fn the_same_words_around_different_code_are_no_chant() {
    let examples = (0..40).map(|n| format!("For example:\n\n```\nrun({n})\n```\n"));
    let text = examples.collect::<Vec<_>>().join("\n");
    assert_eq!(said(&text), Allow);
    let same = "For example:\n\n```\nrun()\n```\n\n".repeat(40);
    assert_eq!(said(&same), Nudge);
}

#[test]
fn a_users_word_restarts_a_stream() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..20 {
        assert_eq!(run.say(&"court ".repeat(20)), Allow);
        run.send(r#"{"event":"user","text":"go on"}"#);
    }
    for _ in 0..10 {
        assert_eq!(run.say(STALL), Allow);
        assert_eq!(run.turn().verdict, Allow);
        run.send(r#"{"event":"user","text":"go on"}"#);
    }
}

#[test]
fn a_retry_takes_back_what_was_said_since_the_turn() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..20 {
        assert_eq!(run.say(&"court ".repeat(20)), Allow);
        run.send(r#"{"event":"retry"}"#);
    }
}

#[test]
fn a_chant_that_comes_again_after_a_retry_is_found_again() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(run.say(&"court ".repeat(40)), Nudge);
    run.send(r#"{"event":"retry"}"#);
    assert_eq!(run.say(&"court ".repeat(40)), Halt);
}

#[test]
fn compaction_and_resume_keep_a_stream() {
    for event in ["compaction", "resume"] {
        let mut run = Run::of(Preset::Standard);
        assert_eq!(run.say(&"court ".repeat(20)), Allow);
        run.send(&format!(r#"{{"event":"{event}"}}"#));
        assert_eq!(run.say(&"court ".repeat(20)), Nudge);
    }
}

#[test]
fn the_founding_presets_do_not_listen() {
    for preset in Preset::ALL
        .into_iter()
        .filter(|preset| *preset != Preset::Standard)
    {
        let mut run = Run::of(preset);
        assert_eq!(run.say(&"court ".repeat(1_000)), Allow, "{preset}");
    }
}

/// Texts in which much repeats: sentences, tokens, code and lists.
fn text() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "court ",
        "court\n\n",
        STALL,
        ROUND,
        "\n",
        "\n\n",
        " ",
        "- item\n",
        "1. item\n",
        "```\n",
        "    code\n",
        "| a |\n",
        "{\n",
        "é我 ",
    ]);
    proptest::collection::vec((piece, 1..60_usize), 1..12).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|(piece, times)| piece.repeat(times))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_in_pieces_decides_as_the_whole(text in text(), sizes in proptest::collection::vec(1..400_usize, 1..20)) {
        let mut whole = Run::of(Preset::Standard);
        let expected = whole.say_as(&text, "assistant");
        let mut pieces = Run::of(Preset::Standard);
        let (mut strictest, mut rest, mut last) = (Allow, &text[..], None);
        for size in sizes.iter().cycle() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(*size));
            let decision = pieces.say_as(piece, "assistant");
            strictest = strictest.max(decision.verdict);
            last = Some(decision);
            rest = after;
            if rest.is_empty() { break; }
        }
        // A whole text is warned of once; in pieces it may go on after the warning.
        prop_assert!(expected.verdict <= Nudge);
        prop_assert_eq!(strictest.min(Nudge), expected.verdict);
        if strictest < Halt {
            let found = |decision: &Decision| decision.findings.iter().map(|finding| (finding.repeats, finding.pattern.clone())).collect::<Vec<_>>();
            prop_assert_eq!(found(&last.unwrap()), found(&expected));
            prop_assert_eq!(pieces.turn().verdict, whole.turn().verdict);
        }
    }
}
