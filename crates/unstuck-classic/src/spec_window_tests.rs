use super::*;

fn is_loop(window: u32, calls: &str) -> bool {
    let mut window = SpecWindow::new(window);
    for call in calls.chars() {
        window.record("tool", &Json::string(&call.to_string()));
    }
    window.window_is_loop()
}

#[test]
fn a_window_of_five_finds_equal_calls_only() {
    assert!(is_loop(5, "AAAAA"));
    assert!(!is_loop(5, "AAAAB"));
    assert!(!is_loop(5, "ABCDE"));
    assert!(!is_loop(5, "A"));
    assert!(!is_loop(5, "ABABA"));
}

#[test]
fn a_window_of_six_finds_all_periods() {
    assert!(is_loop(6, "AAAAAA"));
    assert!(is_loop(6, "ABABAB"));
    assert!(is_loop(6, "ABCABC"));
    assert!(!is_loop(6, "ABCDAB"));
}

#[test]
fn the_default_window_finds_periods_of_one_and_two() {
    assert!(is_loop(10, &"A".repeat(10)));
    assert!(is_loop(10, &"AB".repeat(5)));
    assert!(!is_loop(10, "ABCDEFGHIJ"));
    assert!(!is_loop(10, "AAAAAAAAAB"));
    assert!(!is_loop(10, "AAAAA"));
    assert!(!is_loop(10, ""));
    assert!(!is_loop(10, &"ABC".repeat(5)));
    assert!(!SpecWindow::default().window_is_loop());
}

#[test]
fn windows_of_nine_and_twelve_find_a_period_of_three() {
    assert!(is_loop(9, &"ABC".repeat(3)));
    assert!(is_loop(12, &"ABC".repeat(4)));
    assert!(!is_loop(9, "ABABABABA"));
}

#[test]
fn what_was_before_the_window_does_not_matter() {
    assert!(is_loop(10, &format!("ABCDEFGH{}", "A".repeat(10))));
    assert!(is_loop(10, &format!("xyz{}", "A".repeat(10))));
}

#[test]
fn the_order_of_arguments_does_not_matter() {
    let mut window = SpecWindow::new(6);
    for at in 0..6 {
        let args = if at % 2 == 0 {
            r#"{"a":1,"b":2}"#
        } else {
            r#"{"b":2,"a":1}"#
        };
        window.record("tool", &Json::parse(args).unwrap());
    }
    assert!(window.window_is_loop());
    window.reset();
    assert!(!window.window_is_loop());
}

#[test]
fn a_single_lap_is_no_loop() {
    assert!(!is_loop(1, "A"));
    assert!(!is_loop(2, "AB"));
    assert!(!is_loop(3, "ABC"));
    assert!(is_loop(3, "AAAAA"));
    assert!(!is_loop(3, "AAWA"));
    assert!(!is_loop(0, "AAA"));
}
