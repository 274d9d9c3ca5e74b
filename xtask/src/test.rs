//! `cargo xtask test`: everything CI runs, as a list of steps.

use std::cell::OnceCell;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use unstuck_dev::{
    CmdExt as _, Install, Missing, NEXTEST, Outcome, Profile, Shell, TMUX, build, build_tested,
    executable,
};
use unstuck_e2e::peers;

use crate::changed::{Changes, Packages, Subject};
use crate::lanes::{Lane, SecondLane};
use crate::package::{node_check, python_check, wasm};
use crate::packaging::Packaging;
use crate::step::{OnFailure, Step, run_all};
use crate::{
    browser, conformance, dependencies, doc, generate, lint, llm_sdks, openapi, site, stores,
};

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct Options {
    /// Run these steps, whatever has changed
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
    /// Print the names of the steps
    #[arg(long)]
    list: bool,
    /// Run every step, whatever has changed
    #[arg(long, conflicts_with = "since")]
    full: bool,
    /// Skip steps whose subject has not changed since COMMIT
    #[arg(long, value_name = "COMMIT")]
    since: Option<String>,
    /// Run the other steps after a failure
    #[arg(long)]
    keep_going: bool,
    /// Install nothing; steps without their tools are skipped
    ///
    /// Otherwise cargo-nextest is built into target/tools, not into your home, and a missing tmux is installed by apt-get.
    /// Where the variable CI is set, nextest is used only if it is there already.
    #[arg(long)]
    no_install: bool,
    /// Run only the steps of this lane, one after the other
    #[arg(long, hide = true, value_name = "LANE", conflicts_with = "only")]
    lane: Option<Lane>,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let on_failure = if options.keep_going {
        OnFailure::Continue
    } else {
        OnFailure::Stop
    };
    let install = Install::unless(options.no_install);
    let suite = Suite {
        shell,
        install,
        on_failure,
        development: OnceCell::new(),
        packaging: Packaging::new(shell, install),
    };
    let steps = suite.steps();
    if options.list {
        for step in &steps {
            println!("{:12} {}", step.name, step.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut steps = select(steps, &options.only)?;
    if options.only.is_empty() && !options.full {
        match Changes::since(shell, options.since.as_deref())? {
            Some(changes) => {
                println!(
                    "{} files have changed since {}",
                    changes.files.len(),
                    changes.base
                );
                steps = skip_unconcerned(steps, &changes, &Packages::read(shell)?);
            }
            None => println!("no commit to compare with: every step runs"),
        }
    }
    // A person sees each step as it runs; in CI the time counts.
    let mut second = None;
    let mut lane = options.lane;
    if lane.is_none() && options.only.is_empty() && env::var_os("CI").is_some() {
        second = Some(SecondLane::start(shell)?);
        lane = Some(Lane::Development);
    }
    steps.retain(|step| lane.is_none_or(|lane| lane.has(step.name)));
    let summary = run_all(&steps, on_failure);
    let others_passed = match second {
        Some(second) => second.finish()?,
        None => true,
    };
    println!("\n{}", summary.render());
    if !others_passed {
        println!("of the steps that ran beside these, one has failed: see above");
    }
    Ok(if summary.is_green() && others_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Steps that no change concerns are skipped, with the reason.
fn skip_unconcerned<'a>(
    steps: Vec<Step<'a>>,
    changes: &Changes,
    packages: &Packages,
) -> Vec<Step<'a>> {
    let reason = format!(
        "nothing that it tests has changed since {}; --full runs it",
        changes.base
    );
    let step = |step: Step<'a>| {
        if changes.concern(packages, step.subject) {
            return step;
        }
        let reason = reason.clone();
        Step {
            action: Box::new(move || Ok(Outcome::Skipped(reason.clone()))),
            ..step
        }
    };
    steps.into_iter().map(step).collect()
}

fn select<'a>(steps: Vec<Step<'a>>, only: &[String]) -> Result<Vec<Step<'a>>> {
    if let Some(unknown) = only
        .iter()
        .find(|name| steps.iter().all(|step| step.name != **name))
    {
        let names: Vec<_> = steps.iter().map(|step| step.name).collect();
        bail!("no step `{unknown}`; there are: {}", names.join(", "));
    }
    let wanted = |step: &Step<'_>| only.is_empty() || only.iter().any(|name| name == step.name);
    Ok(steps.into_iter().filter(wanted).collect())
}

/// What the steps share.
struct Suite<'a> {
    shell: &'a Shell,
    install: Install,
    on_failure: OnFailure,
    development: OnceCell<PathBuf>,
    packaging: Packaging<'a>,
}

impl Suite<'_> {
    /// The steps in order, each with what it looks at: one that may be skipped names the packages whose code it runs.
    fn steps(&self) -> Vec<Step<'_>> {
        fn step<'a>(
            name: &'static str,
            about: &'static str,
            subject: Subject,
            action: impl Fn() -> Result<Outcome> + 'a,
        ) -> Step<'a> {
            Step {
                name,
                about,
                subject,
                action: Box::new(action),
            }
        }
        let all = Subject::Everything;
        let code = |packages, paths| Subject::Of {
            packages,
            alone: &[],
            paths,
        };
        let proxy = Subject::Of {
            packages: &["unstuck-mcp-proxy", "unstuck-config", "unstuck-e2e"],
            alone: &["unstuck-cli"],
            paths: &[],
        };
        vec![
            step("fmt", "formatting", all, || self.fmt()),
            step(
                "links",
                "links of the documentation lead somewhere",
                all,
                || {
                    site::check(self.shell)?;
                    Ok(Outcome::Passed)
                },
            ),
            step(
                "deny",
                "licences, sources and versions of the dependencies",
                all,
                || dependencies::check(self.shell),
            ),
            step("clippy", "lints, warnings are errors", all, || {
                self.clippy()
            }),
            step("test", "all tests of the workspace", all, || self.test()),
            step("doctest", "examples in the documentation", all, || {
                self.doctest()
            }),
            step(
                "conformance",
                "the vectors against the command",
                code(&["unstuck-cli", "unstuck-conformance"], &["conformance/"]),
                || self.conformance(),
            ),
            step(
                "generated",
                "committed generated files are current",
                all,
                || {
                    generate::check(self.shell, self.development()?)?;
                    Ok(Outcome::Passed)
                },
            ),
            step(
                "browser",
                "the HTML report in a real browser",
                code(&["unstuck-report"], &[]),
                || browser::check(self.shell, self.install),
            ),
            step(
                "node",
                "the npm packages in a fresh folder: typings, classes, addon, command",
                code(
                    &["unstuck-node", "unstuck-cli", "unstuck-conformance"],
                    &["conformance/", "examples/"],
                ),
                || node_check::check(self.shell, self.development()?, self.install),
            ),
            step(
                "mcp-peers",
                "official MCP clients and servers through the proxy",
                proxy,
                || peers::check(self.shell, self.development()?, self.install),
            ),
            step(
                "stores",
                "shared tallies on real Redis and Valkey servers",
                code(&["unstuck-redis"], &[]),
                || stores::check(self.shell, self.install),
            ),
            step(
                "openapi",
                "requests made from the OpenAPI document against `unstuck serve`",
                code(&["unstuck-serve"], &[]),
                || openapi::check(self.shell, self.development()?, self.install),
            ),
            step("doc", "documentation builds without warnings", all, || {
                self.doc()
            }),
            step(
                "unify",
                "JSON and vectors with a serde_json feature that others may turn on",
                code(&["unstuck", "unstuck-conformance"], &["conformance/"]),
                || self.unify(),
            ),
            step(
                "wasm",
                "the module of WebAssembly, with the tests of the npm package",
                code(
                    &["unstuck-wasm", "unstuck-conformance"],
                    &["conformance/", "examples/"],
                ),
                || wasm::check(self.shell, self.development()?, self.install),
            ),
            step(
                "playground",
                "the playground and the sample report in a real browser",
                code(&["unstuck-wasm"], &["docs/playground/", "examples/"]),
                || site::playground::check(self.shell, self.development()?, self.install),
            ),
            step(
                "release",
                "the release build of both programs, and the vectors against it",
                code(
                    &["unstuck-cli", "unstuck-hook", "unstuck-conformance"],
                    &["conformance/"],
                ),
                || self.release(),
            ),
            step(
                "python",
                "the Python package, installed where there is no Rust",
                code(
                    &["unstuck-python", "unstuck-cli", "unstuck-hook"],
                    &["bindings/python/", "conformance/", "examples/"],
                ),
                || python_check::check(self.shell, self.install),
            ),
            step(
                "llm-sdks",
                "requests that the LLM proxy rewrote, against the types of the official SDKs",
                code(&["unstuck-llm"], &[]),
                || llm_sdks::check(self.shell, self.install),
            ),
            step(
                "release-files",
                "archives, checksums and the bill of materials of a release",
                code(&["unstuck-cli", "unstuck-hook"], &["completions/", "man/"]),
                || self.packaging.files(),
            ),
            step(
                "container",
                "the container with a read-only root",
                code(&["unstuck-cli", "unstuck-hook"], &["packaging/"]),
                || self.packaging.container(),
            ),
            step(
                "action",
                "scripts of the GitHub Action, and linters of actions and workflows",
                code(&["unstuck-cli"], &[".github/", "action.yml", "packaging/"]),
                || self.packaging.action(),
            ),
            step(
                "reference",
                "the whole reference stream, which takes a release build",
                code(&["unstuck", "unstuck-reference"], &[]),
                || self.reference(),
            ),
        ]
    }

    fn fmt(&self) -> Result<Outcome> {
        self.shell.cargo(["fmt", "--all", "--", "--check"]).run()?;
        // A macro declares the modules of rules, so `cargo fmt` does not find their files.
        let mut rules = Vec::new();
        for entry in fs::read_dir(self.shell.root().join("crates/unstuck/src/rules"))? {
            let path = entry?.path();
            // What is in directories is declared by the files beside them.
            if path.extension().is_some_and(|extension| extension == "rs") {
                rules.push(path);
            }
        }
        self.shell
            .program("rustfmt")
            .args(["--check", "--edition", "2024"])
            .args(rules)
            .run()?;
        Ok(Outcome::Passed)
    }

    fn clippy(&self) -> Result<Outcome> {
        if self.shell.clippy_compiles() {
            lint::compile(self.shell)?;
            return Ok(Outcome::Passed);
        }
        self.shell
            .cargo(["clippy", "--workspace", "--all-targets"])
            .args(["--", "-D", "warnings"])
            .run()?;
        Ok(Outcome::Passed)
    }

    fn test(&self) -> Result<Outcome> {
        if let Err(Missing(why)) = TMUX.ensure(self.shell, self.install) {
            println!("{why}; the tests that need it will fail");
        }
        // Without a selection of targets: examples are built as programs, which tests start.
        self.run_tests(&["--workspace"])?;
        Ok(Outcome::Passed)
    }

    fn doctest(&self) -> Result<Outcome> {
        self.shell
            .development_cargo(["test", "--doc", "--workspace"])
            .run()?;
        Ok(Outcome::Passed)
    }

    fn unify(&self) -> Result<Outcome> {
        // Cargo unifies features over the packages it is asked to build, so a feature of one reaches the engine.
        // All packages, as for the other tests, so that only what uses serde_json is compiled again.
        let tests = ["--workspace", "--test", "canonical", "--test", "engine"];
        let feature = ["--features", "unstuck-conformance/unify-serde-json"];
        self.run_tests(&[&tests[..], &feature].concat())?;
        Ok(Outcome::Passed)
    }

    fn conformance(&self) -> Result<Outcome> {
        self.judge(self.development()?)
    }

    fn release(&self) -> Result<Outcome> {
        // What a person builds who has cloned the repository: the programs that are its default members.
        self.shell.cargo(["build", "--release"]).run()?;
        self.judge(&build(self.shell, Profile::Release)?)
    }

    fn judge(&self, program: &Path) -> Result<Outcome> {
        let files = conformance::default_files(self.shell.root())?;
        conformance::check(program, &files)?;
        Ok(Outcome::Passed)
    }

    fn reference(&self) -> Result<Outcome> {
        // With the programs, so that all take the same features of their dependencies, which are then there already.
        let messages = self
            .shell
            .cargo(["build", "--release", "--package", "unstuck-cli"])
            .args([
                "--package",
                "unstuck-hook",
                "--package",
                "unstuck-reference",
            ])
            .args(["--bins", "--message-format=json-render-diagnostics"])
            .read_shown()?;
        let program = executable(&messages, "unstuck-reference")
            .context("cargo built no executable named `unstuck-reference`")?;
        self.shell.program(program).run()?;
        Ok(Outcome::Passed)
    }

    fn doc(&self) -> Result<Outcome> {
        doc::check(self.shell)?;
        Ok(Outcome::Passed)
    }

    /// Unit and integration tests by nextest; by `cargo test`, which runs the same ones, where that is not to be had.
    fn run_tests(&self, selection: &[&str]) -> Result<()> {
        let in_ci = env::var_os("CI").is_some();
        // A fresh machine would spend longer on building nextest than on all the tests.
        let install = if in_ci { Install::Never } else { self.install };
        if let Err(Missing(why)) = NEXTEST.ensure(self.shell, install) {
            println!("{why}; `cargo test` takes its place");
            self.shell
                .development_cargo(["test", "--no-fail-fast"])
                .args(selection)
                .run()?;
            return Ok(());
        }
        let all_failures = in_ci || self.on_failure == OnFailure::Continue;
        let profile = if all_failures { "ci" } else { "default" };
        self.shell
            .development_cargo(["nextest", "run", "--profile", profile])
            .args(selection)
            .run()?;
        Ok(())
    }

    /// The command as the tests use it. Built once, however many steps need it.
    fn development(&self) -> Result<&Path> {
        if let Some(built) = self.development.get() {
            return Ok(built);
        }
        let built = build_tested(self.shell)?;
        Ok(self.development.get_or_init(|| built))
    }
}

#[cfg(test)]
#[path = "test_tests.rs"]
mod tests;
