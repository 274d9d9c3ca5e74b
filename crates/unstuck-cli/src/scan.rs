//! `unstuck scan`: the file that is written, and how far the scan has come. The scan itself is `unstuck-scan`.

mod output_file;
mod progress;

pub(crate) use output_file::{
    check_named, format as output_format, input as same_input, refuse, write_whole,
};
pub(crate) use progress::Progress;
