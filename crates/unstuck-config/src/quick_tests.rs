use super::*;
use crate::{
    load::load_carefully,
    shape::{self, Shape},
};

fn layer(text: &str) -> Vec<Layer> {
    vec![Layer::new("unstuck.toml", text)]
}

#[test]
fn what_is_read_quickly_is_what_is_read_carefully() {
    for text in [
        "",
        "preset = \"attocode\"\nmode = \"observe\"\n",
        "attendance = \"attended\"\n[rules.exact-repeat]\nnudge = 4\ndeny = 50\nhalt = \"never\"\n",
        "[[tools]]\ntool = \"*__sleep\"\nexempt = true\nmatch = [\"x__sleep\"]\n",
        "[rules.budget]\nsteps = 12\n[rules.chant]\nenabled = false\n",
        "[texts.cycle]\nnudge = \"{laps} laps\"\n",
        "[policy]\nrelapse = \"forget\"\ndenials_before_halt = 3\n",
        "[prices.\"local-*\"]\ninput = 1\noutput = 2\n",
        "fail = \"closed\"\n",
        "fail = \"open\"\n",
    ] {
        let quick = load(&layer(text), None);
        let careful = load_carefully(&layer(text), None).unwrap();
        assert!(careful.warnings.is_empty(), "{text}");
        assert_eq!(quick, Some(careful), "{text}");
    }
    let two = [
        layer("[rules.cycle]\nnudge = 4\n"),
        layer("preset = \"attractor\"\n"),
    ]
    .concat();
    let careful = load_carefully(&two, Some(Preset::Standard)).unwrap();
    assert_eq!(load(&two, Some(Preset::Standard)), Some(careful));
}

#[test]
fn whatever_is_worth_a_word_is_left_to_the_careful() {
    for text in [
        "mode = ",
        "mode = \"loud\"\n",
        "[memory]\ncalls = 0\n",
        "[rules.cycle]\nlongest = 17\n",
        "[rules.exact-repeat]\nnudge = 0\n",
        "[rules.exact-repeat]\nnudge = -1\n",
        "[rules.exact-repeat]\nnudge = \"3\"\n",
        // Only a warning.
        "[rules.exact-repeat]\nnudge = 9\ndeny = 3\nhalt = 2\n",
        "[[tools]]\ntool = \"a*\"\nmatch = [\"b\"]\n",
        "[[tools]]\nexempt = true\n",
        "[texts.cycle]\nnudge = \"{lapse} laps\"\n",
        "[texts.circle]\nnudge = \"round\"\n",
        "[rules.budget]\ncost = -1.0\n",
        "secret = 2026-11-15\n",
    ] {
        assert_eq!(load(&layer(text), None), None, "{text}");
    }
}

/// An unknown key must be refused wherever it stands, or a typing mistake would go unnoticed.
#[test]
fn no_table_takes_a_key_that_it_does_not_know() {
    fn walk(table: &shape::Table, path: &str, seen: &mut usize) {
        let text = if path.is_empty() {
            "zzz = true\n".to_owned()
        } else {
            format!("[{path}]\nzzz = true\n")
        };
        assert_eq!(load(&layer(&text), None), None, "{text}");
        *seen += 1;
        for key in &table.keys {
            let path = if path.is_empty() {
                key.name.clone()
            } else {
                format!("{path}.{}", key.name)
            };
            match &key.shape {
                Shape::Table(table) => walk(table, &path, seen),
                Shape::List(one) => {
                    if let Shape::Table(_) = &**one {
                        let text = format!("[[{path}]]\ntool = \"a\"\nzzz = true\n");
                        assert_eq!(load(&layer(&text), None), None, "{text}");
                    }
                }
                // Its keys are names of the user's own; what they hold has keys like any other table.
                Shape::Map(one) => {
                    if let Shape::Table(one) = &**one {
                        walk(one, &format!("{path}.any"), seen);
                    }
                }
                Shape::Value(_) => {}
            }
        }
    }
    let mut seen = 0;
    walk(&shape::FILE, "", &mut seen);
    assert!(seen > 20, "{seen}");
}
