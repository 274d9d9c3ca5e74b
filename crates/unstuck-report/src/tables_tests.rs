use super::*;
use crate::{
    report::{ReportVerdict, ScanError, Wasted},
    skipped::{SkipReason, SkippedFile, SkippedFiles},
};

fn report() -> Report {
    let one = |rule: &str| Loop {
        rule: rule.to_owned(),
        repeats: 4,
        from: 7,
        pattern: vec!["a".to_owned(), "b".to_owned()],
        ..Loop::default()
    };
    let run = |path: &str, loops: Vec<Loop>| Run {
        path: path.to_owned(),
        format: "codex".to_owned(),
        verdict: ReportVerdict::Halt,
        started: Some(5),
        wasted: Wasted {
            calls: 3,
            tokens: u64::MAX,
            usd: Some(0.123_456_78),
        },
        loops,
        ..Run::default()
    };
    Report {
        runs: vec![
            run("x", vec![one("poll"), one("cycle")]),
            run("y", Vec::new()),
            run("x", vec![one("chant")]),
        ],
        errors: vec![ScanError {
            path: "z".to_owned(),
            error: "not JSON".to_owned(),
            ..ScanError::default()
        }],
        skipped: vec![SkippedFiles {
            reason: SkipReason::Empty,
            count: 1,
            advice: String::new(),
            files: vec![SkippedFile {
                path: "e".to_owned(),
                detail: String::new(),
            }],
        }],
        ..Report::default()
    }
}

fn column(table: &Table, name: &str) -> Vec<String> {
    let column = table.columns.iter().find(|column| column.name == name);
    let cells = column.unwrap().cells.iter();
    cells
        .map(|cell| match cell {
            Cell::Null => "-".to_owned(),
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Double(number) => number.to_string(),
        })
        .collect()
}

#[test]
fn every_run_loop_and_file_without_a_run_has_a_row() {
    let digests = HashMap::from([
        ("x".to_owned(), "d".to_owned()),
        ("e".to_owned(), "f".to_owned()),
    ]);
    let runs = Table::of(TableKind::Runs, &report(), &digests);
    assert_eq!(runs.rows, 5);
    assert_eq!(column(&runs, "path"), ["x", "y", "x", "z", "e"]);
    assert_eq!(column(&runs, "digest"), ["d-1", "-", "d-2", "-", "f"]);
    assert_eq!(column(&runs, "loops"), ["2", "0", "1", "-", "-"]);
    assert_eq!(column(&runs, "title"), ["-"; 5]);
    assert_eq!(column(&runs, "wasted_usd")[0], "0.123457");
    assert_eq!(column(&runs, "wasted_tokens")[0], i64::MAX.to_string());
    assert_eq!(
        column(&runs, "error_kind")[2..],
        ["-", "unreadable", "skipped"]
    );
    assert_eq!(column(&runs, "error")[2..], ["-", "not JSON", "empty"]);
    let loops = Table::of(TableKind::Loops, &report(), &digests);
    assert_eq!(column(&loops, "rule"), ["poll", "cycle", "chant", "-", "-"]);
    assert_eq!(column(&loops, "number"), ["1", "2", "1", "-", "-"]);
    assert_eq!(column(&loops, "digest"), ["d-1", "d-1", "d-2", "-", "f"]);
    assert_eq!(column(&loops, "pattern")[0], "a\nb");
    assert_eq!(column(&loops, "to_line")[0], "-");
}

#[test]
fn tables_are_appended_column_by_column() {
    let mut table = Table::of(TableKind::Runs, &report(), &HashMap::new());
    table.append(table.clone());
    assert_eq!(table.rows, 10);
    assert!(table.columns.iter().all(|column| column.cells.len() == 10));
}

#[test]
fn a_long_text_is_cut_between_characters() {
    let mut report = report();
    report.runs[0].session = format!("a{}", "é".repeat(LONGEST));
    let table = Table::of(TableKind::Runs, &report, &HashMap::new());
    assert_eq!(column(&table, "session")[0].len(), LONGEST - 1);
}

#[test]
fn validity_has_a_bit_for_each_cell() {
    let cells = [
        true, false, false, true, true, false, false, false, false, true,
    ]
    .map(|is_there| {
        if is_there {
            Cell::Integer(-2)
        } else {
            Cell::Null
        }
    });
    let column = Column {
        name: "n",
        about: "",
        kind: ColumnKind::Integer,
        cells: cells.to_vec(),
    };
    assert_eq!(column.validity(), [0b0001_1001, 0b10]);
    let bytes: Vec<u8> = column
        .bytes()
        .flat_map(std::borrow::Cow::into_owned)
        .collect();
    assert_eq!(bytes, (-2_i64).to_le_bytes().repeat(4));
}
