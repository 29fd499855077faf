"""Folders named key=value: refused where DuckDB makes columns of them, and read without on request."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from oracle.duck import duck

FILES = ("year=2024/m=1/f.parquet", "year=2024/g.parquet", "year=2025/f.parquet", "plain/f.parquet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "events" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"a": [1, 2]}), path)
    return tmp_path / "events"


@pytest.mark.parametrize(
    "pattern", ["year=2024/g.parquet", "year=*/*.parquet", "*/*.parquet", "year=2024/**/*.parquet"]
)
def test_refused_where_duckdb_makes_columns(folder: Path, pattern: str) -> None:
    theirs = duck().execute(f"SELECT * FROM read_parquet('{folder}/{pattern}')")
    names, rows = [c[0] for c in theirs.description], theirs.fetchall()
    for source in (f"read_parquet('{folder}/{pattern}')", f"'{folder}/{pattern}'"):
        with tandemdb.connect() as con:
            if names == ["a"]:
                assert con.execute(f"SELECT * FROM {source}").fetchall() == rows
                continue
            with pytest.raises(tandemdb.Error, match=rf"columns {', '.join(names[1:])} \(hive partitions\)"):
                con.execute(f"SELECT * FROM {source}")
            without = con.execute(
                f"SELECT * FROM read_parquet('{folder}/{pattern}', hive_partitioning = false)"
            )
            assert [c[0] for c in without.description or ()] == ["a"]


def test_a_table_of_a_lake(folder: Path) -> None:
    for name in ("year=2024/m=1/f.parquet", "plain/f.parquet"):
        (folder / name).unlink()
    with tandemdb.connect(lake=str(folder.parent)) as con:
        with pytest.raises(tandemdb.Error, match="hive partitions"):
            con.execute("SELECT * FROM events")
    # What lies above the lake says nothing about its tables.
    pq.write_table(pa.table({"a": [1]}), folder / "year=2025" / "t.parquet")
    with tandemdb.connect(lake=str(folder / "year=2025")) as con:
        assert con.execute("SELECT * FROM t").fetchall() == [(1,)]
