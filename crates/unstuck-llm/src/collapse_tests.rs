use super::*;

fn model(hash: u64) -> StepPart {
    StepPart {
        hash,
        calls: 1,
        is_model: true,
        ..StepPart::default()
    }
}

fn result(hash: u64) -> StepPart {
    StepPart {
        hash,
        results: 1,
        ..StepPart::default()
    }
}

fn person() -> StepPart {
    StepPart {
        is_other: true,
        ..StepPart::default()
    }
}

fn found(steps: &[(u64, u64)]) -> Vec<(Range<usize>, usize, usize)> {
    let parts = std::iter::once(person()).chain(
        steps
            .iter()
            .flat_map(|(call, output)| [model(*call), result(*output)]),
    );
    let least = NonZeroUsize::new(3).expect("three");
    left_out(parts, least)
        .into_iter()
        .map(|it| (it.elements, it.laps, it.steps))
        .collect()
}

#[test]
fn laps_with_the_same_results_are_left_out_but_one() {
    let same = [(1, 9), (1, 9), (1, 9), (1, 9)];
    // The person's message is the first element, and the first lap stays.
    assert_eq!(found(&same), [(3..9, 4, 1)]);
    assert_eq!(found(&same[..2]), []);
    let pairs = [(1, 9), (2, 8), (1, 9), (2, 8), (1, 9), (2, 8), (3, 7)];
    assert_eq!(found(&pairs), [(5..13, 3, 2)]);
}

#[test]
fn another_result_or_a_person_ends_a_lap() {
    assert_eq!(found(&[(1, 9), (1, 9), (1, 8), (1, 9)]), []);
    let mut parts = vec![model(1), result(9), model(1), result(9), person()];
    parts.extend([model(1), result(9)]);
    let least = NonZeroUsize::new(3).expect("three");
    assert_eq!(left_out(parts.into_iter(), least), []);
}

#[test]
fn a_call_without_its_result_is_not_left_out() {
    let parts = [model(1), result(9), model(1), result(9), model(1)];
    let least = NonZeroUsize::new(3).expect("three");
    assert_eq!(left_out(parts.into_iter(), least), []);
}
