//! The container, built from scratch by buildah and run with its root read-only.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use unstuck_dev::{Install, Outcome, apt, find};
use xshell::Cmd;

use super::{Packaging, empty};
use crate::release_files::Made;

const FILE: &str = "packaging/Containerfile";
const VOLUME: &str = "/var/lib/unstuck";
const USER: &str = "65532:65532";

/// Runs the programs within namespaces of their own.
const SCRIPT: &str = include_str!("container.sh");

pub(super) fn check(packaging: &Packaging<'_>, made: &Made) -> Result<Outcome> {
    let skipped = |why: String| Ok(Outcome::Skipped(why));
    if !made.programs.target.contains("-linux-") {
        return skipped("containers hold programs for Linux".to_owned());
    }
    if find(&["buildah"]).is_none() {
        if packaging.install == Install::Never {
            return skipped("buildah is not installed".to_owned());
        }
        if let Err(error) = apt(packaging.shell, &["buildah"]) {
            return skipped(format!("{error:#}"));
        }
    }
    let user = packaging.shell.program("id").arg("-u").read()?;
    if user != "0" {
        return skipped("only root can mount the root of a container".to_owned());
    }
    let place = packaging.place().join("container");
    empty(&place)?;
    let context = context(made, &place)?;
    let image = Image {
        packaging,
        place: &place,
    };
    image.build(&context)?;
    let result = image.run(packaging, made);
    // Files of the image are of other users, and mounts keep the directory busy.
    image.remove()?;
    result.map(|()| Outcome::Passed)
}

/// What the image is built from: the files of the archive, and an empty directory.
fn context(made: &Made, place: &Path) -> Result<PathBuf> {
    let context = place.join("context");
    fs::create_dir_all(context.join("state"))?;
    let tar = std::process::Command::new("tar")
        .arg("-xzf")
        .arg(&made.archive)
        .args(["--strip-components", "1", "-C"])
        .arg(&context)
        .status()?;
    ensure!(tar.success(), "the archive cannot be unpacked");
    Ok(context)
}

struct Image<'a> {
    packaging: &'a Packaging<'a>,
    place: &'a Path,
}

impl Image<'_> {
    fn buildah(&self) -> Cmd<'_> {
        let buildah = self.packaging.shell.program("buildah");
        buildah
            .args(["--storage-driver", "vfs", "--root"])
            .arg(self.place.join("images"))
            .arg("--runroot")
            .arg(self.place.join("run"))
    }

    fn build(&self, context: &Path) -> Result<()> {
        self.buildah()
            .args([
                "build",
                "--isolation",
                "chroot",
                "--build-arg",
                "BASE=scratch",
            ])
            .args(["--tag", "unstuck", "--file", FILE])
            .arg(context)
            .run()?;
        Ok(())
    }

    fn run(&self, packaging: &Packaging<'_>, made: &Made) -> Result<()> {
        let inspected = self
            .buildah()
            .args(["inspect", "--type", "image", "unstuck"])
            .read()?;
        let inspected: Value = serde_json::from_str(&inspected)?;
        let config = &inspected["OCIv1"]["config"];
        ensure!(config["User"] == USER, "the user is {}", config["User"]);
        ensure!(
            config["Entrypoint"] == serde_json::json!(["/usr/local/bin/unstuck"]),
            "the entry point is {}",
            config["Entrypoint"]
        );
        ensure!(
            config["Volumes"].get(VOLUME).is_some(),
            "the volumes are {}",
            config["Volumes"]
        );
        let variables = config["Env"].as_array().into_iter().flatten();
        let variables: Vec<_> = variables.filter_map(Value::as_str).collect();
        let container = self.buildah().args(["from", "unstuck"]).read()?;
        let root = self.buildah().args(["mount", &container]).read()?;
        let version = packaging.shell.program(&made.programs.command);
        let version = version.arg("--version").read()?;
        let work = self.place.join("work");
        fs::create_dir_all(&work)?;
        let transcripts = packaging.shell.root().join("examples/transcripts");
        packaging
            .shell
            .program("unshare")
            .args([
                "--mount", "--pid", "--net", "--fork", "sh", "-c", SCRIPT, "sh",
            ])
            .args([&root, USER, VOLUME])
            .arg(transcripts)
            .arg(&version)
            .env("VARIABLES", variables.join(" "))
            .env("WORK", &work)
            .quiet()
            .run()
            .context("the container does not do its work with a read-only root")?;
        println!("{version} runs as {USER} with a read-only root and without a network");
        Ok(())
    }

    fn remove(&self) -> Result<()> {
        self.buildah().args(["rm", "--all"]).run()?;
        self.buildah().args(["rmi", "--all", "--force"]).run()?;
        Ok(())
    }
}
