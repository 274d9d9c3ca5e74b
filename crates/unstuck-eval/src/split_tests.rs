use serde_json::json;

use super::*;

fn run(id: &str, task: Option<&str>) -> Trajectory {
    let line = json!({"id": id, "set": "s", "task": task, "label": {}, "steps": []});
    Trajectory::parse(line.to_string().as_bytes()).unwrap()
}

#[test]
fn a_benchmarks_name_for_the_task_comes_first() {
    let one = run("model-a/owner__project-17", Some("Fix this issue"));
    let other = run("owner__project-17", Some("Consider the following issue"));
    assert_eq!(task(&one), "owner__project-17");
    assert_eq!(task(&other), "owner__project-17");
    assert_eq!(
        task(&run("demos/owner__project-17.traj", None)),
        "owner__project-17"
    );
    assert_eq!(Half::of(&one), Half::of(&other));
}

#[test]
fn without_a_name_the_words_tell_the_task() {
    assert_eq!(
        task(&run("trial/1", Some("Who was first?"))),
        "Who was first?"
    );
    assert_eq!(task(&run("name__Xy12", Some("Who?"))), "Who?");
    assert_eq!(task(&run("__-1", Some("Who?"))), "Who?");
}

#[test]
fn without_either_the_id_stands_for_it_less_the_trial() {
    assert_eq!(task(&run("suite/12/3", None)), "suite/12");
    assert_eq!(task(&run("suite/12", Some(""))), "suite/12");
    assert_eq!(task(&run("12/3", None)), "12/3");
    assert_eq!(task(&run("suite/x/3", None)), "suite/x/3");
}

#[test]
fn the_halves_are_about_equal_and_do_not_change() {
    let halves: Vec<_> = (0..1000)
        .map(|n| Half::of(&run(&format!("suite/{n}"), None)))
        .collect();
    let tune = halves.iter().filter(|half| **half == Half::Tune).count();
    assert!((450..=550).contains(&tune), "{tune}");
    let first: Vec<_> = halves[..6].iter().map(|half| half.as_str()).collect();
    assert_eq!(
        first,
        ["holdout", "holdout", "holdout", "tune", "tune", "holdout"]
    );
}
