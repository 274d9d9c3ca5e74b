//! What holds for every command.

use proptest::{prelude::*, test_runner::RngSeed};
use unstuck_shell::{Script, Simple, canonical, join, understand};

/// Pieces that commands are made of, and pieces that break them.
fn command() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "cd /r && ",
        "cat ",
        "head -5 ",
        "sed -n 1,5p ",
        "f ",
        "g",
        " | tail -3",
        " | ",
        " && ",
        " || true",
        "; ",
        "\n",
        "& ",
        "2>&1 ",
        "> out ",
        "<<E\nx\nE\n",
        "<<< t ",
        "'",
        "\"",
        "\\",
        "$x",
        "${y}",
        "$(z)",
        "`",
        "(",
        ")",
        "{ ",
        " }",
        "if ",
        "then ",
        "fi",
        "for i in a b",
        "do ",
        "done",
        "[[ ",
        " ]]",
        "A=1 ",
        "A=",
        "timeout 5 ",
        "env ",
        "bash -c ",
        "python -c ",
        "python3 - ",
        "pytest -q ",
        "-n ",
        "-la ",
        "-k ",
        "--",
        "echo ",
        "true",
        "export B=2; ",
        "grep -rn ",
        "#",
        "!",
        " ",
        "=",
        "-",
        "é",
        "tee ",
        "npm run test ",
        "$?",
        "$'",
        "\\\n",
        "<(",
        "/dev/null ",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(17),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_canonical_form_is_its_own(command in command()) {
        if let Some(form) = canonical(&command) {
            prop_assert_eq!(canonical(&form), Some(form));
        }
    }

    #[test]
    fn the_answer_is_always_the_same(command in ".{0,40}", directory in proptest::option::of("[a-z/.]{0,6}")) {
        let directory = directory.as_deref();
        prop_assert_eq!(understand(&command, directory), understand(&command, directory));
    }

    #[test]
    fn blanks_around_it_do_not_matter(command in command()) {
        if let Some(form) = canonical(&command) {
            prop_assert_eq!(canonical(&format!(" \t{command}\n")), Some(form));
        }
    }

    #[test]
    fn quotes_around_words_do_not_matter(words in prop::collection::vec("[a-z0-9./_-]{1,6}", 1..6)) {
        let plain = words.join(" ");
        let single: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        let double: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        // A keyword in quotes is none.
        if let Some(form) = canonical(&plain) && Script::parse(&plain).is_some_and(|script| script.is_flat()) {
            prop_assert_eq!(canonical(&single.join("  ")), Some(form.clone()));
            prop_assert_eq!(canonical(&double.join("\t")), Some(form));
        }
    }

    #[test]
    fn joined_words_are_those_words(words in prop::collection::vec(".{1,8}", 1..5)) {
        let joined = join(words.iter().map(String::as_str));
        let script = Script::parse(&joined).unwrap();
        let read: Vec<_> = script.commands().flat_map(Simple::words).map(|word| word.text().to_owned()).collect();
        prop_assert_eq!(read, words);
    }
}
