use super::*;

fn parse(words: &[&str]) -> Result<Options> {
    Options::parse(Args::new(words.iter().map(ToString::to_string).collect()))
}

fn names(only: &[&str]) -> Result<Vec<&'static str>> {
    let steps = ["fmt", "clippy", "doc"]
        .map(|name| Step {
            name,
            about: "",
            action: Box::new(|| Ok(Outcome::Passed)),
        })
        .into();
    let only: Vec<_> = only.iter().map(ToString::to_string).collect();
    Ok(select(steps, &only)?.iter().map(|step| step.name).collect())
}

#[test]
fn defaults_stop_at_a_failure_and_install() {
    assert_eq!(
        parse(&[]).unwrap(),
        Options {
            only: vec![],
            list: false,
            on_failure: OnFailure::Stop,
            install: Install::Missing,
        }
    );
}

#[test]
fn every_flag_is_read() {
    assert_eq!(
        parse(&[
            "--keep-going",
            "--only",
            "fmt,doc",
            "--only=wasm",
            "--no-install",
            "--list"
        ])
        .unwrap(),
        Options {
            only: vec!["fmt".into(), "doc".into(), "wasm".into()],
            list: true,
            on_failure: OnFailure::Continue,
            install: Install::Never,
        }
    );
}

#[test]
fn unknown_arguments_are_refused() {
    assert!(parse(&["--fast"]).is_err());
    assert!(parse(&["fmt"]).is_err());
}

#[test]
fn selected_steps_keep_their_order() {
    assert_eq!(names(&["doc", "fmt"]).unwrap(), ["fmt", "doc"]);
    assert_eq!(names(&[]).unwrap(), ["fmt", "clippy", "doc"]);
}

#[test]
fn an_unknown_step_is_named_with_the_known_ones() {
    let error = names(&["fnt"]).unwrap_err().to_string();
    assert_eq!(error, "no step `fnt`; there are: fmt, clippy, doc");
}
