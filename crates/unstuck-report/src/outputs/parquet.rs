//! Tables of runs and loops, as two Parquet files.

use super::{Output, OutputKind};
use crate::error::RenderError;

pub(super) const OUTPUT: Output = Output {
    name: "parquet",
    aliases: &[],
    help: "Tables of runs and of loops, as two Parquet files; needs `--output`",
    endings: &["parquet"],
    also: &[],
    kind: OutputKind::Tables,
    render: |_, _| Err(RenderError::Tables),
};
