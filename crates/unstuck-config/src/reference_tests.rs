use unstuck::RuleName;

use super::{START, reference, rule_reference};
use crate::{Layer, load};

#[test]
fn the_example_of_the_page_is_sound() {
    let example = START.split("```toml\n").nth(1).expect("an example");
    let example = example.split("```").next().expect("its end");
    let loaded = load(&[Layer::new("example", example)], None).expect("no error");
    assert_eq!(loaded.warnings, []);
}

#[test]
fn every_rule_has_its_section() {
    let page = reference();
    for rule in RuleName::ALL {
        assert!(page.contains(&format!("### `[rules.{rule}]`\n")), "{rule}");
    }
    for section in [
        "[policy]",
        "[memory]",
        "[[tools]]",
        "[tools.ladder]",
        "[texts.NAME]",
    ] {
        assert!(page.contains(&format!("## `{section}`\n")), "{section}");
    }
}

#[test]
fn a_row_tells_value_default_and_meaning() {
    let rows = rule_reference(RuleName::Cycle);
    let lines: Vec<_> = rows.lines().collect();
    assert_eq!(
        lines,
        [
            "| key | value | default | what |",
            "|---|---|---|---|",
            "| `enabled` | `true`, `false` | `true` | Whether the rule is on. |",
            "| `nudge` | at least 1, `\"never\"` | `3` | Number of occurrences at which the first nudge is given. |",
            "| `warning` | at least 1, `\"never\"` | `\"never\"` | Number of occurrences at which a nudge has level 2 at once. If `\"never\"`, the second nudge of a pattern has level 2. |",
            "| `critical` | at least 1, `\"never\"` | `\"never\"` | Number of occurrences at which a nudge has level 3 at once. If `\"never\"`, the third nudge of a pattern has level 3. |",
            "| `deny` | at least 1, `\"never\"`, `\"after-critical\"` | `6` | Number of occurrences from which the call is denied. |",
            "| `halt` | at least 1, `\"never\"` | `8` | Number of occurrences from which the run is halted. |",
            "| `of` | `\"steps\"`, `\"calls\"` | `\"steps\"` | What a cycle is made of.<br>`\"steps\"`: Calls with their outcomes.<br>`\"calls\"`: Calls alone; every complete repetition of a pattern counts, also after a break. |",
            "| `shortest` | 1 to 16 | `2` | The shortest period. |",
            "| `longest` | 1 to 16 | `16` | The longest period, 16 at most. |",
        ]
    );
}

#[test]
fn the_range_of_the_numbers_of_a_list_is_in_its_row() {
    assert!(reference().contains("| `warn_percent` | whole numbers from 1 to 99 |"));
}
