"""COPY TO: files as DuckDB writes them, whole or not at all, and without keeping the result."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import tandemdb
from files.both import both

TEXTS = """(SELECT * FROM (VALUES
    (1, 'plain', 1.5, DATE '2020-02-03'), (2, '', NULL, NULL), (NULL, NULL, 1e30, DATE '1999-12-31'),
    (4, 'a"b', 0.1, NULL), (5, 'c,d', 1.0, NULL), (6, 'e' || chr(10) || 'f', 2.0, NULL), (7, '#c', 3.0, NULL),
    (8, ' lead', 'nan'::DOUBLE, NULL), (9, 'ü''é', '-inf'::DOUBLE, NULL), (10, 'NA', 5e-10, NULL),
    (11, chr(9) || chr(1) || '\\', 1e15, NULL)) v(i, "s,x", d, dt))"""
WRITTEN = [
    "'o.csv'", "'o.csv' (header false)", "'o.csv' (delim '|', quote '''', nullstr 'NA')",
    "'o.tsv' (delim '\\t')",
    "'o.csv' (force_quote *)", "'o.csv' (force_quote (i), escape '\\')", "'o.csv' (quote '')", "'o.x'",
    "'o.csv' (dateformat '%d/%m/%Y')", "'o.csv' (prefix '[', suffix ']', header 0)",
    "'o.csv' (delimiter 'ab')",
    "'o.csv' (new_line '\\r\\n')", "'o.csv' CSV HEADER DELIMITER ';'", "'o.json'", "'o.json' (array)",
    "'o.txt' (format json, dateformat '%Y')", "'o.ndjson'",
    "'p' (format csv, partition_by (i))", "'p' (format json, partition_by (\"s,x\", dt), overwrite)",
    "'p' (format csv, partition_by d, filename_pattern 'f_{i}', write_partition_columns)",
]  # fmt: skip
REFUSED = [
    "'o.csv' (bogus 1)", "'o.parquet' (compression lz9)", "'no/folder.csv'", "'.'", "'o.csv' (format nope)",
    "'o.csv' (delim 'abcdef')", "'o.csv' (header 'maybe')", "'o.csv' (quote 'xx')", "'o.csv' (delim '\"')",
    "'o.csv' (force_quote (zz))", "'o.csv' (delim)", "'o.parquet' (row_group_size 'x')", "'o.json' (foo 1)",
    "'o.csv' (format csv, format json)", "'o.csv' (partition_by (zz))",
    "'o' (partition_by (i, \"s,x\", d, dt))",
    "'o.csv' ()", "'o.csv' (", "", "'o.csv' bogus",
]  # fmt: skip


@pytest.mark.parametrize("target", WRITTEN)
def test_files_are_those_of_duckdb(tmp_path: Path, target: str) -> None:
    ours, theirs = both(tmp_path, f"COPY {TEXTS} TO {target}")
    assert ours.rows == theirs.rows == [(11,)]
    assert ours.files
    assert ours.files == theirs.files


@pytest.mark.parametrize("target", REFUSED)
def test_what_duckdb_refuses_is_refused_and_leaves_no_file(tmp_path: Path, target: str) -> None:
    ours, theirs = both(tmp_path, f"COPY {TEXTS} TO {target}")
    assert theirs.error is not None
    assert ours.error is not None
    assert ours.error.rpartition("Error: ")[2]
    assert "Internal" not in ours.error
    assert not ours.files


def test_a_failing_statement_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("old")
    folder = tmp_path / "parts"
    with tandemdb.connect() as con:
        for target in (f"'{path}'", f"'{folder}' (partition_by (i), format csv)"):
            with pytest.raises(tandemdb.Error, match="INT"):
                con.execute(f"COPY (SELECT i, ('x' || i)::INT FROM range(300000) t(i)) TO {target}")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.json"])
def test_a_killed_process_keeps_the_old_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    sql = f"COPY (SELECT i, i * 2 j FROM range(1000000000) t(i)) TO '{path}'"
    process = subprocess.Popen([sys.executable, "-m", "tandemdb", "-c", sql])
    try:
        deadline = time.monotonic() + 60
        while not any(p.stat().st_size > 1_000_000 for p in tmp_path.iterdir()):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert path.read_text() == "old"


def test_the_new_file_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_text("old")
    os.chmod(path, 0o640)
    with tandemdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT i, 'n' || i AS s FROM range(250000) r(i)")
        sql = f"COPY t TO '{path}' (row_group_size 100000, compression zstd)"
        assert con.execute(sql).fetchall() == [(250_000,)]
        assert con.execute(f"SELECT count(*), sum(i), max(s) FROM '{path}'").fetchall() == [
            (250_000, 31249875000, "n99999")
        ]
    meta = pq.ParquetFile(path).metadata
    assert [meta.row_group(i).num_rows for i in range(meta.num_row_groups)] == [100_000, 100_000, 50_000]
    assert meta.row_group(0).column(0).compression == "ZSTD"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["x.parquet"]


def test_existing_folders(tmp_path: Path) -> None:
    query = "(SELECT i, i % 3 AS k FROM range(9) t(i))"
    with tandemdb.connect() as con:
        target = f"'{tmp_path}/p' (format csv, partition_by (k)"
        con.execute(f"COPY {query} TO {target})")
        with pytest.raises(tandemdb.Error, match="not empty"):
            con.execute(f"COPY {query} TO {target})")
        con.execute(f"COPY {query} TO {target}, append)")
        assert len(list((tmp_path / "p" / "k=0").iterdir())) == 2
        con.execute(f"COPY {query} TO {target}, overwrite_or_ignore)")
        assert len(list((tmp_path / "p" / "k=0").iterdir())) == 2
        found = con.execute(f"COPY {query} TO {target}, overwrite, return_files)").fetchall()
        files = [f"{tmp_path}/p/k={k}/data_0.csv" for k in range(3)]
        assert found == [(9, files)]
        assert sorted(str(p) for p in tmp_path.rglob("*.csv")) == files


def test_explain_and_parameters(tmp_path: Path) -> None:
    with tandemdb.connect() as con:
        ((_, plan),) = con.execute(f"EXPLAIN COPY (SELECT 1 AS a) TO '{tmp_path}/x.csv'").fetchall()
        assert "Project" in plan or "Values" in plan
        assert not list(tmp_path.iterdir())
        con.execute("COPY (SELECT ?::INTEGER AS a) TO ?", [5, f"{tmp_path}/x.csv"])
        con.execute(f"EXPLAIN ANALYZE COPY (SELECT 2 AS a) TO '{tmp_path}/y.csv'")
    assert [(tmp_path / n).read_text() for n in ("x.csv", "y.csv")] == ["a\n5\n", "a\n2\n"]
