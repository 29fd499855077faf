"""Folders named key=value: columns of Parquet tables, by which files are passed over."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from oracle.duck import duck

FILES = {
    "year=2024/m=1/f.parquet": [1, 2], "year=2024/g.parquet": [3], "year=2025/f.parquet": [4, 5],
    "plain/f.parquet": [6], "day=2024-01-31/k=a%20b/f.parquet": [7], "day=2024-02-01/k=/f.parquet": [8],
    "day=2024-02-02/k=__HIVE_DEFAULT_PARTITION__/f.parquet": [9, 10],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hive") / "events"
    for name, values in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"a": values}), path)
    return root


@pytest.mark.parametrize(
    "sql",
    [
        "FROM '{f}/year=2024/g.parquet'",
        "FROM '{f}/year=*/*.parquet' ORDER BY a",
        "FROM '{f}/*/*.parquet' ORDER BY a",
        "FROM '{f}/year=2024/**/*.parquet' ORDER BY a",
        "FROM '{f}/day=*/*/*.parquet' ORDER BY a",
        "SELECT k, count(*), sum(a) FROM '{f}/day=*/*/*.parquet' GROUP BY k ORDER BY k",
        "SELECT a FROM '{f}/day=*/*/*.parquet' WHERE day > DATE '2024-01-31' AND k IS NULL ORDER BY a",
        "SELECT min(day), max(day), count(k) FROM '{f}/day=*/*/*.parquet'",
        "SELECT x.a FROM '{f}/year=*/*.parquet' x JOIN '{f}/year=*/*.parquet' y USING (year, a) ORDER BY a",
        "DESCRIBE FROM '{f}/day=*/*/*.parquet'",
        "FROM read_parquet('{f}/year=*/*.parquet', hive_partitioning = false) ORDER BY a",
        "FROM read_parquet('{f}/year=*/*.parquet', hive_types = {{'year': 'VARCHAR'}}) ORDER BY a",
        "FROM read_parquet('{f}/year=*/*.parquet', hive_types = {{'zz': 'VARCHAR'}}) ORDER BY a",
        "FROM read_parquet('{f}/day=*/*/*.parquet', hive_types = {{'k': 'INTEGER'}}) ORDER BY a",
        "FROM read_parquet('{f}/day=*/*/*.parquet', hive_types_autocast = false) ORDER BY a",
        "SELECT replace(filename, '{f}', '') FROM read_parquet('{f}/*/*.parquet', filename=true) ORDER BY 1",
        "SELECT a, fn LIKE '%g.parquet' FROM read_parquet('{f}/*/*.parquet', filename = 'fn') ORDER BY a",
        "FROM read_parquet('{f}/*/*.parquet', hive_partitioning = true) ORDER BY a",
        "FROM read_parquet('{f}/*/*.parquet', bogus = true) ORDER BY a",
    ],
)
def test_columns_as_in_duckdb(folder: Path, sql: str) -> None:
    sql = sql.format(f=folder)
    with tandemdb.connect() as con:
        try:
            theirs = duck().execute(sql)
        except Exception:  # noqa: BLE001 - whatever DuckDB refuses
            with pytest.raises(tandemdb.Error) as caught:
                con.execute(sql)
            assert "Internal" not in str(caught.value)
            return
        ours = con.execute(sql)
        described = [(c[0], str(c[1])) for c in ours.description or ()]
        assert described == [(c[0], str(c[1])) for c in theirs.description]
        assert ours.fetchall() == theirs.fetchall()


def test_files_that_a_filter_rules_out_are_not_read(folder: Path) -> None:
    with tandemdb.connect() as con:
        result = con.execute(f"SELECT count(*) FROM '{folder}/year=*/*.parquet' WHERE year = 2025")
        assert result.fetchall() == [(2,)]
        scans = [m for m in result.profile.operators.values() if m.rows]
        assert scans
        assert max(m.rows for m in scans) == 2


def test_a_table_of_a_lake(folder: Path, tmp_path: Path) -> None:
    with tandemdb.connect(lake=str(folder.parent)) as con:
        found = con.execute("SELECT * FROM events ORDER BY a")
        assert [c[0] for c in found.description or ()] == ["a"]  # not all folders have the same keys
    # What lies above the lake says nothing about its tables.
    base = tmp_path / "year=2025"
    (base / "p" / "k=3").mkdir(parents=True)
    for name in ("t.parquet", "p/k=3/x.parquet"):
        pq.write_table(pa.table({"a": [1]}), base / name)
    with tandemdb.connect(lake=str(base)) as con:
        assert con.execute("SELECT * FROM t").fetchall() == [(1,)]
        assert con.execute("SELECT * FROM p").fetchall() == [(1, 3)]
