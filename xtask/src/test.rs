//! `cargo xtask test`: everything CI runs, as a list of steps.

use std::cell::OnceCell;
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::args::{Arg, Args, unexpected};
use crate::cli::{self, Profile};
use crate::shell::Shell;
use crate::step::{OnFailure, Outcome, Step, run_all};
use crate::tools::{DENY, Install, Missing, NEXTEST, TMUX};
use crate::{browser, conformance, generate, mcp_peers, site};

const WASM: &str = "wasm32-unknown-unknown";

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Names of steps; all when empty.
    only: Vec<String>,
    list: bool,
    on_failure: OnFailure,
    install: Install,
}

impl Options {
    pub(crate) fn parse(mut args: Args) -> Result<Self> {
        let mut options = Self::default();
        while let Some(arg) = args.next()? {
            match &arg {
                Arg::Flag(flag) => match flag.as_str() {
                    "--keep-going" => options.on_failure = OnFailure::Continue,
                    "--list" => options.list = true,
                    "--no-install" => options.install = Install::Never,
                    "--only" => {
                        let names = args.value(flag)?;
                        options.only.extend(names.split(',').map(str::to_owned));
                    }
                    _ => return unexpected("test", &arg),
                },
                Arg::Word(_) => return unexpected("test", &arg),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let suite = Suite {
        shell,
        install: options.install,
        on_failure: options.on_failure,
        release: OnceCell::new(),
    };
    let steps = suite.steps();
    if options.list {
        for step in &steps {
            println!("{:12} {}", step.name, step.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let steps = select(steps, &options.only)?;
    let summary = run_all(&steps, options.on_failure);
    println!("\n{}", summary.render());
    Ok(if summary.is_green() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
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
    release: OnceCell<PathBuf>,
}

impl Suite<'_> {
    fn steps(&self) -> Vec<Step<'_>> {
        fn step<'a>(
            name: &'static str,
            about: &'static str,
            action: impl Fn() -> Result<Outcome> + 'a,
        ) -> Step<'a> {
            Step {
                name,
                about,
                action: Box::new(action),
            }
        }
        vec![
            step("fmt", "formatting", || self.fmt()),
            step("clippy", "lints, warnings are errors", || self.clippy()),
            step("test", "all tests of the workspace", || self.test()),
            step("doctest", "examples in the documentation", || {
                self.doctest()
            }),
            step(
                "unify",
                "the engine's tests with serde_json features others may turn on",
                || self.unify(),
            ),
            step("wasm", "the engine builds for WebAssembly", || self.wasm()),
            step("release", "release build of the command", || {
                self.release().map(|_| Outcome::Passed)
            }),
            step(
                "conformance",
                "the vectors against the release build",
                || self.conformance(),
            ),
            step(
                "reference",
                "what takes a release build: the whole reference stream, a million schedules",
                || self.reference(),
            ),
            step("browser", "the HTML report in a real browser", || {
                browser::check(self.shell, self.install)
            }),
            step(
                "mcp-peers",
                "official MCP clients and servers through the proxy",
                || mcp_peers::check(self.shell, self.release()?, self.install),
            ),
            step("generated", "committed generated files are current", || {
                self.generated()
            }),
            step("links", "links of the documentation lead somewhere", || {
                site::check(self.shell)?;
                Ok(Outcome::Passed)
            }),
            step("doc", "documentation builds without warnings", || {
                self.doc()
            }),
            step(
                "deny",
                "licences, bans and sources of the dependencies",
                || self.deny(),
            ),
        ]
    }

    fn fmt(&self) -> Result<Outcome> {
        self.shell.cargo(["fmt", "--all", "--", "--check"]).run()?;
        Ok(Outcome::Passed)
    }

    fn clippy(&self) -> Result<Outcome> {
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
        self.run_tests(&["--workspace"])?;
        Ok(Outcome::Passed)
    }

    fn doctest(&self) -> Result<Outcome> {
        self.shell.cargo(["test", "--doc", "--workspace"]).run()?;
        Ok(Outcome::Passed)
    }

    fn unify(&self) -> Result<Outcome> {
        // Cargo unifies features over the packages it is asked to build, so a feature of xtask reaches the engine.
        self.run_tests(&[
            "--package",
            "unstuck",
            "--package",
            "xtask",
            "--features",
            "xtask/unify-serde-json",
        ])?;
        Ok(Outcome::Passed)
    }

    fn wasm(&self) -> Result<Outcome> {
        if !self.has_target(WASM) {
            let added = self.shell.program("rustup").args(["target", "add", WASM]);
            if let Err(error) = added.run() {
                return Ok(Outcome::Skipped(format!(
                    "the target {WASM} cannot be installed: {error:#}"
                )));
            }
        }
        self.shell
            .cargo(["check", "--package", "unstuck", "--target", WASM])
            .run()?;
        Ok(Outcome::Passed)
    }

    fn conformance(&self) -> Result<Outcome> {
        let binary = self.release()?;
        let files = conformance::default_files(self.shell.root())?;
        conformance::check(binary, &files)?;
        Ok(Outcome::Passed)
    }

    fn reference(&self) -> Result<Outcome> {
        self.shell
            .cargo(["test", "--release", "--package", "unstuck"])
            .args(["--lib", "--test", "reference", "--", "--ignored"])
            .run()?;
        Ok(Outcome::Passed)
    }

    fn generated(&self) -> Result<Outcome> {
        let binary = self.release()?;
        generate::check(self.shell, binary)?;
        Ok(Outcome::Passed)
    }

    fn doc(&self) -> Result<Outcome> {
        // Libraries only: the binary `unstuck` would be written over the library `unstuck`.
        self.shell
            .cargo(["doc", "--no-deps", "--workspace", "--lib"])
            .env("RUSTDOCFLAGS", "-D warnings")
            .run()?;
        Ok(Outcome::Passed)
    }

    fn deny(&self) -> Result<Outcome> {
        if let Err(Missing(why)) = DENY.ensure(self.shell, self.install) {
            return Ok(Outcome::Skipped(why));
        }
        // The check reads the manifests of the dependencies of all platforms, also of those not built here.
        if let Err(error) = self.shell.cargo(["fetch"]).run() {
            return Ok(Outcome::Skipped(format!(
                "not all dependencies can be fetched: {error:#}"
            )));
        }
        self.shell
            .cargo(["deny", "--offline", "check"])
            .args(["licenses", "bans", "sources"])
            .run()?;
        Ok(Outcome::Passed)
    }

    /// Unit and integration tests by nextest; by `cargo test`, which runs the same ones, where that is not to be had.
    fn run_tests(&self, selection: &[&str]) -> Result<()> {
        let in_ci = env::var_os("CI").is_some();
        // A fresh machine would spend longer on building nextest than on all the tests.
        let install = if in_ci { Install::Never } else { self.install };
        if let Err(Missing(why)) = NEXTEST.ensure(self.shell, install) {
            println!("{why}; `cargo test` takes its place");
            return self
                .shell
                .cargo(["test", "--no-fail-fast"])
                .args(selection)
                .args(["--lib", "--bins", "--tests", "--examples"])
                .run();
        }
        let all_failures = in_ci || self.on_failure == OnFailure::Continue;
        let profile = if all_failures { "ci" } else { "default" };
        self.shell
            .cargo(["nextest", "run", "--profile", profile])
            .args(selection)
            .run()
    }

    fn has_target(&self, target: &str) -> bool {
        self.shell
            .program("rustc")
            .args(["--print", "target-libdir", "--target", target])
            .read()
            .is_ok_and(|directory| Path::new(directory.trim_end()).is_dir())
    }

    /// Built once, however many steps need it.
    fn release(&self) -> Result<&Path> {
        if let Some(built) = self.release.get() {
            return Ok(built);
        }
        let built = cli::build(self.shell, Profile::Release)?;
        Ok(self.release.get_or_init(|| built))
    }
}

#[cfg(test)]
#[path = "test_tests.rs"]
mod tests;
