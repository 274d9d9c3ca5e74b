//! Scans of batches of files, as columns for `unstuck.arrow`.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use unstuck_report::{Cell, Column, ColumnKind, ErrorKind, Report, ScanError, Table, TableKind};
use unstuck_scan::{Listed, Meter, Scan, Secrets, digest, digests};

use crate::{failure::caught, settings::settings};

/// Scans one file after the other, and collects the rows.
#[pyclass(frozen, module = "unstuck._native")]
pub(crate) struct TableScan {
    kind: TableKind,
    scan: Scan,
    table: Mutex<Table>,
}

/// Name, type, number of cells without a value, validity, offsets of texts, values.
type Buffers<'py> = (
    &'static str,
    &'static str,
    usize,
    Bound<'py, PyBytes>,
    Option<Bound<'py, PyBytes>>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl TableScan {
    /// A table, `runs` or `loops`, without rows.
    #[new]
    #[pyo3(signature = (table, *, preset = None, keep_secrets = false, settings = None))]
    fn new(
        table: &str,
        preset: Option<&str>,
        keep_secrets: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let kind = TableKind::ALL.into_iter().find(|kind| kind.name() == table);
        let kind = kind.ok_or_else(|| PyValueError::new_err("a table is `runs` or `loops`"))?;
        let loaded = self::settings(preset, None, settings)?;
        let mut scan = Scan::new(loaded.settings)
            .prices(loaded.prices)
            .listed(Listed::All)
            // The engine that calls this has a worker for each processor.
            .threads(1);
        if keep_secrets {
            scan = scan.secrets(Secrets::Kept);
        }
        Ok(Self {
            kind,
            scan,
            table: Mutex::new(Table::of(kind, &Report::default(), &HashMap::new())),
        })
    }

    /// Adds the rows of a file: that at the path, or the one with these contents.
    #[pyo3(signature = (path, data = None, format = None))]
    fn add(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        data: Option<&Bound<'_, PyBytes>>,
        format: Option<&str>,
    ) -> PyResult<()> {
        let name = path
            .as_ref()
            .map_or_else(String::new, |path| path.display().to_string());
        let mut scan = self.scan.clone();
        let mut wrong = None;
        match format.map(str::parse) {
            None => {}
            Some(Ok(format)) => scan = scan.formats(vec![format]),
            Some(Err(_)) => wrong = Some("the format is not known".to_owned()),
        }
        if data.is_none() && path.is_none() {
            wrong = Some("the row has neither a path nor bytes".to_owned());
        }
        let mut interrupt = None;
        let read = match (wrong, data) {
            (Some(wrong), _) => Err(wrong),
            (None, Some(data)) => {
                let bytes = data.as_bytes().to_vec();
                py.detach(|| {
                    caught(|| {
                        let digest = digest(&bytes);
                        let report = scan.bytes(&name, bytes);
                        let table =
                            Table::of(self.kind, &report, &HashMap::from([(name.clone(), digest)]));
                        Ok(table)
                    })
                })
                .and_then(|read| read)
            }
            (None, None) => py
                .detach(|| {
                    caught(|| {
                        let meter = Meter::default();
                        let scan = scan.paths(path);
                        let read = scan.read(scan.find(), &meter, |_| {
                            if interrupt.is_none() {
                                interrupt = Python::attach(|py| py.check_signals().err());
                            }
                            if interrupt.is_some() {
                                meter.stop();
                            }
                        });
                        let report = read.map_err(|error| error.to_string())?.into_report();
                        let digests = digests(&report);
                        Ok(Table::of(self.kind, &report, &digests))
                    })
                })
                .and_then(|read| read),
        };
        if let Some(interrupt) = interrupt {
            return Err(interrupt);
        }
        let rows = read.unwrap_or_else(|error| {
            let report = Report {
                errors: vec![ScanError {
                    path: name,
                    kind: ErrorKind::Unreadable,
                    error,
                    ..ScanError::default()
                }],
                ..Report::default()
            };
            Table::of(self.kind, &report, &HashMap::new())
        });
        self.table().append(rows);
        Ok(())
    }

    /// The number of rows, and the columns.
    fn finish<'py>(&self, py: Python<'py>) -> (usize, Vec<Buffers<'py>>) {
        let table = self.table();
        let columns = table.columns.iter().map(|column| buffers(py, column));
        (table.rows, columns.collect())
    }
}

impl TableScan {
    fn table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn buffers<'py>(py: Python<'py>, column: &Column) -> Buffers<'py> {
    let nulls = column.cells.iter().filter(|cell| **cell == Cell::Null);
    let kind = match column.kind {
        ColumnKind::Text => "text",
        ColumnKind::Integer => "integer",
        ColumnKind::Double => "double",
        ColumnKind::Time => "time",
    };
    let mut values = Vec::new();
    let mut offsets = 0_u64.to_le_bytes().to_vec();
    for bytes in column.bytes() {
        values.extend_from_slice(&bytes);
        if column.kind == ColumnKind::Text {
            offsets.extend_from_slice(&(values.len() as u64).to_le_bytes());
        } else if bytes.is_empty() {
            values.extend_from_slice(&[0; 8]);
        }
    }
    (
        column.name,
        kind,
        nulls.count(),
        PyBytes::new(py, &column.validity()),
        (column.kind == ColumnKind::Text).then(|| PyBytes::new(py, &offsets)),
        PyBytes::new(py, &values),
    )
}
