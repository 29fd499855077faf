"""TPC-H at scale 0.1 on the GPU: all operators there, the rows DuckDB's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import tandemdb
from tandemdb.physical.batch import Device
from tandemdb.physical.nodes import Transfer, walk_nodes
from tandemdb.tpch import texts
from tandemdb.tpch.engines import uncounted
from tandemdb.tpch.generate import Description, generate, table_files
from tandemdb.tpch.verify import Order, compare

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("gpu")]
SCALE = 0.1


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tpch") / "lake"
    assert generate(folder, Description(SCALE), threads=1)
    return folder


@pytest.fixture(scope="module")
def oracle(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        for table in texts.TABLES:
            (path,) = table_files(lake, table)
            connection.execute(f"create view {table} as select * from '{path}'")
        yield connection


@pytest.mark.parametrize("query", texts.QUERIES)
def test_every_query_is_duckdbs_with_all_operators_on_the_gpu(query: int, lake: Path, oracle: Any) -> None:
    text = texts.load(query)
    keys, limit = texts.ordering(text)
    whole = partial(arrow, oracle, texts.without_limit(text))
    config = {"threads": 2, "device": "gpu", "on_fallback": "error"}
    with tandemdb.connect(lake=lake, config=config) as connection:
        cursor = connection.execute(text)
        rows, profile = cursor.fetch_arrow_table(), cursor.profile
    assert compare(arrow(oracle, text), rows, Order(keys, None if limit is None else whole)) == []
    assert profile.fallbacks == []
    assert uncounted(profile) == []
    ran = {op: metrics.device for op, metrics in profile.operators.items()}
    assert Device.GPU in ran.values()
    transfers = {node.op_id for node in walk_nodes(profile.root) if isinstance(node, Transfer)}
    assert {op for op, device in ran.items() if device is Device.CPU} <= transfers


def arrow(oracle: Any, sql: str) -> pa.Table:
    """A query's result from DuckDB."""
    return oracle.sql(sql).to_arrow_table()
