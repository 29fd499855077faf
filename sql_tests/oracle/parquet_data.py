"""A dataset as Parquet files: small row groups, dictionaries and statistics, for what scans do with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from oracle.datasets import Dataset
from oracle.differential import Pair

LAYOUTS: tuple[dict[str, Any], ...] = (
    {"row_group_size": 4},
    {"row_group_size": 1000},
    {"row_group_size": 5, "use_dictionary": False, "data_page_size": 64},
    {"row_group_size": 3, "write_statistics": False},
    {"row_group_size": 6, "compression": "zstd", "write_page_index": True, "data_page_version": "2.0"},
)
"""How the files of table number i are written."""


def write_parquet(data: Dataset, folder: Path) -> dict[str, Path]:
    """Write the dataset's tables as files of different layouts; returns their paths by table."""
    import duckdb

    with duckdb.connect() as con:
        for statement in data.setup():
            con.execute(statement)
        paths = {}
        for index, table in enumerate(data.tables):
            # HUGEINT becomes DECIMAL(38, 0), here for both engines.
            rows = con.sql(f"SELECT * FROM {table.name}").to_arrow_table()
            paths[table.name] = folder / f"{table.name}.parquet"
            pq.write_table(rows, paths[table.name], **LAYOUTS[(data.seed + index) % len(LAYOUTS)])
    return paths


def parquet_pair(engine: str, data: Dataset, folder: Path, settings: dict[str, str] | None = None) -> Pair:
    """The two engines over the dataset's files: views for the one under test.

    The oracle has read them whole, since DuckDB trusts statistics that leave NaN out.
    """
    files = write_parquet(data, folder).items()
    views = [f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')" for name, path in files]
    tables = [f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{path}')" for name, path in files]
    return Pair(engine, data, settings, setup=views, oracle_setup=tables)
