use std::rc::Rc;

use super::*;
use crate::tune::story::Made;

const REPEATED: u64 = 1;

fn sequel(whats: Vec<What>) -> Sequel {
    let mut sequel = Sequel::of(Some(REPEATED));
    for what in whats {
        sequel.see(&Happening {
            agent: 0,
            number: 1,
            what,
        });
    }
    sequel
}

fn came(mark: u64, news: News) -> What {
    let tool = Rc::from("t");
    let args = None;
    What::Came(Made { tool, mark, args }, news)
}

#[test]
fn two_new_calls_or_a_new_answer_to_the_call_are_a_recovery() {
    let ending = |whats| sequel(whats).ending();
    assert_eq!(ending(vec![]), Ending::Looping);
    assert_eq!(ending(vec![came(2, News::Call)]), Ending::Looping);
    assert_eq!(
        ending(vec![came(2, News::Call), came(3, News::Call)]),
        Ending::Recovered
    );
    assert_eq!(
        ending(vec![came(REPEATED, News::Answer)]),
        Ending::Recovered
    );
    assert_eq!(ending(vec![came(2, News::Answer)]), Ending::Looping);
    assert_eq!(
        ending(vec![came(2, News::None), came(3, News::None)]),
        Ending::Looping
    );
}

#[test]
fn a_person_who_spoke_before_anything_new_came_helped() {
    let new = || came(REPEATED, News::Answer);
    assert_eq!(sequel(vec![What::Person, new()]).ending(), Ending::Helped);
    assert_eq!(
        sequel(vec![new(), What::Person]).ending(),
        Ending::Recovered
    );
    assert_eq!(sequel(vec![What::Person]).ending(), Ending::Looping);
}

#[test]
fn what_came_before_another_repeat_does_not_count() {
    let mut sequel = sequel(vec![came(REPEATED, News::Answer)]);
    sequel.again();
    assert_eq!(sequel.ending(), Ending::Looping);
    sequel.mark_healthy();
    sequel.again();
    assert_eq!(sequel.ending(), Ending::Healthy);
}

#[test]
fn endings_are_summed_by_whether_the_alarm_was_needed() {
    let mut endings = Endings::default();
    for ending in Ending::ALL {
        endings.add(ending);
    }
    endings.add(Ending::Looping);
    assert_eq!((endings.needed(), endings.unneeded()), (3, 2));
    assert_eq!(
        endings.words(),
        "1 in healthy runs, 1 recovered unaided, 1 ended when a person spoke, 2 never recovered"
    );
}
