"""Table functions about files, and results as Parquet and Arrow from the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from files.both import both
from tandemdb.engine.cli.main import main

NAMES = ("g/x1.txt", "g/x2.txt", "g/y3.csv", "g/a/z.txt", "g/a/b/w.txt", "g/.h.txt")
PATTERNS = ("g/*", "g/**/*.txt", "g/x[12].txt", "g/x[!1].txt", "g/?1.txt", "g/*/*.txt", "no*", "g/x1.txt")
QUERIES = [
    *(
        f"FROM glob('{pattern}') ORDER BY file"
        for pattern in (
            "g/*",
            "g/**/*.txt",
            "g/x[12].txt",
            "g/x[!1].txt",
            "g/?1.txt",
            "g/*/*.txt",
            "no*",
            "g/x1.txt",
        )
    ),
    "FROM glob(['g/x1.txt', 'g/a/*'])",
    "SELECT filename, content, size FROM read_text('g/x*.txt')",
    "SELECT filename, content, size FROM read_blob(['g/x1.txt', 'g/y3.csv'])",
    "SELECT count(*), sum(size) FROM read_text('g/**/*.txt')",
    "SELECT count(last_modified) FROM read_blob('g/*') WHERE filename LIKE '%y3%'",
    "FROM read_text('nope')",
    "FROM read_text('bad.bin')",
    "DESCRIBE FROM read_text('g/x1.txt')",
    "SELECT file_name, num_rows, num_row_groups FROM parquet_file_metadata('p.parquet')",
    "SELECT row_group_id, row_group_num_rows, column_id, num_values, type FROM parquet_metadata('p.parquet')",
    "SELECT path_in_schema, stats_min, stats_max FROM parquet_metadata('p.parquet') LIMIT 1",
    "SELECT name, type, duckdb_type, column_id FROM parquet_schema('p.parquet') WHERE column_id > 0",
    "FROM parquet_metadata('g/x1.txt')",
]


@pytest.mark.parametrize("sql", QUERIES)
def test_as_in_duckdb(tmp_path: Path, sql: str) -> None:
    def write(own: Path) -> None:
        for name in NAMES:
            (own / name).parent.mkdir(parents=True, exist_ok=True)
            (own / name).write_text("a\n1\n")
        (own / "bad.bin").write_bytes(b"\xff\xfe")
        table = pa.table({"a": pa.array([1, None, 3], pa.int32()), "s": ["x", "y", "z"]})
        pq.write_table(table, own / "p.parquet", row_group_size=2)

    ours, theirs = both(tmp_path, sql, write)
    if theirs.error is not None:
        assert ours.error is not None
        assert "Internal" not in ours.error
        return
    assert (ours.error, ours.names, ours.types, ours.rows) == (None, theirs.names, theirs.types, theirs.rows)


def test_results_as_parquet_and_arrow(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sql = "SELECT i, 'x' || i AS s FROM range(3) t(i)"
    path = tmp_path / "o.parquet"
    assert main(["-c", sql, "-o", str(path)]) == 0
    assert pq.read_table(path).to_pydict() == {"i": [0, 1, 2], "s": ["x0", "x1", "x2"]}
    assert main(["-c", f"{sql} WHERE false", "-o", str(tmp_path / "o.arrow")]) == 0
    with pa.ipc.open_stream(tmp_path / "o.arrow") as reader:
        assert reader.read_all().to_pydict() == {"i": [], "s": []}
    assert main(["-c", sql, "-o", str(tmp_path / "o.jsonl")]) == 0
    assert (tmp_path / "o.jsonl").read_text() == "".join(f'{{"i": {i}, "s": "x{i}"}}\n' for i in range(3))
    capfd.readouterr()
    for wrong in ("SELECT 1/", "SELECT INTERVAL 1 DAY AS d", "SELECT x", "SELECT 'x'::INT"):
        assert main(["-c", wrong, "-o", str(path)]) == 1
        assert "Internal" not in capfd.readouterr().err
        assert pq.read_table(path).num_rows == 3  # the old file is kept
    assert main(["-c", "SELECT 1; SELECT 2", "-o", str(path)]) == 1
    assert "holds one result" in capfd.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["o.arrow", "o.jsonl", "o.parquet"]
