//! `unstuck scan --open`: the HTML page, in the browser.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use unstuck_text::Shown;

use super::{ScanArgs, ScanOutput};
use crate::style::{CODE, WARNING, paint};

/// How long a program that opens pages may take to fail. Some of them go on as the browser itself.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

/// The same scan, written as a page to a file.
pub(super) fn of(args: &ScanArgs) -> Result<ScanArgs> {
    if !matches!(
        args.asked,
        None | Some(ScanOutput::Terminal | ScanOutput::Html)
    ) {
        bail!("--open shows the HTML page; leave out --format, or write `--format html`");
    }
    let mut page = args.clone();
    page.asked = Some(ScanOutput::Html);
    if page.out.is_none() {
        // Only its owner can read it. It stays until the system clears its temporary files: the browser needs it.
        let file = tempfile::Builder::new()
            .prefix("unstuck-")
            .suffix(".html")
            .tempfile()
            .context("cannot make a temporary file; name one with -o")?;
        let (_, path) = file.keep().context("cannot keep the temporary file")?;
        page.out = Some(path);
    }
    Ok(page)
}

/// Opens a page. The page is there in any case, so that a failure is only reported.
pub(super) fn open(page: Option<&Path>) -> Result<()> {
    let Some(page) = page else {
        return Ok(());
    };
    let page = std::path::absolute(page).context("cannot tell where the page is")?;
    if let Err(error) = start(&page) {
        anstream::eprintln!(
            "{} cannot open a browser: {}\nOpen the page yourself: {}",
            paint(WARNING, "warning:"),
            Shown::line(error),
            paint(CODE, &Shown::line(page.display()).to_string()),
        );
    }
    Ok(())
}

fn start(page: &Path) -> Result<(), String> {
    let (name, mut command) = opener();
    let started = command
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("`{name}` is not installed"),
        _ => format!("`{name}`: {error}"),
    })?;
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("`{name}` failed ({status})")),
            Ok(None) => thread::sleep(LOOK),
            Err(error) => return Err(format!("`{name}`: {error}")),
        }
    }
    Ok(())
}

/// The program that opens pages on this system, and its name.
fn opener() -> (&'static str, Command) {
    if cfg!(target_os = "macos") {
        ("open", Command::new("open"))
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        ("rundll32", command)
    } else {
        ("xdg-open", Command::new("xdg-open"))
    }
}
