"""Columns of one length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ..arguments import check_stream, library
from ..device import device
from ._kinds import arrow
from .column import Column
from .types import DataType


class Table:
    """Columns side by side; `num_rows` is needed where there is none."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, columns: Sequence[Column], num_rows: int | None = None) -> None:
        parts = tuple(columns)
        if not all(isinstance(c, Column) for c in parts):
            raise ValueError("All columns must be pylibcudf Column objects")
        if num_rows is None:
            num_rows = parts[0].size() if parts else 0
            if any(c.size() != num_rows for c in parts):
                # The real constructor accepts this; every call that takes the table then fails.
                raise ValueError("CUDF failure: Column size mismatch.")
        elif not isinstance(num_rows, int):
            raise TypeError("num_rows must be an int or None")
        elif num_rows < 0:
            raise ValueError("num_rows cannot be negative")
        elif any(c.size() != num_rows for c in parts):
            raise ValueError("num_rows does not match the size of the provided columns")
        self._columns, self._num_rows = parts, num_rows

    def num_columns(self) -> int:
        return len(self._columns)

    def num_rows(self) -> int:
        return self._num_rows

    def shape(self) -> tuple[int, int]:
        return self._num_rows, len(self._columns)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def release(self) -> list[Column]:
        """The columns, which the table gives up."""
        found = list(self._columns)
        self._columns, self._num_rows = (), 0
        return found

    @library
    def copy(self, stream: Any = None, mr: Any = None) -> Table:
        return Table([c.copy(stream, mr) for c in self._columns], self._num_rows)

    def to_arrow(self, metadata: list[Any] | None = None, stream: Any = None) -> Any:
        """The rows as an Arrow table: the host waits for the device once."""
        check_stream(stream)
        device.synchronized("Table.to_arrow")
        told = metadata or [""] * len(self._columns)
        names = [m if isinstance(m, str) else m.name for m in told]
        precisions = [getattr(m, "precision", None) for m in told]
        arrays = [arrow(c._rows, c._kind, p) for c, p in zip(self._columns, precisions, strict=True)]
        return pa.Table.from_arrays(arrays, names)

    @staticmethod
    def from_arrow(obj: Any, dtype: DataType | None = None, stream: Any = None, mr: Any = None) -> Table:
        """A copy of an Arrow table (or stream of batches) on the device."""
        if dtype is not None:
            raise NotImplementedError("Creating a Table with the dtype argument specified.")
        if hasattr(obj, "__arrow_c_stream__"):
            found = obj if isinstance(obj, pa.Table) else pa.table(obj)
        elif hasattr(obj, "__arrow_c_device_array__"):
            found = pa.table(obj)
        elif hasattr(obj, "__arrow_c_array__"):
            raise NotImplementedError("Arrow host arrays not yet supported")
        else:
            raise ValueError("Invalid Arrow-like object")
        columns = [Column.from_arrow(c, None, stream, mr) for c in found.columns]
        return Table(columns, found.num_rows)
