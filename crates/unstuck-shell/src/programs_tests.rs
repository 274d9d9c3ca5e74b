use super::{Program, UNKNOWN, display, table};

#[test]
fn rows_are_in_order_so_that_every_program_is_found() {
    for pair in table::PROGRAMS.windows(2) {
        assert!(pair[0].name < pair[1].name, "{}", pair[1].name);
    }
    for row in table::PROGRAMS {
        assert_eq!(Program::of(row.name).name, row.name);
    }
    assert!(std::ptr::eq(
        Program::of("no-such-program"),
        &raw const UNKNOWN
    ));
}

#[test]
fn options_that_change_the_display_start_with_a_dash() {
    let displays = table::PROGRAMS.iter().filter_map(|row| row.display);
    for display in displays.chain([&display::UNITTEST, &display::DJANGO]) {
        let options = [
            display.valued,
            display.prefixes,
            display.counted,
            display.flags,
        ];
        for option in options.concat() {
            assert!(option.starts_with('-'), "{option}");
        }
    }
}

#[test]
fn an_alias_is_another_name_of_a_known_program() {
    for (alias, known) in table::ALIASES {
        assert_eq!(Program::of(known).name, known);
        assert_eq!(Program::known_name(alias), known);
        assert!(!table::PROGRAMS.iter().any(|row| row.name == alias));
    }
    assert_eq!(Program::known_name("python3.11"), "python");
    assert_eq!(Program::known_name("pythonic"), "pythonic");
}
