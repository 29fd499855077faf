"""Whole columns aggregated, running aggregates, counts of distinct rows."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..device import device
from ..errors import expects, logic_error
from ..kernels import keys, storage
from . import traits
from ._ranks import ranks
from ._reductions import reduced, valid_reduction
from ._scans import running_rows
from .aggregation import Aggregation
from .aggregation import Kind as What
from .column import Column, made
from .scalar import Scalar
from .table import Table
from .types import DataType, NanPolicy, NullEquality, NullPolicy


class ScanType(IntEnum):
    INCLUSIVE = 0
    EXCLUSIVE = 1


@library
def reduce(
    col: Column,
    agg: Aggregation,
    data_type: DataType,
    init: Scalar | None = None,
    stream: Any = None,
    mr: Any = None,
) -> Scalar:
    """One aggregate of all rows; NULLs are passed over, and no value gives NULL."""
    return reduced(col, agg, data_type, init)


_SCANNED = {
    What.SUM,
    What.PRODUCT,
    What.MIN,
    What.MAX,
    What.RANK,
    What.COUNT_VALID,
    What.COUNT_ALL,
    What.EWMA,
}


@library
def scan(col: Column, agg: Aggregation, inclusive: ScanType, stream: Any = None, mr: Any = None) -> Column:
    """The aggregate of the rows so far; NULL where the row is NULL."""
    what, kind = agg.kind(), col.type()
    if what not in _SCANNED:
        raise NotImplementedError(f"{what!r} aggregations are not supported by scan")
    if what is What.RANK:
        options = agg._options
        order = options["method"], options["order"], options["nulls"], options["precedence"]
        found = ranks(col._rows, *order, False)
        return made(DataType.from_arrow(found.type), found)
    expects(what in (What.SUM, What.PRODUCT, What.MIN, What.MAX), logic_error("Unsupported scan aggregation"))
    ordered = what in (What.MIN, What.MAX)
    numeric = traits.is_numeric(kind) or (what is What.SUM and traits.is_fixed_point(kind))
    expects(
        numeric or (ordered and traits.is_relationally_comparable(kind)),
        logic_error("Unsupported type for scan"),
    )
    found = running_rows(col._kind, col._rows, np.zeros(col.size(), np.int64), what)
    # A running sum keeps the width of its column, and wraps there.
    if traits.is_integral(kind) and not ordered:
        narrow = storage.NUMPY_TYPES[col._rows.type]
        found = storage.build(storage.values(found).astype(narrow), storage.valid(found))
    if inclusive is ScanType.EXCLUSIVE:
        return made(kind, _before(found, what, storage.validity(col._rows)))
    return made(kind, found)


def _before(running: pa.Array, what: What, keep: np.ndarray) -> pa.Array:
    """What the rows before each gave: 0 or 1 for the first; NULL where the row is NULL."""
    plain = storage.NUMPY_TYPES.get(running.type)
    expects(
        what in (What.SUM, What.PRODUCT) and plain is not None,
        logic_error("the double scans exclusively sums only"),
    )
    count = len(running)
    last = np.maximum.accumulate(np.where(keep, np.arange(count), -1)) if count else np.zeros(0, np.int64)
    before = np.append(-1, last[:-1])[:count]
    values = storage.values(running)
    first = np.array(1 if what is What.PRODUCT else 0, values.dtype)
    return storage.build(
        np.where(before < 0, first, values[np.maximum(before, 0)]).astype(values.dtype), keep
    )


@library
def minmax(col: Column, stream: Any = None, mr: Any = None) -> tuple[Scalar, Scalar]:
    """The smallest and the largest value; both NULL where there is none."""
    from . import aggregation

    return reduced(col, aggregation.min(), col.type()), reduced(col, aggregation.max(), col.type())


def is_valid_reduce_aggregation(source: DataType, agg: Aggregation) -> bool:
    return valid_reduction(source, agg.kind())


def _distinct(columns: list[Column], rows: int) -> np.ndarray:
    return keys.row_codes([c._rows for c in columns], rows)


@library
def distinct_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: Any = None
) -> int:
    """How many values there are; NULL is one where included, NaN is one or counts as NULL."""
    return _count(source, null_handling, nan_handling, runs=False)


@library
def unique_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: Any = None
) -> int:
    """How many runs of equal values there are."""
    return _count(source, null_handling, nan_handling, runs=True)


def _count(source: Column, nulls: NullPolicy, nans: NanPolicy, *, runs: bool) -> int:
    device.synchronized("reduce.distinct_count", implicit=True)
    rows = source.size()
    codes = _distinct([source], rows)
    absent = keys.with_null([source._rows], rows)
    if nans is NanPolicy.NAN_IS_NULL:
        absent |= keys.with_nan([source._rows], rows)
    codes = np.where(absent, -1, codes)
    codes = codes[~absent] if nulls is NullPolicy.EXCLUDE else codes
    if runs:
        return int((codes[1:] != codes[:-1]).sum()) + bool(len(codes))
    return len(np.unique(codes))


@library
def distinct_count_table(source: Table, nulls_equal: NullEquality, stream: Any = None) -> int:
    device.synchronized("reduce.distinct_count_table", implicit=True)
    return len(np.unique(_rows(source, nulls_equal)))


@library
def unique_count_table(source: Table, nulls_equal: NullEquality, stream: Any = None) -> int:
    device.synchronized("reduce.unique_count_table", implicit=True)
    codes = _rows(source, nulls_equal)
    return int((codes[1:] != codes[:-1]).sum()) + bool(len(codes))


def _rows(source: Table, nulls: NullEquality) -> np.ndarray:
    codes = _distinct(list(source.columns()), source.num_rows())
    if nulls is NullEquality.UNEQUAL:
        codes = keys.apart(codes, keys.with_null([c._rows for c in source.columns()], source.num_rows()))
    return codes
