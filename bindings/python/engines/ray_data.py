"""Scans recordings with Ray Data: `python ray_data.py FILE…` prints one line for each run."""

import sys

import pyarrow as pa
import ray.data

from unstuck import arrow


def runs(paths: list[str]) -> pa.Table:
    files = ray.data.from_items([{"path": path} for path in paths])
    found = files.map_batches(lambda batch: pa.table(arrow.scan(batch)), batch_format="pyarrow")
    return pa.concat_tables(ray.get(found.to_arrow_refs()))


if __name__ == "__main__":
    for run in runs(sys.argv[1:]).to_pylist():
        print(run["path"], run["verdict"], run["wasted_calls"], run["error"])
