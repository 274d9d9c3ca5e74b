"""`unstuck.arrow` without any library of Arrow: its own batches are read by its own reader."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import unstuck
from unstuck import arrow

EXAMPLES = ROOT / "examples" / "transcripts"


def column(batch: arrow.Batch, name: str) -> list[Any]:
    """The values of a column of texts, read as a consumer does."""
    _, array = batch.__arrow_c_array__()
    at = batch.column_names.index(name)
    schema = batch.__arrow_c_schema__()
    shape = arrow._Schema.from_address(arrow._pointer_of(schema, b"arrow_schema"))
    whole = arrow._Array.from_address(arrow._pointer_of(array, b"arrow_array"))
    child, values = shape.children[at].contents, whole.children[at].contents
    assert child.name == name.encode()
    return [arrow._text(value) for value in arrow._values(name, child, values, 0, whole.length)]


def test_every_run_and_loop_has_a_row() -> None:
    report = unstuck.scan(EXAMPLES)
    runs = arrow.scan({"path": [str(EXAMPLES)]})
    assert len(runs) == len(report["runs"]) == 11
    assert column(runs, "session") == [run["session"] for run in report["runs"]]
    assert column(runs, "verdict") == [run["verdict"] for run in report["runs"]]
    assert len(set(column(runs, "digest"))) == 11
    loops = arrow.scan({"path": [str(EXAMPLES)]}, "loops")
    rules = [loop["rule"] for run in report["runs"] for loop in run["loops"]]
    assert column(loops, "rule") == rules
    assert arrow.schema("loops")["repeats"] == "int64"


def test_no_file_stops_the_others(tmp_path: Path) -> None:
    good = next(path for path in EXAMPLES.rglob("*.jsonl")).read_bytes()
    rows: dict[str, list[Any]] = {
        "path": ["missing", "empty", "noise", "good", "copy", None, "format", "\udcff"],
        "bytes": [None, b"", b"\xff\x00" * 1_000, good, good, None, good, None],
        "format": [None, None, None, None, None, None, "unheard-of", None],
    }
    batch = arrow.scan(rows)
    kinds = dict(zip(column(batch, "path"), column(batch, "error_kind"), strict=True))
    unread = {"missing", "", "format", "noise", "empty", "\ufffd"}
    assert {path for path, kind in kinds.items() if kind == "unreadable"} == unread
    assert kinds["good"] is None and kinds["copy"] is None
    digests = dict(zip(column(batch, "path"), column(batch, "digest"), strict=True))
    assert digests["good"] == digests["copy"] != digests["noise"]


def test_settings_are_those_of_a_guard() -> None:
    quiet = arrow.scan({"path": [str(EXAMPLES)]}, preset="tool-loop-detector")
    assert column(quiet, "verdict") != column(arrow.scan({"path": [str(EXAMPLES)]}), "verdict")
    with pytest.raises(ValueError, match="preset"):
        arrow.scan({"path": []}, preset="unheard-of")
    with pytest.raises(ValueError, match="runs"):
        arrow.scan({"path": []}, "tables")  # type: ignore[arg-type]
    for batch in ({}, {"paths": ["a"]}):
        with pytest.raises(ValueError, match="`path` or `bytes`"):
            arrow.scan(batch)
    with pytest.raises(TypeError, match="a list of values"):
        arrow.scan({"path": "transcripts"})
    with pytest.raises(TypeError):
        arrow.scan(7)


def test_what_is_exported_is_given_back() -> None:
    batch = arrow.scan({"path": [str(EXAMPLES)]})
    for _ in range(3):
        batch.__arrow_c_array__()
        batch.__arrow_c_stream__()
        batch.__arrow_c_schema__()
    again = arrow.scan(batch)
    assert len(again) >= 11
    gc.collect()
    assert not arrow._kept
