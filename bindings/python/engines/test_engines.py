"""The function `unstuck.arrow.scan` in the engines of data teams: all give the rows that the command writes as Parquet."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import questions

from unstuck import arrow

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "transcripts"

#: Columns with which rows are put in order: engines give batches in any order.
ORDER = ["path", "session", "agent", "digest"]

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Recordings, and files that are none."""
    place = tmp_path_factory.mktemp("recordings")
    paths = []
    for at, file in enumerate(sorted(path for path in EXAMPLES.rglob("*") if path.is_file())):
        paths.append(place / f"{at:02}-{file.name}")
        shutil.copy(file, paths[-1])
    for name, content in {
        "empty.jsonl": b"",
        "noise.bin": bytes(range(256)) * 40,
        "cut.json": b'[{"role":"user","content":"a',
        "prose.txt": b"Nothing happened.\n" * 50,
    }.items():
        paths.append(place / name)
        paths[-1].write_bytes(content)
    assert len(paths) > 10
    return [str(path) for path in paths]


@pytest.fixture(scope="module")
def written(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of runs that the command writes; that of loops is beside it."""
    found = shutil.which("unstuck", path=str(Path(sys.executable).parent))
    assert found is not None
    out = tmp_path_factory.mktemp("tables") / "scan.parquet"
    words = [found, "scan", "--no-config", "-o", str(out), *files]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2), done.stderr
    return out


def ordered(rows: Rows) -> Rows:
    def key(row: dict[str, Any]) -> tuple[str, ...]:
        names = [*ORDER, "number"] if "number" in row else ORDER
        return tuple(str(row[name]) for name in names)

    def plain(value: Any) -> Any:
        # Spark has times without a zone.
        return value.replace(tzinfo=None) if isinstance(value, datetime) else value

    rows = [{name: plain(value) for name, value in row.items()} for row in rows]
    return sorted(rows, key=key)


def test_the_command_and_the_function_give_equal_rows(files: list[str], written: Path) -> None:
    for table, path in (("runs", written), ("loops", written.with_suffix(".loops.parquet"))):
        of_command = ordered(pyarrow.parquet.read_table(path).to_pylist())
        assert ordered(pa.table(arrow.scan({"path": files}, table)).to_pylist()) == of_command
        contents = [Path(file).read_bytes() for file in files]
        of_contents = ordered(pa.table(arrow.scan({"path": files, "bytes": contents}, table)).to_pylist())
        for row in of_command + of_contents:
            # Contents have no directory.
            row.pop("project", None)
        assert of_contents == of_command
    every = {row["path"] for row in pyarrow.parquet.read_table(written).to_pylist()}
    assert every == set(files)


def of_ray(files: list[str]) -> pa.Table:
    import ray
    import ray_data

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        return ray_data.runs(files)
    finally:
        ray.shutdown()


def of_daft(files: list[str]) -> pa.Table:
    import daft_frame

    return daft_frame.runs(files)


def of_spark(files: list[str]) -> pa.Table:
    import spark_connect

    server, spark = spark_connect.session()
    try:
        return spark_connect.runs(spark, files)
    finally:
        spark.stop()
        server.stop()


def of_polars(files: list[str]) -> pa.Table:
    return pl.DataFrame(arrow.scan(pl.DataFrame({"path": files}))).to_arrow()


def of_duckdb(files: list[str]) -> pa.Table:
    # DuckDB finds the batch by its name.
    batch = arrow.scan({"path": files})
    assert len(batch) > 0
    return duckdb.sql("SELECT * FROM batch").to_arrow_table()


@pytest.mark.parametrize("engine", [of_ray, of_daft, of_spark, of_polars, of_duckdb])
def test_every_engine_gives_the_rows_of_the_command(
    engine: Callable[[list[str]], pa.Table], files: list[str], written: Path
) -> None:
    assert ordered(engine(files).to_pylist()) == ordered(pyarrow.parquet.read_table(written).to_pylist())


def test_questions_have_one_answer(written: Path) -> None:
    loops = written.with_suffix(".loops.parquet")
    by_duckdb = questions.by_duckdb(str(written), str(loops))
    assert by_duckdb == questions.by_polars(str(written), str(loops))
    assert all(by_duckdb)


def test_metadata_has_the_version_of_the_columns(written: Path) -> None:
    read = pyarrow.parquet.ParquetFile(written)
    assert read.metadata.metadata[b"unstuck.tables"] == b"1"
    assert {field.name: str(field.type).split("[")[0] for field in read.schema_arrow} == arrow.schema()


def test_a_table_of_many_rows_is_read_as_it_was_written(tmp_path: Path) -> None:
    """More rows than a row group has, with gaps."""
    found = shutil.which("unstuck", path=str(Path(sys.executable).parent))
    line = '{"event":"call","session":"%d","id":"1","tool":"t","args":{}}\n{"event":"result","session":"%d","id":"1","output":"x"}\n'
    place = tmp_path / "many.jsonl"
    place.write_text("".join(line % (at, at) for at in range(20_000)))
    out = tmp_path / "many.parquet"
    subprocess.run([str(found), "scan", "--no-config", "-o", str(out), str(place)], check=True, capture_output=True)
    table = pyarrow.parquet.read_table(out)
    sessions = sorted(int(name) for name in table["session"].to_pylist())
    assert sessions == list(range(20_000))
    assert pl.read_parquet(out)["session"].n_unique() == 20_000
    assert duckdb.sql(f"SELECT count(DISTINCT digest) FROM '{out}'").fetchall() == [(20_000,)]


def batches() -> Iterator[pa.RecordBatch]:
    files = [str(EXAMPLES), "missing.jsonl"]
    yield pa.record_batch({"path": files})
    yield pa.record_batch({"path": pa.array(files, pa.large_string())})
    yield pa.record_batch({"path": pa.array(files, pa.string_view())})
    yield pa.record_batch({"path": pa.array(files).dictionary_encode()})
    yield pa.record_batch({"other": [0, 1, 2, 3], "path": ["x", *files, "y"]}).slice(1, 2)


@pytest.mark.parametrize("batch", list(batches()), ids=range(5))
def test_every_kind_of_column_is_read(batch: pa.RecordBatch) -> None:
    rows = pa.record_batch(arrow.scan(batch))
    rows.validate(full=True)
    assert rows.num_rows == 12
    assert [row["path"] for row in rows.to_pylist() if row["error_kind"] == "unreadable"] == ["missing.jsonl"]
    assert pa.table(arrow.scan(pa.Table.from_batches([batch, batch]))).num_rows == 24


def test_other_columns_are_refused() -> None:
    for wrong in (pa.record_batch({"path": [1]}), pa.array([1]), object()):
        with pytest.raises(TypeError):
            arrow.scan(wrong)
    with pytest.raises(ValueError, match="column `path` or `bytes`"):
        arrow.scan(pa.record_batch({"file": ["a"]}))
