//! What every rule contributes.

use unstuck::{RuleName, Verdict};
use unstuck_eval::{
    Contribution, Fires, Judged, SetContribution, Trajectory, contributions, replay, without,
};

use crate::support::{corpus_runs, layer, replayed, settings};

fn of(rule: RuleName, runs: &[Trajectory]) -> Contribution {
    let (replay, _) = replayed(runs);
    let both: Vec<_> = runs.iter().zip(&replay.runs).collect();
    let all = contributions(&both, &settings());
    let names: Vec<_> = all.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(names, [RuleName::ExactRepeat, RuleName::SummaryLoop]);
    all.into_iter()
        .find_map(|(name, contribution)| (name == rule).then_some(contribution))
        .unwrap()
}

#[test]
fn a_rule_is_credited_with_the_runs_it_was_first_in() {
    let all = of(RuleName::ExactRepeat, &corpus_runs());
    let sets: Vec<_> = all.sets.keys().map(String::as_str).collect();
    assert_eq!(sets, ["llm_agents_study", "overthinking", "taubench"]);
    assert_eq!(
        all.sets["overthinking"],
        SetContribution {
            nudge: Fires {
                runs: 2,
                solved: 1,
                unsolved: 1,
                in_loop: 1,
                no_loop: 1,
                after: Some(0.35),
                tokens: 70.0,
            },
            deny: Fires {
                runs: 1,
                solved: 0,
                unsolved: 1,
                in_loop: 1,
                no_loop: 0,
                after: Some(0.25),
                tokens: 50.0,
            },
        }
    );
    assert_eq!(all.sets["llm_agents_study"].nudge.after, None);
    assert_eq!(
        all.sets["taubench"].nudge,
        Fires {
            runs: 1,
            solved: 0,
            unsolved: 1,
            in_loop: 0,
            no_loop: 0,
            after: Some(0.25),
            tokens: 0.0,
        }
    );
    assert_eq!(
        all.total(|set| &set.nudge),
        Fires {
            runs: 4,
            solved: 1,
            unsolved: 2,
            in_loop: 2,
            no_loop: 1,
            after: None,
            tokens: 70.0,
        }
    );
}

#[test]
fn steps_are_counted_by_what_people_said_of_them() {
    let all = of(RuleName::ExactRepeat, &corpus_runs());
    let judged = |repetition, other| Judged { repetition, other };
    assert_eq!(all.flagged, judged(1, 2));
    assert_eq!(all.found, judged(2, 2));
}

#[test]
fn a_rule_that_never_spoke_contributes_nothing() {
    assert_eq!(
        of(RuleName::SummaryLoop, &corpus_runs()),
        Contribution::default()
    );
}

#[test]
fn a_rule_left_out_is_off_and_the_others_are_not() {
    let left = without(RuleName::ExactRepeat, &[layer()], None).unwrap();
    assert!(!left.rules.is_enabled(RuleName::ExactRepeat));
    assert!(left.rules.is_enabled(RuleName::SummaryLoop));
    let runs = corpus_runs();
    let silent = replay(&runs, &left);
    assert!(
        silent
            .runs
            .iter()
            .all(|run| run.first(Verdict::Nudge).is_none())
    );
}
