"""Folders of more files than a process may have open."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb

FILES = 150


@pytest.fixture
def few_files() -> Iterator[int]:
    """The process may open about 60 files more than now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    now = max(int(entry.name) for entry in Path("/dev/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (now + 60, hard))
    yield now
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_task_keeps_few_files_open(tmp_path: Path, few_files: int) -> None:
    del few_files
    for number in range(FILES):
        table = pa.table({"a": [number, number], "s": ["x", None]})
        pq.write_table(table, tmp_path / f"f{number:03}.parquet")
    with tandemdb.connect(config={"threads": 2}) as con:
        rows = con.execute(f"SELECT sum(a), count(s), count(*) FROM '{tmp_path}/*.parquet'").fetchall()
        assert rows == [(FILES * (FILES - 1), FILES, 2 * FILES)]


def test_no_more_files_is_told_as_that(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with tandemdb.connect() as con:
        con.execute(f"SELECT * FROM '{tmp_path}/t.parquet'").fetchall()
        cursor = con.cursor()
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            with pytest.raises(tandemdb.Error, match="too many files are open"):
                cursor.execute(f"SELECT * FROM '{tmp_path}/t.parquet'").fetchall()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
