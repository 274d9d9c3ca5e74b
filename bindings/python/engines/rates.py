"""How fast engines read recordings: `python rates.py DIRECTORY` prints gigabytes and rows per second, beside the command."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 3


def best(work: Callable[[], int]) -> tuple[float, int]:
    """Seconds of the fastest round, and the rows."""
    found = (float("inf"), 0)
    for _ in range(ROUNDS):
        started = time.perf_counter()
        rows = work()
        found = min(found, (time.perf_counter() - started, rows))
    return found


def command(jobs: int, paths: list[str]) -> int:
    name = shutil.which("unstuck", path=str(Path(sys.executable).parent))
    assert name is not None
    words = [name, "scan", "--no-config", "--jobs", str(jobs), "-o"]
    with tempfile.TemporaryDirectory() as directory:
        table = str(Path(directory, "rates.parquet"))
        done = subprocess.run([*words, table, *paths], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 2), done.stderr
        import pyarrow.parquet

        return pyarrow.parquet.read_metadata(table).num_rows


def function(paths: list[str]) -> int:
    from unstuck import arrow

    return len(arrow.scan({"path": paths}))


def with_ray(workers: int) -> Callable[[list[str]], int]:
    import pyarrow as pa
    import ray

    ray.shutdown()
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)

    def work(paths: list[str]) -> int:
        from unstuck import arrow

        files = ray.data.from_items([{"path": path} for path in paths], override_num_blocks=len(paths))
        found = files.map_batches(lambda batch: pa.table(arrow.scan(batch)), batch_format="pyarrow", batch_size=1)
        return found.count()

    return work


def with_daft(_: int) -> Callable[[list[str]], int]:
    import daft_frame

    return lambda paths: daft_frame.runs(paths).num_rows


def with_spark(_: int) -> Callable[[list[str]], int]:
    import spark_connect

    _server, spark = spark_connect.session()
    return lambda paths: spark_connect.runs(spark, paths).num_rows


def main() -> None:
    paths = sorted(str(path) for path in Path(sys.argv[1]).rglob("*") if path.is_file())
    size = sum(os.path.getsize(path) for path in paths) / 1e9
    print(f"{len(paths)} files, {size:.2f} GB, the fastest of {ROUNDS} rounds")

    def row(name: str, work: Callable[[], int]) -> None:
        seconds, rows = best(work)
        print(f"{name:28} {seconds:7.2f} s {size / seconds:7.3f} GB/s {rows / seconds:9.0f} rows/s", flush=True)

    for jobs in (1, 2):
        row(f"the command, {jobs} threads", lambda jobs=jobs: command(jobs, paths))
    row("arrow.scan, one thread", lambda: function(paths))
    for name, engine, workers in (
        ("Ray Data, 1 worker", with_ray, 1),
        ("Ray Data, 2 workers", with_ray, 2),
        ("Daft", with_daft, 1),
        ("Spark Connect (Sail)", with_spark, 1),
    ):
        work = engine(workers)
        row(name, lambda work=work: work(paths))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of this process: {most:.0f} MB")


if __name__ == "__main__":
    main()
