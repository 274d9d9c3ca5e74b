use super::*;

fn parse(words: &[&str]) -> Result<Options, clap::Error> {
    crate::parsed(words)
}

fn names(only: &[&str]) -> Result<Vec<&'static str>> {
    let steps = ["fmt", "clippy", "doc"]
        .map(|name| Step {
            name,
            about: "",
            subject: Subject::Everything,
            action: Box::new(|| Ok(Outcome::Passed)),
        })
        .into();
    let only: Vec<_> = only.iter().map(ToString::to_string).collect();
    Ok(select(steps, &only)?.iter().map(|step| step.name).collect())
}

#[test]
fn every_flag_is_read() {
    assert_eq!(parse(&[]).unwrap(), Options::default());
    let words = [
        "--keep-going",
        "--only",
        "fmt,doc",
        "--only=wasm",
        "--no-install",
        "--list",
        "--full",
    ];
    let expected = Options {
        only: vec!["fmt".into(), "doc".into(), "wasm".into()],
        list: true,
        keep_going: true,
        no_install: true,
        full: true,
        since: None,
        lane: None,
    };
    assert_eq!(parse(&words).unwrap(), expected);
    let since = parse(&["--since", "HEAD~3"]).unwrap().since;
    assert_eq!(since.as_deref(), Some("HEAD~3"));
    assert!(parse(&["--since", "HEAD~3", "--full"]).is_err());
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

fn suite(shell: &Shell) -> Suite<'_> {
    Suite {
        shell,
        install: Install::Never,
        on_failure: OnFailure::Stop,
        development: OnceCell::new(),
        packaging: Packaging::new(shell, Install::Never),
    }
}

#[test]
fn every_step_looks_at_packages_and_places_that_exist() {
    let shell = Shell::at_repository_root().unwrap();
    let packages = Packages::read(&shell).unwrap();
    for step in suite(&shell).steps() {
        assert!(packages.knows(step.subject, &shell), "{}", step.name);
    }
}

/// Names of the steps that run after a change of one file.
fn after(file: &str) -> Vec<&'static str> {
    let shell = Shell::at_repository_root().unwrap();
    let packages = Packages::read(&shell).unwrap();
    let suite = suite(&shell);
    let steps = suite.steps();
    let concerned = steps
        .iter()
        .filter(|step| packages.concerns(file, step.subject));
    concerned.map(|step| step.name).collect()
}

#[test]
fn a_document_runs_the_steps_that_read_documents() {
    let always = [
        "fmt",
        "links",
        "deny",
        "clippy",
        "test",
        "doctest",
        "generated",
        "doc",
    ];
    assert_eq!(after("docs/glossary.md"), always);
    assert_eq!(after("CHANGELOG.md"), always);
}

#[test]
fn the_engine_concerns_every_step() {
    let shell = Shell::at_repository_root().unwrap();
    let all: Vec<_> = suite(&shell).steps().iter().map(|step| step.name).collect();
    for file in [
        "crates/unstuck/src/lib.rs",
        "crates/unstuck-json/src/scan.rs",
        "xtask/src/test.rs",
        "Cargo.lock",
        "rust-toolchain.toml",
    ] {
        assert_eq!(after(file), all, "{file}");
    }
}

#[test]
fn slow_steps_run_after_changes_of_what_they_test() {
    let runs = |file: &str, step: &str| after(file).contains(&step);
    assert!(runs("crates/unstuck-report/src/html/page.js", "browser"));
    assert!(!runs("crates/unstuck-mcp/src/lib.rs", "browser"));
    for file in [
        "crates/unstuck-mcp/src/lib.rs",
        "crates/unstuck-mcp-proxy/src/lib.rs",
        "crates/unstuck-http/src/lib.rs",
        "crates/unstuck-audit/src/lib.rs",
        "crates/unstuck-cli/src/commands/mcp.rs",
        "crates/unstuck-e2e/mcp/client.py",
    ] {
        assert!(runs(file, "mcp-peers"), "{file}");
        assert!(!runs(file, "reference"), "{file}");
    }
    assert!(!runs("crates/unstuck-report/src/lib.rs", "mcp-peers"));
    assert!(runs("conformance/polls.jsonl", "conformance"));
    assert!(runs("conformance/canonical.jsonl", "unify"));
    assert!(runs("crates/unstuck-hook/src/lib.rs", "release"));
    for step in ["container", "action"] {
        assert!(runs("packaging/Containerfile", step), "{step}");
        assert!(!runs("packaging/Containerfile", "browser"), "{step}");
    }
    assert!(runs(".github/workflows/release.yml", "action"));
}

#[test]
fn a_step_that_nothing_concerns_is_skipped_with_the_reason() {
    let shell = Shell::at_repository_root().unwrap();
    let packages = Packages::read(&shell).unwrap();
    let changes = Changes {
        base: "abc".to_owned(),
        files: vec!["docs/glossary.md".to_owned()],
    };
    let suite = suite(&shell);
    let steps = suite.steps();
    let steps = skip_unconcerned(steps, &changes, &packages);
    let browser = steps.iter().find(|step| step.name == "browser").unwrap();
    assert_eq!(
        (browser.action)().unwrap(),
        Outcome::Skipped("nothing that it tests has changed since abc; --full runs it".to_owned())
    );
}
