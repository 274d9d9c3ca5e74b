//! Writes the pages that the test in a browser opens: `cargo run -p unstuck-report --example pages -- DIRECTORY`.

#[path = "../tests/render/demo.rs"]
mod demo;

use std::{env, error::Error, fs, path::Path};

use unstuck_report::{Output, OutputKind, RenderOptions, Report};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = env::args().nth(1).ok_or("say which directory")?;
    let directory = Path::new(&directory);
    fs::create_dir_all(directory)?;
    let pages: [(&str, Report); 6] = [
        ("demo.html", demo::demo()),
        ("axes.html", demo::axes()),
        ("hostile.html", demo::hostile()),
        ("large.html", demo::large(4000)),
        ("unpriced.html", demo::unpriced()),
        ("empty.html", Report::default()),
    ];
    let html = Output::of_kind(OutputKind::Page).ok_or("no page")?;
    let options = RenderOptions::default().made_at(demo::NOW);
    for (name, report) in pages {
        let page = html.render(&report, &options)?;
        fs::write(directory.join(name), page)?;
    }
    Ok(())
}
