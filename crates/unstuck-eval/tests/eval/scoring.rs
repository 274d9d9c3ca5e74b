//! Numbers from recordings.

use std::collections::BTreeMap;

use serde_json::json;
use unstuck_eval::{
    ByLevel, Facts, Headline, LabelScore, OutcomeShares, Prf, SetScore, StepScore, Trajectory,
    Unit, score,
};

use crate::support::{corpus_runs, costing, looks, parse, replayed, run, works};

fn scored(runs: &[Trajectory]) -> BTreeMap<String, SetScore> {
    let (_, facts) = replayed(runs);
    score(&runs.iter().collect::<Vec<_>>(), &facts)
}

#[test]
fn first_alarms_are_the_steps_of_nudge_deny_and_halt() {
    let runs = corpus_runs();
    let (_, facts) = replayed(&runs);
    let alarms: Vec<_> = facts
        .alarms
        .iter()
        .map(|(id, first)| (&**id, *first))
        .collect();
    assert_eq!(
        alarms,
        [
            ("air/2/0", [Some(2), None, None]),
            ("m/o__p-1", [Some(2), None, None]),
            ("m/o__p-2", [Some(2), Some(4), Some(7)]),
            ("study/1", [Some(2), Some(4), None]),
        ]
    );
    assert_eq!(facts.steps["study/1"], [2, 3, 4]);
    assert_eq!(facts.findings["study/1"], [1, 2, 3, 4]);
    assert_eq!(facts.steps.len(), 1, "only where steps were judged");
    assert_eq!((facts.events, facts.line_errors), (114, 0));
}

#[test]
fn a_run_is_scored_by_its_label_and_its_outcome() {
    let level = |tp, fp, missed| Prf::new(tp, fp, missed);
    let scored = &scored(&corpus_runs())["overthinking"];
    assert_eq!(scored.n, 4);
    let alarms = ByLevel {
        nudge: 2,
        deny: 1,
        halt: 1,
    };
    assert_eq!(scored.alarms, alarms);
    let label = LabelScore {
        n: 4,
        positive: 2,
        levels: ByLevel {
            nudge: level(1, 1, 1),
            deny: level(1, 0, 1),
            halt: level(1, 0, 1),
        },
    };
    assert_eq!(scored.label, Some(label));
    assert_eq!(scored.steps, None);
    let outcome = scored.outcome.as_ref().unwrap();
    assert_eq!(
        (outcome.unit, outcome.solved, outcome.unsolved),
        (Unit::Tokens, 1, 2)
    );
    let shares = |shares: &OutcomeShares| {
        (
            shares.solved_alarms,
            shares.solved_alarm,
            shares.unsolved_alarm,
            shares.after,
        )
    };
    let levels = outcome.levels.as_array().map(shares);
    assert_eq!(
        levels,
        [
            (1, Some(1.0), Some(0.5), Some(70.0 / 200.0)),
            (0, Some(0.0), Some(0.5), Some(50.0 / 200.0)),
            (0, Some(0.0), Some(0.5), Some(20.0 / 200.0)),
        ]
    );
}

#[test]
fn steps_are_scored_where_a_person_judged_them() {
    let scored = scored(&corpus_runs());
    assert_eq!(
        scored["llm_agents_study"].steps,
        Some(StepScore {
            nudge: Prf::new(1, 2, 1),
            finding: Some(Prf::new(2, 2, 0)),
        })
    );
    assert_eq!(scored["taubench"].steps, None);
}

#[test]
fn without_tokens_steps_are_counted() {
    let outcome = scored(&corpus_runs())["taubench"].outcome.clone().unwrap();
    assert_eq!(outcome.unit, Unit::Steps);
    assert_eq!(outcome.levels.nudge.after, Some(0.25));
}

#[test]
fn every_set_has_its_own_words_for_solved() {
    let solved = |set, label| parse(&run(set, "r", &label, &[])).label.solved;
    assert_eq!(solved("taubench", json!({"reward": 1})), Some(true));
    assert_eq!(solved("agentrx_tau", json!({"reward": 0.5})), Some(false));
    assert_eq!(solved("agentrx_tau", json!({"reward": null})), None);
    assert_eq!(
        solved("codetracer_kimi", json!({"reward": "1.0"})),
        Some(true)
    );
    assert_eq!(solved("codetracer_kimi", json!({"reward": ""})), None);
    let outcome = |word| solved("reflexion_hotpot", json!({"outcome": word}));
    assert_eq!(outcome("correct"), Some(true));
    assert_eq!(outcome("incorrect"), Some(false));
    assert_eq!(outcome("halted"), Some(false));
    assert_eq!(outcome("?"), None);
    assert_eq!(
        solved("new", json!({"resolved": null, "correct": true})),
        Some(true)
    );
    assert_eq!(solved("new", json!({"utility": false})), Some(false));
    assert_eq!(solved("new", json!({"reward": 1})), None);
    let web = |word| solved("web_agents", json!({"success": word}));
    assert_eq!(web("Successful"), Some(true));
    assert_eq!(web("Unsuccessful"), Some(false));
    assert_eq!(web("Unsure"), None);
}

#[test]
fn every_set_has_its_own_word_for_a_loop() {
    let is_loop = |set, label| parse(&run(set, "r", &label, &[])).label.is_loop;
    assert_eq!(
        is_loop("overthinking", json!({"stuck_in_loop": true})),
        Some(true)
    );
    assert_eq!(
        is_loop("overthinking", json!({"stuck_in_loop": null})),
        None
    );
    assert_eq!(
        is_loop("whowhen", json!({"ledger_loop_any": false})),
        Some(false)
    );
    assert_eq!(
        is_loop("agentrx_tau", json!({"human_mentions_loop": 1})),
        Some(true)
    );
    assert_eq!(is_loop("llm_agents_study", json!({"loop": 0})), Some(false));
    assert_eq!(is_loop("web_agents", json!({"loop": true})), Some(true));
    assert_eq!(is_loop("taubench", json!({"loop": true})), None);
}

#[test]
fn a_run_goes_on_after_a_halt_and_stays_halted() {
    let runs = [parse(&run("s", "r", &json!({}), &looks(10)))];
    let (replay, _) = replayed(&runs);
    let halted: Vec<_> = replay.runs[0]
        .remarks
        .iter()
        .filter(|remark| remark.verdict == unstuck::Verdict::Halt)
        .map(|remark| remark.step)
        .collect();
    assert_eq!(halted, [7, 7, 7, 8, 8, 8, 9, 9, 9]);
}

#[test]
fn runs_do_not_depend_on_their_neighbours() {
    let lone = [parse(&run("s", "r", &json!({}), &looks(4)))];
    let (alone, _) = replayed(&lone);
    let mut many = corpus_runs();
    many.push(parse(&run("s", "r", &json!({}), &looks(4))));
    let (among, _) = replayed(&many);
    assert_eq!(alone.runs[0], among.runs[7]);
}

#[test]
fn the_headline_is_the_references() {
    let facts = Facts {
        events: 100,
        seconds: Some(0.5),
        ..Facts::default()
    };
    let headline = Headline::of(&scored(&corpus_runs())).timed(&facts);
    let figures: Vec<_> = headline
        .0
        .iter()
        .map(|(_, figure)| figure.map(|figure| figure.value))
        .collect();
    assert_eq!(
        figures[..11],
        [
            Some(0.0),
            Some(0.25),
            Some(1.0),
            Some(0.35),
            None,
            None,
            Some(1.0 / 3.0),
            Some(0.5),
            Some(0.4),
            None,
            None,
        ]
    );
    assert_eq!(figures.last(), Some(&Some(200.0)));
    let json = serde_json::to_string(&headline).unwrap();
    assert!(json.starts_with(
        r#"{"overthinking solved runs with deny+":0.0,"overthinking unsolved tokens after first deny+":0.25,"#
    ));
    assert!(json.ends_with(r#""messages that name the argument":1.0,"events per second":200.0}"#));
}

#[test]
fn facts_of_others_are_scored_the_same_way() {
    let text = r#"{"version": 1, "peers": {
        "z": {"about": "one", "sets": {}, "alarms": {"m/o__p-3": [0, 4, null]}, "steps": {"study/1": [1, 2]}, "events": 3},
        "a": {"alarms": {}}
    }}"#;
    let peers = Facts::read("file", text).unwrap();
    let names: Vec<_> = peers.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["z", "a"]);
    let runs = corpus_runs();
    let scores = score(&runs.iter().collect::<Vec<_>>(), &peers[0].1);
    let outcome = scores["overthinking"].outcome.clone().unwrap();
    assert_eq!(outcome.levels.nudge.after, Some(0.45));
    assert_eq!(outcome.levels.deny.after, Some(0.25));
    assert_eq!(
        scores["llm_agents_study"].steps,
        Some(StepScore {
            nudge: Prf::new(2, 0, 0),
            finding: None
        })
    );
}

#[test]
fn facts_survive_being_written() {
    let runs = corpus_runs();
    let (_, mut facts) = replayed(&runs);
    // What is known of single runs is not written.
    facts.messages_of_runs.clear();
    let text = serde_json::to_string(&facts).unwrap();
    assert_eq!(
        Facts::read("ours", &text).unwrap(),
        [("ours".to_owned(), facts)]
    );
}

#[test]
fn an_alarm_at_the_last_step_saves_nothing() {
    let label = json!({"resolved": false});
    let steps = costing([works(2), looks(3)].concat(), 10);
    let outcome = scored(&[parse(&run("s", "r", &label, &steps))])["s"]
        .outcome
        .clone()
        .unwrap();
    assert_eq!(outcome.levels.nudge.unsolved_alarm, Some(1.0));
    assert_eq!(outcome.levels.nudge.after, Some(0.0));
    assert_eq!(outcome.levels.nudge.solved_alarm, None);
}
