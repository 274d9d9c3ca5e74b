//! What can go wrong while a report is written.

/// Why a report could not be rendered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// It could not be written as JSON.
    #[error("the report cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// It could not be written as XML.
    #[error("the report cannot be written as XML")]
    Xml(#[from] std::io::Error),
    /// The output is not a text.
    #[error("`parquet` is not a text: `unstuck scan -o FILE.parquet` writes it")]
    Tables,
}
