//! Reports of recordings that are given as bytes.

use unstuck_js::Options;
use unstuck_report::{Output, OutputKind, RenderOptions};
use unstuck_scan::{Calls, Scan, Secrets};

/// The report of a recording, once for each of these outputs of `unstuck scan`.
pub(crate) fn rendered(
    options: &Options,
    name: &str,
    bytes: Vec<u8>,
    outputs: &[String],
    secrets: Secrets,
    now: Option<i64>,
) -> Result<Vec<String>, String> {
    let mut wanted = Vec::with_capacity(outputs.len());
    for output in outputs {
        let known = Output::named(output);
        wanted.push(known.ok_or_else(|| format!("there is no output `{output}`"))?);
    }
    let shows_calls = wanted
        .iter()
        .any(|output| output.kind() == OutputKind::Page);
    let calls = if shows_calls {
        Calls::Shown
    } else {
        Calls::Counted
    };
    let report = Scan::new(options.settings.clone())
        .prices(options.prices.clone())
        .calls(calls)
        .secrets(secrets)
        .bytes(name, bytes);
    let render = match now {
        Some(now) => RenderOptions::default().made_at(now),
        None => RenderOptions::default(),
    };
    let texts = wanted.into_iter().map(|output| {
        let text = output.render(&report, &render);
        text.map_err(|error| error.to_string())
    });
    texts.collect()
}
