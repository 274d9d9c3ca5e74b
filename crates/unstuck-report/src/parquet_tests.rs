use std::collections::HashMap;

use super::*;
use crate::{Report, Run, TableKind};

/// The bytes of a small file are checked against those of a file that other programs have read; that they read every file is
/// a test of the Python package.
#[test]
fn the_frame_is_that_of_the_format() {
    let report = Report {
        runs: vec![Run::default(); GROUP + 3],
        ..Report::default()
    };
    let bytes = parquet(&Table::of(TableKind::Runs, &report, &HashMap::new()));
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (MAGIC, MAGIC));
    let length: [u8; 4] = bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap();
    let footer = &bytes[bytes.len() - 8 - u32::from_le_bytes(length) as usize..];
    // Version 1, then a list of more than 14 structures: the schema.
    assert_eq!(footer[..5], [0x15, 2, 0x19, 0xfc, 21]);
    let names = String::from_utf8_lossy(footer);
    assert!(names.contains("unstuck.tables") && names.contains("wasted_usd"));
}

#[test]
fn numbers_are_written_in_groups_of_seven_bits() {
    let mut out = Vec::new();
    varint(300, &mut out);
    signed(64, &mut out);
    varint(u64::MAX, &mut out);
    assert_eq!(out[..4], [0xac, 0x02, 0x80, 0x01]);
    assert_eq!(
        out[4..],
        [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
    );
}
