"""Columns made of a rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import library
from ..device import device
from ..errors import expects, invalid_argument, logic_error, overflow_error
from ..kernels import storage
from . import traits
from .column import Column, made
from .scalar import Scalar
from .stream_compaction import rows_at
from .table import Table
from .types import TypeId


@library
def fill(
    destination: Column, begin: int, end: int, value: Scalar, stream: Any = None, mr: Any = None
) -> Column:
    """A copy whose rows from `begin` to `end` are the value."""
    expects(0 <= begin <= end <= destination.size(), logic_error("Range is out of bounds."))
    expects(value.type() == destination.type(), logic_error("Data type mismatch."))
    rows = destination._rows
    parts = [rows[:begin], storage.repeated(value._row, end - begin), rows[end:]]
    return made(destination._kind, storage.concatenate(parts))


@library
def sequence(size: int, init: Scalar, step: Scalar, stream: Any = None, mr: Any = None) -> Column:
    """`init`, `init + step`, ..."""
    expects(init.type() == step.type(), invalid_argument("init and step must be of the same type."))
    expects(size >= 0, invalid_argument("size must be >= 0"))
    expects(traits.is_numeric(init.type()), invalid_argument("Input scalar types must be numeric"))
    expects(init._valid and step._valid, invalid_argument("init and step must be valid"))
    first, by = storage.values(init._row), storage.values(step._row)
    with np.errstate(over="ignore"):
        found = first + by * np.arange(size).astype(first.dtype)
    return made(init._kind, storage.build(found.astype(first.dtype)))


@library
def repeat(input_table: Table, count: Column | int, stream: Any = None, mr: Any = None) -> Table:
    """Each row so many times."""
    rows = np.arange(input_table.num_rows())
    if isinstance(count, Column):
        expects(count.size() == input_table.num_rows(), logic_error("in and count must have equal size"))
        expects(count.null_count() == 0, logic_error("count cannot contain nulls"))
        expects(count.type().id() is TypeId.INT32, logic_error("count must be of size_type"))
        times = storage.values(count._rows).astype(np.int64)
        expects(bool((times >= 0).all()), logic_error("a negative count: undefined behaviour"))
    else:
        expects(count >= 0, logic_error("count value should be non-negative"))
        times = np.full(len(rows), count)
    total = int(times.sum())
    expects(total <= device.row_limit, overflow_error("The resulting table exceeds the column size limit"))
    return rows_at(input_table, np.repeat(rows, times))
