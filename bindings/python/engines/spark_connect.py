"""Scans recordings with Spark, here by a Spark Connect server without a JVM: `python spark_connect.py FILE…`."""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession

TYPES = {"string": "string", "int64": "bigint", "double": "double", "timestamp": "timestamp"}


def scan(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    from unstuck import arrow

    for batch in batches:
        yield pa.record_batch(arrow.scan(batch))


def runs(spark: SparkSession, paths: list[str]) -> pa.Table:
    from unstuck import arrow

    columns = ", ".join(f"{name} {TYPES[kind]}" for name, kind in arrow.schema().items())
    files = spark.createDataFrame([(path,) for path in paths], "path string")
    return files.mapInArrow(scan, columns).toArrow()


def session() -> tuple[SparkConnectServer, SparkSession]:
    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address
    return server, SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()


if __name__ == "__main__":
    server, spark = session()
    for run in runs(spark, sys.argv[1:]).to_pylist():
        print(run["path"], run["verdict"], run["wasted_calls"], run["error"])
    spark.stop()
    server.stop()
