"""TandemDB's answers to the 22 queries are DuckDB's, whatever the literals."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import tandemdb
from tandemdb.tpch import parameters, texts
from tandemdb.tpch.generate import table_files
from tandemdb.tpch.verify import Order, compare

# Scale of the lake in conftest.py.
SCALE = 0.01


@pytest.fixture(scope="module")
def oracle(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        for table in texts.TABLES:
            (path,) = table_files(lake, table)
            connection.execute(f"create view {table} as select * from '{path}'")
        yield connection


@pytest.fixture(scope="module", params=["parquet", "memory"])
def subject(request: pytest.FixtureRequest, lake: Path) -> Iterator["tandemdb.Connection"]:
    """Small batches and two threads, so that every operator sees many of them."""
    folder = str(lake) if request.param == "parquet" else None
    with tandemdb.connect(lake=folder, config={"threads": 2, "batch_size": 1000}) as connection:
        if request.param == "memory":
            for table in texts.TABLES:
                (path,) = table_files(lake, table)
                connection.execute(f"create table {table} as select * from '{path}'")
        yield connection


@pytest.mark.parametrize("query", texts.QUERIES)
def test_answer(query: int, subject: "tandemdb.Connection", oracle: duckdb.DuckDBPyConnection) -> None:
    drawn = [parameters.draw(query, seed=11, run=run, scale=SCALE) for run in range(3)]
    for values in (parameters.validation(query, SCALE), *drawn):
        text = texts.render(query, values)
        keys, limit = texts.ordering(text)
        whole = partial(arrow, oracle, texts.without_limit(text))
        cursor = subject.execute(text)
        found = compare(
            arrow(oracle, text), cursor.fetch_arrow_table(), Order(keys, None if limit is None else whole)
        )
        assert found == [], text
        assert cursor.profile.fallbacks == []


def arrow(oracle: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
    """A query's result from DuckDB."""
    return oracle.sql(sql).to_arrow_table()
