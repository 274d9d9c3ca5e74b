//! Outputs by name.

use unstuck_report::{Output, RenderError, RenderOptions, Report};

pub(crate) fn render(
    name: &str,
    report: &Report,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    Output::named(name)
        .expect("an output")
        .render(report, options)
}

pub(crate) fn terminal(report: &Report, options: &RenderOptions) -> String {
    render("terminal", report, options).unwrap()
}

pub(crate) fn html(report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
    render("html", report, options)
}

pub(crate) fn json(report: &Report) -> Result<String, RenderError> {
    render("json", report, &RenderOptions::default())
}

pub(crate) fn json_lines(report: &Report) -> Result<String, RenderError> {
    render("jsonl", report, &RenderOptions::default())
}

pub(crate) fn junit(report: &Report) -> Result<String, RenderError> {
    render("junit", report, &RenderOptions::default())
}

pub(crate) fn markdown(report: &Report) -> String {
    render("markdown", report, &RenderOptions::default()).unwrap()
}

pub(crate) fn sarif(report: &Report) -> String {
    render("sarif", report, &RenderOptions::default()).unwrap()
}
