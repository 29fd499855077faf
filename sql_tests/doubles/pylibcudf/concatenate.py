"""Columns and tables one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arguments import library
from ..device import device
from ..errors import expects, logic_error, overflow_error
from ..kernels import storage
from .column import Column, made
from .table import Table


def _one(columns: list[Column]) -> Column:
    first = columns[0]
    expects(
        all(c._kind == first._kind for c in columns),
        logic_error("Type mismatch in columns to concatenate."),
    )
    rows = sum(c.size() for c in columns)
    expects(
        rows <= device.row_limit,
        overflow_error("Total number of concatenated rows exceeds the column size limit"),
    )
    return made(first._kind, storage.concatenate([c._rows for c in columns]))


@library
def concatenate(objects: Sequence[Any], stream: Any = None, mr: Any = None) -> Any:
    """The rows of all columns (or tables), whose types are the same."""
    if not objects:
        raise ValueError("input list may not be empty")
    if isinstance(objects[0], Column):
        if not all(isinstance(c, Column) for c in objects):
            raise TypeError("Cannot convert to pylibcudf.column.Column")
        return _one(list(objects))
    if not isinstance(objects[0], Table):
        raise ValueError("input must be a list of Columns or Tables")
    if not all(isinstance(t, Table) for t in objects):
        raise TypeError("Cannot convert to pylibcudf.table.Table")
    counts = {t.num_columns() for t in objects}
    expects(len(counts) == 1, logic_error("Mismatch in table columns to concatenate."))
    columns = [_one(list(parts)) for parts in zip(*(t.columns() for t in objects), strict=True)]
    return Table(columns, sum(t.num_rows() for t in objects))
