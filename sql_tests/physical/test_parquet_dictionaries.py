"""Which text columns of a Parquet file are decoded as dictionaries: those whose values come again."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from tandemdb.physical.parquet_meta import FileId, read_meta

ROWS = 50_000
FEW = [f"value {i % 7}" for i in range(ROWS)]
THOUSANDS = [f"a longer value, number {i * 7919 % 5000}" for i in range(ROWS)]
ALL_DIFFERENT = [f"{i * 2654435761 % (1 << 32):08x} {i}" for i in range(ROWS)]
# Beyond a dictionary of a megabyte, pages are written plain.
TOO_MANY = [f"{'long ' * 40}{i % 25_000}" for i in range(ROWS)]


def is_dictionary(path: Path, values: list[str], **layout: object) -> bool:
    pq.write_table(pa.table({"s": values}), path, **layout)
    stat = path.stat()
    column = read_meta(FileId(str(path), stat.st_size, stat.st_mtime_ns)).find("s")
    assert column is not None
    return column.dictionary


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_values_that_come_again_are_read_as_dictionaries(tmp_path: Path, compression: str) -> None:
    path = tmp_path / "t.parquet"
    assert is_dictionary(path, FEW, compression=compression)
    assert is_dictionary(path, THOUSANDS, compression=compression)
    assert not is_dictionary(path, ALL_DIFFERENT, compression=compression)
    assert not is_dictionary(path, TOO_MANY, compression=compression)
    assert not is_dictionary(path, THOUSANDS, compression=compression, use_dictionary=False)


@pytest.mark.parametrize("values", [FEW, THOUSANDS, ALL_DIFFERENT, TOO_MANY])
def test_values_do_not_depend_on_how_they_are_read(tmp_path: Path, values: list[str]) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"s": [None, *values]}), path, row_group_size=20_000)
    with tandemdb.connect() as con:
        rows = con.execute(f"SELECT s FROM '{path}' WHERE s LIKE '%1%' OR s IS NULL").fetchall()
        least = con.execute(f"SELECT min(s), max(s), count(DISTINCT s) FROM '{path}'").fetchall()
    assert [row[0] for row in rows] == [None, *(value for value in values if "1" in value)]
    assert least == [(min(values), max(values), len(set(values)))]
