use super::*;

#[test]
fn an_id_is_new_once_and_memory_is_bounded() {
    let mut seen = Seen::default();
    assert!(seen.add("a"));
    assert!(!seen.add("a"));
    assert!(seen.has("a"));
    for id in 0..MOST * 2 {
        assert!(seen.add(&id.to_string()));
    }
    assert!(!seen.has("a"));
    assert_eq!(seen.marks.len(), MOST);
    assert_eq!(seen.order.len(), MOST);
}
