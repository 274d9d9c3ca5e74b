use super::*;

#[test]
fn a_loop_is_looked_at_from_its_first_to_its_last_call() {
    let view = |of, from, to| View {
        from,
        to,
        of,
        shown: Vec::new(),
        excerpts: Vec::new(),
        beats: Vec::new(),
        laps: Laps::default(),
    };
    let views = [
        view(Of::Calls, 5, 9),
        view(Of::Words, 1, 20),
        view(Of::Calls, 2, 3),
        view(Of::Calls, 3, 12),
    ];
    let mut calls = Current::new(&views, Of::Calls);
    let open: Vec<Vec<usize>> = (1..=13)
        .map(|call| calls.at(call, &views).to_vec())
        .collect();
    let expected: [&[usize]; 13] = [
        &[],
        &[2],
        &[2, 3],
        &[3],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3],
        &[3],
        &[3],
        &[],
    ];
    assert_eq!(open, expected);
}
