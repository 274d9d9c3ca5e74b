//! `cargo xtask screenshot`: what a scan of the examples shows, as the pictures in the README.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anstyle_svg::Term;
use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Profile, Shell, build};

use crate::browser;

const PICTURE: &str = "docs/images/scan.svg";
const PAGE_PICTURE: &str = "docs/images/report.png";
const EXAMPLES: &str = "examples/transcripts";
/// Pixels of the page that are shown.
const SIZE: &str = "--window-size=1200,1760";
/// Bytes that a picture may have.
const LARGEST: u64 = 300_000;

/// Colours of the picture by those of the terminal: each at least 4.5:1 on its ground. Verdicts have the colours of the
/// page.
const COLOURS: [(&str, &str); 8] = [
    (".fg { fill: #AAAAAA }", ".fg { fill: #E9EAEA }"),
    (".bg { fill: #000000 }", ".bg { fill: #111315 }"),
    (".fg-cyan { fill: #00AAAA }", ".fg-cyan { fill: #5FC1E8 }"),
    (
        ".fg-magenta { fill: #AA00AA }",
        ".fg-magenta { fill: #CF86DC }",
    ),
    (".fg-red { fill: #AA0000 }", ".fg-red { fill: #F06A80 }"),
    (".fg-green { fill: #00AA00 }", ".fg-green { fill: #9CC7AF }"),
    (
        ".fg-yellow { fill: #AA5500 }",
        ".fg-yellow { fill: #E7C573 }",
    ),
    // Half transparent text cannot be read.
    (".dimmed { opacity: 0.4; }", ".dimmed { fill: #A0A8B0 }"),
];

pub(crate) fn run(shell: &Shell) -> Result<ExitCode> {
    let binary = build(shell, Profile::Dev)?;
    let shown = shell
        .program(&binary)
        .args(["scan", "--no-config", EXAMPLES])
        .env("CLICOLOR_FORCE", "1")
        .read()?;
    let picture = readable(&Term::new().render_svg(&picture_of(&shown)));
    let path = shell.root().join(PICTURE);
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {PICTURE}");
    page(shell, &binary)?;
    println!("wrote {PAGE_PICTURE}");
    Ok(ExitCode::SUCCESS)
}

/// The picture of the page, taken by a browser.
fn page(shell: &Shell, binary: &Path) -> Result<()> {
    let Some(chromium) = browser::browser(shell, Install::Missing)? else {
        bail!("Chromium is not installed");
    };
    let page = shell.root().join("target").join("report.html");
    shell
        .program(binary)
        .args(["scan", "--no-config", EXAMPLES, "--format", "html", "-o"])
        .arg(&page)
        .run()?;
    let path = shell.root().join(PAGE_PICTURE);
    shell
        .program(&chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .args([
            "--force-device-scale-factor=1",
            "--virtual-time-budget=2000",
            SIZE,
        ])
        .arg(format!("--screenshot={}", path.display()))
        .arg(format!("file://{}", page.display()))
        .env("TZ", "UTC")
        .run()?;
    let size = fs::metadata(&path)?.len();
    if size > LARGEST {
        bail!("{PAGE_PICTURE} has {size} bytes, more than {LARGEST}");
    }
    Ok(())
}

/// The picture in colours that can be read.
fn readable(picture: &str) -> String {
    let colours = COLOURS.iter();
    colours.fold(picture.to_owned(), |picture, (weak, strong)| {
        picture.replacen(weak, strong, 1)
    })
}

/// The command as one types it, and the first screen of what it prints, up to the end of a loop: a picture of all of
/// them would be too long to look at.
fn picture_of(shown: &str) -> String {
    const LINES: usize = 52;
    let lines: Vec<_> = shown.lines().collect();
    let screen = &lines[..lines.len().min(LINES)];
    let last = screen.iter().rposition(|line| line.contains("wasted: "));
    let end = match last {
        Some(last) if lines.len() > LINES => last + 1,
        _ => screen.len(),
    };
    format!("$ unstuck scan {EXAMPLES}\n{}\n", screen[..end].join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue of `#RRGGBB`.
    fn light(colour: &str) -> f64 {
        let part = |at: usize| {
            let part = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn every_colour_of_the_picture_can_be_read() {
        let styles = ["", "1", "2", "31", "32", "33", "35", "36", "2;36"];
        let text: String = styles
            .map(|style| format!("\x1b[{style}mtext\x1b[0m\n"))
            .concat();
        let made = readable(&Term::new().render_svg(&text));
        let committed = fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/images/scan.svg"
        ))
        .unwrap();
        for picture in [made, committed] {
            let (style, _) = picture.split_once("</style>").unwrap();
            assert!(!style.contains("opacity"), "{style}");
            let fills = style.lines().filter_map(|line| {
                let (name, fill) = line.trim().split_once(" { fill: ")?;
                Some((name, &fill[..7]))
            });
            let ground = light("#111315");
            assert!(
                fills.clone().any(|fill| fill == (".bg", "#111315")),
                "{style}"
            );
            let mut seen = 0;
            for (name, fill) in fills.filter(|(name, _)| *name != ".bg") {
                let contrast = (light(fill) + 0.05) / (ground + 0.05);
                assert!(contrast >= 4.5, "{name} {fill} {contrast}");
                seen += 1;
            }
            assert!(seen > 2, "{style}");
        }
    }

    #[test]
    fn a_long_report_is_cut_after_a_loop() {
        let part = "a loop\nwasted: 3 calls\n\n".repeat(30);
        let picture = picture_of(&part);
        assert!(picture.starts_with("$ unstuck scan examples/transcripts\na loop\n"));
        assert!(picture.ends_with("wasted: 3 calls\n"), "{picture}");
        assert!(picture.lines().count() <= 53);
        assert_eq!(
            picture_of("short\n"),
            "$ unstuck scan examples/transcripts\nshort\n"
        );
    }
}
