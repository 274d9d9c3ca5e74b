"""Scans recordings with Daft: `python daft_frame.py FILE…` prints one line for each run."""

import sys

import daft
import pyarrow as pa

from unstuck import arrow


def runs(paths: list[str]) -> pa.Table:
    files = daft.from_pydict({"path": paths})
    parts = files.to_arrow_iter()
    return pa.Table.from_batches([pa.record_batch(arrow.scan(part)) for part in parts])


if __name__ == "__main__":
    for run in daft.from_arrow(runs(sys.argv[1:])).to_pylist():
        print(run["path"], run["verdict"], run["wasted_calls"], run["error"])
