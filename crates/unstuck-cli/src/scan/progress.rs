//! How far the scan has come, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; nothing where that is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

const TEMPLATE: &str = "scanning {wide_bar:.cyan/dim} {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "scanning {spinner} {binary_bytes}  {binary_bytes_per_sec}";

impl Progress {
    /// For so many bytes; zero where that is not known.
    pub(crate) fn new(bytes: u64) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let (length, template) = match bytes {
            0 => (None, UNKNOWN),
            bytes => (Some(bytes), TEMPLATE),
        };
        let bar = ProgressBar::with_draw_target(length, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        // A scan that is done at once needs no bar.
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    pub(crate) fn show(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Takes the bar away again.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
