use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Operation {
    Push(u8),
    Take(u8),
    Retain(u8),
    Clear,
    Store,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => any::<u8>().prop_map(Operation::Push),
        2 => (1..8_u8).prop_map(Operation::Take),
        1 => (1..8_u8).prop_map(Operation::Retain),
        1 => Just(Operation::Clear),
        1 => Just(Operation::Store),
    ]
}

const BOUND: usize = 5;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_bounded_queue(operations in proptest::collection::vec(operation(), 0..120)) {
        let mut last: Last<u8, BOUND> = Last::default();
        let mut model: VecDeque<u8> = VecDeque::new();
        for operation in operations {
            match operation {
                Operation::Push(item) => {
                    let expected = if model.len() == BOUND { model.pop_front() } else { None };
                    model.push_back(item);
                    prop_assert_eq!(last.push(item), expected);
                }
                Operation::Take(divisor) => {
                    let at = model.iter().position(|item| item % divisor == 0);
                    let expected = at.and_then(|at| model.remove(at));
                    prop_assert_eq!(last.take(|item| item % divisor == 0), expected);
                }
                Operation::Retain(divisor) => {
                    last.retain(|item| item % divisor != 0);
                    model.retain(|item| item % divisor != 0);
                }
                Operation::Clear => { last.clear(); model.clear(); }
                Operation::Store => {
                    let bytes = postcard::to_allocvec(&last).unwrap();
                    prop_assert_eq!(&bytes, &postcard::to_allocvec(&model).unwrap());
                    last = postcard::from_bytes(&bytes).unwrap();
                }
            }
            prop_assert!(last.iter().eq(&model));
            prop_assert!(last.iter().rev().eq(model.iter().rev()));
            prop_assert_eq!(last.last(), model.back());
            prop_assert_eq!(last.len(), model.len());
            prop_assert!(last.0.capacity() <= BOUND);
        }
    }
}

#[test]
fn a_stored_history_beyond_the_bound_is_refused() {
    for (items, is_read) in [(4, true), (5, true), (6, false), (1_000, false)] {
        let bytes = postcard::to_allocvec(&vec![7_u8; items]).unwrap();
        let read: Result<Last<u8, 5>, _> = postcard::from_bytes(&bytes);
        assert_eq!(read.is_ok(), is_read, "{items}");
    }
}
