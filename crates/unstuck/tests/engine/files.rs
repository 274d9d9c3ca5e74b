//! Changes that change nothing, and changes that are taken back.

use unstuck::{Engine, Preset, RuleName, Settings, Verdict};

use super::{Allow, Deny, Nudge, Run};

fn edit(run: &mut Run, path: &str, old: &str, new: &str) -> Verdict {
    let args = format!(r#"{{"path":"{path}","old_str":"{old}","new_str":"{new}"}}"#);
    run.step("edit_file", &args, "ok", r#""ok""#)
}

fn write(run: &mut Run, path: &str, content: &str) -> Verdict {
    let args = format!(r#"{{"path":"{path}","content":"{content}"}}"#);
    run.step("write_file", &args, "ok", r#""written""#)
}

/// A run that is told to look for one rule only.
fn only(rule: RuleName) -> Run {
    let mut settings = Settings::of(Preset::Standard);
    let rules = &mut settings.rules;
    rules.exact_repeat.enabled = false;
    rules.near_repeat.enabled = false;
    rules.cycle.enabled = false;
    rules.stagnation.enabled = false;
    rules.stuck_outcome.enabled = false;
    rules.failure_cascade.enabled = false;
    rules.no_op.enabled = rule == RuleName::NoOp;
    rules.edit_revert.enabled = rule == RuleName::EditRevert;
    Run::with(settings)
}

#[test]
fn edits_that_replace_a_text_by_itself_are_nudged_and_denied() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = ["a", "b", "c", "d", "e", "f"]
        .into_iter()
        .map(|text| {
            run.read(text);
            edit(&mut run, "a.py", text, text)
        })
        .collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge, Allow, Allow, Deny]);
    // An edit that changes something passes.
    assert_eq!(edit(&mut run, "a.py", "a", "b"), Allow);
}

#[test]
fn answers_that_say_so_count_whatever_the_arguments() {
    let mut run = only(RuleName::NoOp);
    let mut commit = |message: &str, answer: &str| {
        let args = format!(r#"{{"command":"git commit -m {message}"}}"#);
        run.step("bash", &args, "ok", answer)
    };
    let nothing = r#""On branch main\nnothing to commit, working tree clean""#;
    assert_eq!(commit("a", nothing), Allow);
    assert_eq!(commit("b", nothing), Allow);
    assert_eq!(commit("c", nothing), Nudge);
}

#[test]
fn writing_what_the_file_has_changes_nothing() {
    let mut run = only(RuleName::NoOp);
    for path in ["a", "b", "c"] {
        assert_eq!(write(&mut run, path, "x"), Allow);
    }
    assert_eq!(write(&mut run, "a", "x"), Allow);
    assert_eq!(write(&mut run, "b", "x"), Allow);
    assert_eq!(write(&mut run, "c", "x"), Nudge);
}

#[test]
fn a_real_change_in_between_ends_the_row() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..10 {
        assert_eq!(edit(&mut run, "a.py", "x", "x"), Allow);
        assert_eq!(run.edit(nonce), Allow);
    }
}

#[test]
fn looking_at_a_clean_tree_is_not_a_change() {
    let mut run = only(RuleName::NoOp);
    for nonce in 0..6 {
        let args = format!(r#"{{"command":"git status # {nonce}"}}"#);
        let clean = r#""nothing to commit, working tree clean""#;
        assert_eq!(run.step("bash", &args, "ok", clean), Allow);
    }
}

#[test]
fn a_change_without_effect_is_not_progress() {
    let mut run = Run::of(Preset::Standard);
    run.read("a");
    edit(&mut run, "a", "x", "x");
    run.read("a");
    edit(&mut run, "a", "y", "y");
    assert_eq!(run.read("a"), Nudge);
}

#[test]
fn a_file_that_goes_back_and_forth_is_nudged_and_denied() {
    let mut run = Run::of(Preset::Standard);
    let mut verdicts = Vec::new();
    for lap in 0..6 {
        let (old, new) = if lap % 2 == 0 { ("x", "y") } else { ("y", "x") };
        run.read(&format!("other {lap}"));
        verdicts.push(edit(&mut run, "a.py", old, new));
    }
    assert_eq!(verdicts, [Allow, Allow, Allow, Nudge, Allow, Deny]);
    assert_eq!(edit(&mut run, "a.py", "x", "z"), Allow);
}

#[test]
fn a_longer_way_round_is_a_return_too() {
    let mut run = only(RuleName::EditRevert);
    let round = [("x", "y"), ("y", "z"), ("z", "x")];
    let mut verdicts = Vec::new();
    for lap in 0..5 {
        let (old, new) = round[lap % 3];
        verdicts.push(edit(&mut run, "a.py", old, new));
    }
    assert_eq!(verdicts, [Allow, Allow, Allow, Allow, Nudge]);
}

#[test]
fn writes_and_git_return_a_file_as_well() {
    let mut run = only(RuleName::EditRevert);
    let restore = r#"{"command":"cd /w && git checkout -- src/a.py"}"#;
    let mut verdicts = Vec::new();
    for _ in 0..2 {
        verdicts.push(write(&mut run, "/w/src/a.py", "new text"));
        verdicts.push(run.step("bash", restore, "ok", r#""""#));
    }
    assert_eq!(verdicts, [Allow, Allow, Allow, Nudge]);
}

#[test]
fn trying_something_else_each_time_is_no_loop() {
    let mut run = only(RuleName::EditRevert);
    for nonce in 0..8 {
        let tried = format!("idea {nonce}");
        assert_eq!(edit(&mut run, "a.py", "x", &tried), Allow);
        assert_eq!(edit(&mut run, "a.py", &tried, "x"), Allow);
    }
}

#[test]
fn one_deliberate_rollback_and_edits_elsewhere_are_left_alone() {
    let mut run = only(RuleName::EditRevert);
    for file in 0..10 {
        let path = format!("{file}.py");
        assert_eq!(edit(&mut run, &path, "x", "y"), Allow);
        assert_eq!(edit(&mut run, &path, "y", "x"), Allow);
    }
}

#[test]
fn a_failed_edit_changes_no_state() {
    let mut run = only(RuleName::EditRevert);
    edit(&mut run, "a.py", "x", "y");
    for _ in 0..6 {
        let args = r#"{"path":"a.py","old_str":"y","new_str":"x"}"#;
        let verdict = run.step("edit_file", args, "error", r#""old_str was not found""#);
        assert_eq!(verdict, Allow);
    }
}

#[test]
fn files_survive_a_snapshot_and_are_rolled_back_by_a_retry() {
    let mut run = only(RuleName::EditRevert);
    edit(&mut run, "a.py", "x", "y");
    edit(&mut run, "a.py", "y", "x");
    // A replayed turn never was: without that, these would be the second and the third return.
    for (old, new) in [("x", "y"), ("y", "x")] {
        run.call(
            "edit_file",
            &format!(r#"{{"path":"a.py","old_str":"{old}","new_str":"{new}"}}"#),
        );
        run.result("ok", r#""ok""#);
    }
    run.send(r#"{"event":"retry"}"#);
    let settings = run.engine.settings().clone();
    let bytes = run.engine.snapshot("default", "main").unwrap();
    let mut engine = Engine::new(settings);
    engine.restore("default", "main", &bytes).unwrap();
    let mut later = Run { engine, calls: 100 };
    let args = r#"{"path":"a.py","old_str":"x","new_str":"y"}"#;
    later.call("edit_file", args);
    let decision = later.result("ok", r#""ok""#);
    assert_eq!(decision.findings[0].repeats, 2);
    later.send(r#"{"event":"turn"}"#);
    assert_eq!(
        edit(&mut later, "a.py", "y", "x"),
        Allow,
        "said before the retry"
    );
}

#[test]
fn a_users_word_starts_files_afresh() {
    let mut run = only(RuleName::EditRevert);
    for _ in 0..3 {
        edit(&mut run, "a.py", "x", "y");
        assert_eq!(edit(&mut run, "a.py", "y", "x"), Allow);
        run.send(r#"{"event":"user","text":"put it back"}"#);
    }
}
