"""The queries by which a machine is measured: small ones that give every kind of work on narrow and wide
rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..physical.batch import Device
from ..physical.cost import BATCH_ROWS

# Rows of the nested-loop join's sides: all their pairs are looked at.
_LOOP_ROWS = 2000


@dataclass(frozen=True)
class Measured:
    """A query, and the rows of its batches where they are not those of the settings."""

    sql: str
    batch_rows: int | None = None

    def rows_of_batch(self, device: Device) -> int:
        """Rows of a batch on a device."""
        return self.batch_rows or BATCH_ROWS[device]


def table(rows: int) -> pa.Table:
    """The rows that queries work on: a unique key in disorder, a group key, a short text, numbers."""
    key = pa.array([(i * 7919) % rows for i in range(rows)], pa.int64())
    numbers = pa.array([i * 0.5 for i in range(rows)], pa.float64())
    return pa.table(
        {
            "k": key,
            "g": pa.array([i % 1000 for i in range(rows)], pa.int64()),
            "s": pa.array([f"text {i % 5000:013}" for i in range(rows)], pa.string()),
            "x": numbers,
            "y": numbers,
            "z": numbers,
        }
    )


def write_table(path: Path, rows: int) -> None:
    """The same rows in a Parquet file, in row groups as data has them."""
    pq.write_table(table(rows), path, row_group_size=122_880)


def queries() -> Iterator[Measured]:
    """Over the tables `memory` and `file`, which have the same rows."""
    for source in ("file", "memory"):
        yield Measured(f"SELECT sum(k) FROM {source}")
        yield Measured(f"SELECT sum(k), sum(x), sum(y), sum(z), count(s) FROM {source}")
    yield Measured("SELECT count(*) FROM memory WHERE g < 500")
    yield Measured("SELECT k, x, y, z, s FROM memory WHERE g < 500")
    yield Measured("SELECT k + g, x * 2 - y FROM memory")
    yield Measured("SELECT x * y + z * x - y * z + x, k * 3 - g FROM memory")
    yield Measured("SELECT count(*) FROM memory a JOIN memory b ON a.k = b.k")
    yield Measured("SELECT a.k, b.x, b.y, b.s FROM memory a JOIN memory b ON a.k = b.k")
    yield Measured("SELECT count(*) FROM memory a JOIN (SELECT k FROM memory WHERE g < 5) b ON a.k = b.k")
    few = f"(SELECT k, x FROM memory LIMIT {_LOOP_ROWS})"
    yield Measured(f"SELECT count(*) FROM {few} a JOIN {few} b ON a.k < b.k")
    yield Measured("SELECT g, sum(k) FROM memory GROUP BY g")
    yield Measured("SELECT g, sum(x), sum(y), sum(z), count(s) FROM memory GROUP BY g")
    yield Measured("SELECT k, count(*) FROM memory GROUP BY k")
    yield Measured("SELECT k FROM memory ORDER BY k")
    yield Measured("SELECT k, x, y, z, s FROM memory ORDER BY x DESC, k")
    # Small batches, for what a batch costs.
    yield Measured("SELECT k + g, x * 2 - y FROM memory", 2048)
    yield Measured("SELECT k, x FROM memory WHERE g < 500", 2048)
