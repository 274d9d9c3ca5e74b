use super::{Filter, PathPattern};

fn pattern(text: &str) -> PathPattern {
    text.parse().unwrap()
}

#[test]
fn a_pattern_without_wildcards_is_a_part_of_the_path() {
    assert!(pattern("shop").matches("/home/ada/shop/src"));
    assert!(pattern("ada/shop").matches("C:\\Users\\ada\\shop"));
    assert!(!pattern("shop").matches("/home/ada/sho"));
}

#[test]
fn a_pattern_with_wildcards_is_the_whole_path_or_its_end() {
    assert!(pattern("*.bak").matches("/home/ada/a.jsonl.bak"));
    assert!(pattern("old/*").matches("/home/ada/old/x/y.jsonl"));
    assert!(pattern("/home/*/shop").matches("/home/ada/shop"));
    assert!(pattern("sho?").matches("/home/ada/shop"));
    assert!(!pattern("sho?").matches("/home/ada/shops"));
    assert!(!pattern("ld/*").matches("/home/ada/old/x"));
}

#[test]
fn a_project_is_asked_for_by_its_path_or_its_name() {
    let filter = |text: &str| Filter {
        projects: vec![pattern(text)],
        ..Filter::default()
    };
    for text in ["shop", "/home/ada/shop", "sh*", "ada*", "*/ada/*"] {
        assert!(filter(text).is_in("/home/ada/shop"), "{text}");
    }
    for text in ["work", "da*", "/home/ada/shop/*"] {
        assert!(!filter(text).is_in("/home/ada/shop"), "{text}");
    }
}
