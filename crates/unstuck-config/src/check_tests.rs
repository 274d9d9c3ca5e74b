use super::check;
use crate::Layer;

/// The errors of a file, as they are shown.
fn errors(text: &str) -> String {
    let layer = Layer::new("unstuck.toml", text);
    let errors = check(&layer, 0).errors;
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    texts.join("\n\n")
}

/// The first lines and the suggestions.
fn short(text: &str) -> Vec<String> {
    let layer = Layer::new("unstuck.toml", text);
    let errors = check(&layer, 0).errors;
    errors
        .iter()
        .map(|error| match &error.help {
            Some(help) => format!("{} | {help}", error.message),
            None => error.message.clone(),
        })
        .collect()
}

#[test]
fn an_unknown_key_comes_with_the_nearest_known_one() {
    assert_eq!(
        errors("# words\n[rules.exact-repeat]\nnudg = 3\n"),
        "\
error: unknown key `nudg` in `rules.exact-repeat`
 --> unstuck.toml:3:1
  |
3 | nudg = 3
  | ^^^^
  = help: did you mean `nudge`?"
    );
}

#[test]
fn an_unknown_rule_comes_with_the_nearest_known_one() {
    assert_eq!(
        errors("[rules.exact_repeat]\nnudge = 3\n"),
        "\
error: unknown rule `exact_repeat` in `rules`
 --> unstuck.toml:1:8
  |
1 | [rules.exact_repeat]
  |        ^^^^^^^^^^^^
  = help: did you mean `exact-repeat`?"
    );
    assert_eq!(
        short("[texts.cycel]\nnudge = \"x\"\n"),
        ["unknown rule `cycel` in `texts` | did you mean `cycle`?"]
    );
}

#[test]
fn a_key_in_the_wrong_place_is_told_its_own() {
    assert_eq!(
        short("nudge = 3\nsteps = 1\n[exact-repeat]\n[policy]\nmode = \"off\"\n[x]\n"),
        [
            "unknown key `nudge` | `nudge` belongs in the table of a rule, such as `[rules.exact-repeat]`",
            "unknown key `steps` | `steps` belongs in `[rules.budget]`",
            "unknown key `exact-repeat` | write `[rules.exact-repeat]`",
            "unknown key `mode` in `policy` | `mode` belongs at the top of the file, before the first table",
            "unknown key `x` | it can be `preset`, `mode`, `attendance`, `secret`, `precedence`, `text_set`, `rules`, `identity`, `policy`, `memory`, `tools`, `texts`, `fail`, `prices`, `notify` or `spending`",
        ]
    );
}

#[test]
fn a_wrong_type_is_told_the_right_one() {
    assert_eq!(
        errors("[rules.cycle]\nenabled = \"true\"\n"),
        "\
error: `rules.cycle.enabled` must be true or false, not \"true\"
 --> unstuck.toml:2:11
  |
2 | enabled = \"true\"
  |           ^^^^^^
  = help: write true without the quotes"
    );
    assert_eq!(
        short(
            "secret = 1\nrules = 1\ntools = {}\n[memory]\ncalls = 1.5\nsessions = 1979-05-27\nwarned = [1]\npending = \"6\"\n"
        ),
        [
            "`secret` must be a string, not 1",
            "`rules` must be a table, not 1",
            "`tools` must be an array, not a table | start every entry with `[[tools]]`",
            "`memory.calls` must be a whole number from 1 to 16384, not 1.5",
            "`memory.sessions` must be a whole number from 1 to 1048576, not a date",
            "`memory.warned` must be a whole number from 1 to 4096, not an array",
            "`memory.pending` must be a whole number from 1 to 4096, not \"6\" | write 6 without the quotes",
        ]
    );
}

#[test]
fn a_key_given_twice_is_an_error() {
    assert_eq!(
        short("mode = \"off\"\nmode = \"observe\"\n"),
        ["this is not TOML: duplicate key | the first one is on line 1: mode = \"off\""]
    );
}

#[test]
fn a_value_out_of_range_is_told_the_range() {
    assert_eq!(
        errors("[rules.cycle]\nlongest = 40\n"),
        "\
error: `rules.cycle.longest` must be a whole number from 1 to 16, not 40
 --> unstuck.toml:2:11
  |
2 | longest = 40
  |           ^^
  = help: 16 is the largest"
    );
    assert_eq!(
        short(
            "[memory]\ncalls = 0\nsessions = -1\n[rules.call-burst]\nlimit = 99999999999\nkeys = 99999999999999999999999\n[rules.budget]\ncost = -1\ntokens = 0\n"
        ),
        [
            "`memory.calls` must be a whole number from 1 to 16384, not 0",
            "`memory.sessions` must be a whole number from 1 to 1048576, not -1",
            "`rules.call-burst.limit` must be a whole number of at least 1, not 99999999999 | 4294967295 is the largest",
            "`rules.call-burst.keys` must be a whole number of at least 1, not 99999999999999999999999 | 4294967295 is the largest",
            "`rules.budget.cost` must be a number of at least 0, not -1",
            "`rules.budget.tokens` must be a whole number of at least 1, not 0",
        ]
    );
    assert_eq!(
        short("[rules.budget]\ncost = nan\n"),
        ["`rules.budget.cost` must be a number of at least 0, not nan"]
    );
}

#[test]
fn numbers_in_other_bases_are_numbers() {
    assert_eq!(errors("[memory]\ncalls = 0x40\nsessions = 1_000\n"), "");
}

#[test]
fn a_bad_rung_is_told_what_rungs_are() {
    assert_eq!(
        errors("[rules.cycle]\nnudge = 0\n"),
        "\
error: `rules.cycle.nudge` must be a whole number of at least 1 or \"never\", not 0
 --> unstuck.toml:2:9
  |
2 | nudge = 0
  |         ^
  = help: write \"never\" to switch this threshold off"
    );
    assert_eq!(
        short("[rules.cycle]\nnudge = \"after-critical\"\ndeny = \"nevr\"\nhalt = true\n"),
        [
            "`rules.cycle.nudge` must be a whole number of at least 1 or \"never\", not \"after-critical\"",
            "`rules.cycle.deny` must be a whole number of at least 1, \"never\" or \"after-critical\", not \"nevr\" | did you mean \"never\"?",
            "`rules.cycle.halt` must be a whole number of at least 1 or \"never\", not true",
        ]
    );
}

#[test]
fn an_unknown_preset_or_mode_comes_with_the_nearest_known_one() {
    assert_eq!(
        errors("preset = \"standrad\"\n"),
        "\
error: `preset` must be \"standard\", \"ironcurtain\", \"attractor\", \"attocode\" or \"tool-loop-detector\", not \"standrad\"
 --> unstuck.toml:1:10
  |
1 | preset = \"standrad\"
  |          ^^^^^^^^^^
  = help: did you mean \"standard\"?"
    );
    assert_eq!(
        short("mode = \"enforced\"\n"),
        [
            "`mode` must be \"enforce\", \"observe\" or \"off\", not \"enforced\" | did you mean \"enforce\"?"
        ]
    );
}

#[test]
fn a_bad_placeholder_is_pointed_at() {
    assert_eq!(
        errors("[texts.cycle]\nnudge = \"gone round {lasp} times\"\n"),
        "\
error: `texts.cycle.nudge`: unknown placeholder `{lasp}`; known are block, count, laps, limit, outcome, pattern, period, rule, seconds, tool, used, what, window, workers
 --> unstuck.toml:2:21
  |
2 | nudge = \"gone round {lasp} times\"
  |                     ^^^^^^
  = help: did you mean `{laps}`?"
    );
    assert_eq!(
        short("[texts.cycle]\nnudge = \"\"\ndeny = \"{open\"\nhalt = 1\n"),
        [
            "`texts.cycle.nudge`: the text is empty",
            "`texts.cycle.deny`: a `{` without its `}`; write `{{` for the brace itself",
            "`texts.cycle.halt` must be a text, not 1",
        ]
    );
    let long = format!("[texts.cycle]\nnudge = \"{}\"\n", "x".repeat(1_001));
    assert_eq!(
        short(&long),
        ["`texts.cycle.nudge`: the text has 1001 characters, at most 1000 are allowed"]
    );
}

#[test]
fn examples_that_a_pattern_fails_are_pointed_at() {
    assert_eq!(
        errors(
            "[[tools]]\ntool = \"fs__*\"\nmatch = [\"fs__a\", \"fs_b\"]\nnot_match = [\"fs__c\"]\n"
        ),
        "\
error: the pattern \"fs__*\" does not match its example \"fs_b\"
 --> unstuck.toml:3:19
  |
3 | match = [\"fs__a\", \"fs_b\"]
  |                   ^^^^^^
  = help: `*` stands for any run of characters, `?` for one; the whole name must match

error: the pattern \"fs__*\" matches \"fs__c\", which it must not
 --> unstuck.toml:4:14
  |
4 | not_match = [\"fs__c\"]
  |              ^^^^^^^
  = help: `*` stands for any run of characters, `?` for one; the whole name must match"
    );
}

#[test]
fn an_entry_for_a_tool_needs_a_pattern() {
    assert_eq!(
        errors("[[tools]]\ntool = \"a\"\n\n[[tools]]\nexempt = true\n"),
        "\
error: an entry of `tools` needs `tool`
 --> unstuck.toml:4:1
  |
4 | [[tools]]
  | ^^^^^^^^^
  = help: `tool`: Which tools. `*` stands for any run of characters."
    );
}

#[test]
fn broken_toml_is_pointed_at() {
    assert_eq!(
        errors("mode = observe\n[rules\n"),
        "\
error: this is not TOML: string values must be quoted, expected literal string
 --> unstuck.toml:1:8
  |
1 | mode = observe
  |        ^^^^^^^
  = help: strings stand in quotes: \"observe\"

error: this is not TOML: unclosed table, expected `]`
 --> unstuck.toml:2:7
  |
2 | [rules
  |       ^"
    );
    assert_eq!(
        errors("mode =\n"),
        "\
error: this is not TOML: string values must be quoted, expected literal string
 --> unstuck.toml:1:7
  |
1 | mode =
  |       ^
  = help: a value is missing after `=`"
    );
}

#[test]
fn all_mistakes_come_in_the_order_of_their_lines() {
    let lines: Vec<_> = check(
        &Layer::new(
            "x",
            "zzz = 1\nmode = 2\n[rules.budget]\nsteps = 0\n[memory]\ncalls = 0\n[attt]\n",
        ),
        0,
    )
    .errors
    .iter()
    .filter_map(|error| Some(error.place.as_ref()?.line))
    .collect();
    assert_eq!(lines, [1, 2, 4, 6, 7]);
}

#[test]
fn columns_count_characters_and_long_lines_are_cut() {
    assert_eq!(
        errors("\tmode = \"größer\"\n"),
        "\
error: `mode` must be \"enforce\", \"observe\" or \"off\", not \"größer\"
 --> unstuck.toml:1:9
  |
1 |  mode = \"größer\"
  |         ^^^^^^^^"
    );
    let long = format!(
        "secret = \"{}\"\r\ntools = [{}]\n",
        "ä".repeat(9),
        "1, ".repeat(1_000)
    );
    let layer = Layer::new("x", long);
    let error = &check(&layer, 0).errors[999];
    let place = error.place.as_ref().expect("a place");
    assert_eq!(
        (place.line, place.column, place.before),
        (2, 10 + 3 * 999, 80)
    );
    assert_eq!(place.excerpt.chars().count(), 84);
}

#[test]
fn deep_nesting_is_an_error_and_nothing_worse() {
    let deep = format!("tools = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(!check(&Layer::new("x", deep), 0).errors.is_empty());
    let deep = format!("{} = 1", vec!["a"; 10_000].join("."));
    assert!(!check(&Layer::new("x", deep), 0).errors.is_empty());
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    assert_eq!(
        errors("\u{feff}mode = \"off\"\r\n[memory]\r\ncalls = 5\r\n"),
        ""
    );
}
