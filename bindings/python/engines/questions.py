"""Three questions about many runs, asked with DuckDB and with Polars of the files that `unstuck scan -o scan.parquet` writes."""

import sys
from typing import Any

import duckdb
import polars as pl

#: Copies of a recording have equal digests: one of them counts.
ONCE = "SELECT DISTINCT ON (digest) * FROM read_parquet($runs) WHERE error IS NULL"

#: Where does the money go?
COSTS = f"""
    SELECT model, count(*) AS runs, sum(wasted_calls)::BIGINT AS wasted, coalesce(round(sum(wasted_usd), 2), 0) AS usd
    FROM ({ONCE}) GROUP BY model ORDER BY wasted DESC, model
"""
#: How often does an agent get stuck?
STUCK = f"""
    SELECT format, count(*) AS runs, count(*) FILTER (loops > 0) AS stuck
    FROM ({ONCE}) GROUP BY format ORDER BY stuck DESC, format
"""
#: Which tools do they get stuck with?
TOOLS = """
    SELECT tool, rule, count(*) AS loops, sum(wasted_calls)::BIGINT AS wasted
    FROM (SELECT DISTINCT ON (digest, number) * FROM read_parquet($loops) WHERE error IS NULL)
    GROUP BY tool, rule ORDER BY wasted DESC, tool, rule
"""


def by_duckdb(runs: str, loops: str) -> list[list[tuple[Any, ...]]]:
    ask = duckdb.connect().execute
    return [
        ask(COSTS, {"runs": runs}).fetchall(),
        ask(STUCK, {"runs": runs}).fetchall(),
        ask(TOOLS, {"loops": loops}).fetchall(),
    ]


def by_polars(runs: str, loops: str) -> list[list[tuple[Any, ...]]]:
    one = pl.scan_parquet(runs).filter(pl.col("error").is_null()).unique("digest")
    costs = one.group_by("model").agg(
        runs=pl.len(), wasted=pl.sum("wasted_calls"), usd=pl.sum("wasted_usd").round(2)
    )
    stuck = one.group_by("format").agg(runs=pl.len(), stuck=(pl.col("loops") > 0).sum())
    tools = pl.scan_parquet(loops).filter(pl.col("error").is_null()).unique(["digest", "number"])
    tools = tools.group_by("tool", "rule").agg(loops=pl.len(), wasted=pl.sum("wasted_calls"))
    return [
        costs.sort(["wasted", "model"], descending=[True, False], nulls_last=True).collect().rows(),
        stuck.sort(["stuck", "format"], descending=[True, False]).collect().rows(),
        tools.sort(["wasted", "tool", "rule"], descending=[True, False, False], nulls_last=True).collect().rows(),
    ]


if __name__ == "__main__":
    for answer in by_duckdb(sys.argv[1], sys.argv[2]):
        print(*answer, sep="\n", end="\n\n")
