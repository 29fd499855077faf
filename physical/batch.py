"""A batch: some rows of a relation on one device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any

from ..planner.expr import Column


class Device(Enum):
    """Where an operator runs or a batch lies."""

    CPU = "CPU"
    GPU = "GPU"


_NO_BOUNDS: Mapping[int, tuple[int, int]] = MappingProxyType({})


def _size(column: Any) -> int:
    """Bytes of a column, in host memory or on a device."""
    return column.nbytes if hasattr(column, "nbytes") else column.device_buffer_size()


class Batch:
    """Columns of equal length with a schema of SQL types.

    `columns[i]` holds column `schema[i]`: on the CPU a pyarrow Array (never chunked), on the GPU a libcudf
    column. How a SQL type is stored is told by the array's own Arrow type and may differ from batch to batch:
    a DECIMAL or HUGEINT column is either int64 (scaled) or decimal128, a VARCHAR column is string or
    dictionary<int32, string>. `bounds` maps a column id to inclusive integer (low, high) bounds of its stored
    (scaled) non-NULL values in this batch, where they are known; they must hold, but need not be tight.
    """

    __slots__ = ("_index", "bounds", "columns", "device", "num_rows", "schema")

    def __init__(
        self,
        schema: Sequence[Column],
        columns: Sequence[Any],
        num_rows: int,
        *,
        bounds: Mapping[int, tuple[int, int]] = _NO_BOUNDS,
        device: Device = Device.CPU,
    ) -> None:
        assert len(schema) == len(columns)
        self.schema = tuple(schema)
        self.columns = tuple(columns)
        self.num_rows = num_rows
        self.bounds = bounds
        self.device = device
        self._index: dict[int, int] | None = None

    def position(self, column_id: int) -> int:
        """Index of a column by id; KeyError is a bug of the planner."""
        if self._index is None:
            self._index = {c.id: i for i, c in enumerate(self.schema)}
        return self._index[column_id]

    def column(self, column_id: int) -> Any:
        """The array of a column by id."""
        return self.columns[self.position(column_id)]

    def select(self, schema: Sequence[Column]) -> Batch:
        """The given columns of this batch, in that order."""
        return Batch(
            schema, [self.column(c.id) for c in schema], self.num_rows, bounds=self.bounds, device=self.device
        )

    def renamed(self, schema: Sequence[Column], positions: Sequence[int]) -> Batch:
        """Column positions[i] of this batch as schema[i]; bounds follow."""
        bounds = {}
        for column, position in zip(schema, positions, strict=True):
            known = self.bounds.get(self.schema[position].id)
            if known is not None:
                bounds[column.id] = known
        columns = [self.columns[position] for position in positions]
        return Batch(schema, columns, self.num_rows, bounds=bounds, device=self.device)

    def slice(self, offset: int, length: int) -> Batch:
        """Zero-copy slice of rows (CPU only)."""
        length = max(0, min(length, self.num_rows - offset))
        return Batch(self.schema, [c.slice(offset, length) for c in self.columns], length, bounds=self.bounds)

    @property
    def nbytes(self) -> int:
        """Bytes the columns refer to (shared dictionaries counted each time)."""
        return sum(map(_size, self.columns))

    @property
    def row_bytes(self) -> int:
        """Bytes of the rows themselves: of a dictionary column its indices only."""
        return sum(_size(getattr(c, "indices", c)) for c in self.columns)

    def __repr__(self) -> str:
        return f"Batch({self.num_rows} rows of {', '.join(f'{c.name} {c.type}' for c in self.schema)})"
