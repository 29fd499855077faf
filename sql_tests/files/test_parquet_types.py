"""Parquet columns of types that SQL types here do not name: read as DuckDB's values."""

from __future__ import annotations

import decimal
import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tandemdb
from oracle.duck import duck

COUNT = 3000


def _rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """DOUBLEs without their last digits: DuckDB's steps to them lose some, ours are the nearest."""
    return tuple(f"{value:.12e}" if isinstance(value, float) else value for value in row)


def test_uuids_json_and_wide_decimals(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    ids = [None if i % 7 == 0 else uuid.UUID(int=i * 0x1234567890ABCDEF1234567).bytes for i in range(COUNT)]
    wide = [None if i % 5 == 0 else decimal.Decimal(i * 10**38 + i).scaleb(-2) for i in range(COUNT)]
    table = pa.table(
        {
            "u": pa.ExtensionArray.from_storage(pa.uuid(), pa.array(ids, pa.binary(16))),
            "j": pa.ExtensionArray.from_storage(pa.json_(), pa.array([f'{{"a":{i}}}' for i in range(COUNT)])),
            "d": pa.array(wide, pa.decimal256(50, 2)),
        }
    )
    pq.write_table(table, path, row_group_size=1000)
    with tandemdb.connect() as con:
        for sql in (
            f"SELECT u::VARCHAR AS u, j::VARCHAR AS j, d FROM '{path}'",
            f"SELECT count(u), count(DISTINCT u), min(u::VARCHAR), max(d), count(d) FROM '{path}'",
            f"SELECT j::VARCHAR FROM '{path}' WHERE u = '00000000-0091-a2b3-c48d-5e6f78091a2b' OR d > 2.9e39",
        ):
            ours, theirs = con.execute(sql).fetchall(), duck().execute(sql).fetchall()
            assert [_rounded(row) for row in ours] == [_rounded(row) for row in theirs]
        kinds = [str(c[1]) for c in con.execute(f"FROM '{path}'").description or ()]
        assert kinds == ["VARCHAR", "VARCHAR", "DOUBLE"]
        con.execute("SET gpu_profile = 'h100'")
        ((_, plan),) = con.execute(f"EXPLAIN FROM '{path}'").fetchall()
        assert "decoded on the CPU" in plan
