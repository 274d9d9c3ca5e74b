use super::*;

fn of(checks: &[(&str, &str)], calls: u64) -> Seen {
    let line = |(name, outcome): &(&str, &str)| {
        let line = format!(r#"{{"check":"{name}","outcome":"{outcome}"}}"#);
        ((*name).to_owned(), line)
    };
    Seen {
        checks: checks.iter().map(line).collect(),
        calls,
    }
}

#[test]
fn lines_are_read_to_the_end() {
    let out = "{\"check\":\"a\",\"outcome\":\"1\"}\n{\"calls\":3,\"scenario\":\"s\"}\n";
    assert_eq!(seen(out).unwrap(), of(&[("a", "1")], 3));
    assert!(seen("{\"check\":\"a\",\"outcome\":\"1\"}\n").is_err());
    assert!(seen("{\"else\":1}\n").is_err());
}

#[test]
fn the_first_difference_is_named() {
    let direct = of(&[("a", "1"), ("b", "2")], 1);
    assert_eq!(differences(&direct, &direct).unwrap(), 2);
    let error = |proxied: &Seen| differences(&direct, proxied).unwrap_err().to_string();
    assert!(error(&of(&[("a", "1"), ("b", "3")], 1)).contains("`b` differs"));
    assert!(error(&of(&[("a", "1")], 1)).contains("more steps"));
    assert!(error(&of(&[("a", "1"), ("b", "2")], 2)).contains("more steps"));
    assert!(error(&of(&[("b", "2"), ("a", "1")], 1)).contains("directly comes `a`"));
}

#[test]
fn steps_that_only_one_way_has_do_not_count() {
    let direct = of(&[("a", "1"), ("only", "2")], 2);
    let proxied = of(&[("a", "1")], 1);
    assert_eq!(common(&direct, &proxied), proxied);
}
